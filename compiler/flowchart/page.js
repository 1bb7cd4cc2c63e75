"use strict";
// Moves about on the sheet, folds, searches, and marks what leads to a box and what follows it.

const { boxes, arrows, clauses } = JSON.parse(document.getElementById("data").textContent);
const stage = document.getElementById("stage");
const world = document.getElementById("world");
const panel = document.getElementById("panel");
const greeting = panel.innerHTML;
const cards = [...document.querySelectorAll(".card")];
const boxOf = new Map(boxes.map((box) => [box.id, box]));
const drawn = new Map();
for (const one of document.querySelectorAll("[data-id]")) {
  drawn.set(`${one.dataset.card}/${one.dataset.id}`, one);
}
const into = new Map(), outOf = new Map();
for (const arrow of arrows) {
  if (!into.has(arrow.target)) into.set(arrow.target, []);
  if (!outOf.has(arrow.source)) outOf.set(arrow.source, []);
  into.get(arrow.target).push(arrow);
  outOf.get(arrow.source).push(arrow);
}

// ---- the sheet

const at = { x: 0, y: 0, scale: 1 };
function place() {
  world.style.transform = `translate(${at.x}px, ${at.y}px) scale(${at.scale})`;
}
function arrange() {
  document.documentElement.classList.add("moved");
  const area = cards.reduce((sum, card) => sum + card.offsetWidth * card.offsetHeight, 0);
  const widest = Math.max(...cards.map((card) => card.offsetWidth));
  world.style.width = `${Math.max(widest + 60, Math.sqrt(area) * 1.45)}px`;
}
// What the panel leaves free: it stands beside the sheet, on a narrow screen below it.
const narrow = matchMedia("(max-width: 52rem)");
function room() {
  const top = document.querySelector("header").offsetHeight;
  document.documentElement.style.setProperty("--top", `${top}px`);
  const wide = innerWidth - (panel.hidden || narrow.matches ? 0 : panel.offsetWidth);
  const below = panel.hidden || !narrow.matches ? 0 : panel.offsetHeight;
  return { top, wide, high: innerHeight - top - below };
}
function fit() {
  const { top, wide, high } = room();
  at.scale = Math.min(1.2, wide / world.offsetWidth, high / world.offsetHeight);
  at.x = (wide - world.offsetWidth * at.scale) / 2;
  at.y = top;
  place();
}
function begin() {
  panel.hidden = narrow.matches;
  fit();
  if (at.scale >= 0.6) return;
  at.scale = Math.min(1, Math.max(0.45, room().wide / (cards[0].offsetWidth + 48)));
  at.x = 0;
  place();
}
function zoom(factor, x = innerWidth / 2, y = innerHeight / 2) {
  const scale = Math.min(4, Math.max(0.05, at.scale * factor));
  at.x = x - (x - at.x) * (scale / at.scale);
  at.y = y - (y - at.y) * (scale / at.scale);
  at.scale = scale;
  place();
}
function goTo(id) {
  const shape = drawn.get(id);
  if (!shape) return;
  shape.closest("details").open = true;
  if (at.scale < 0.6) zoom(0.9 / at.scale);
  const seen = shape.getBoundingClientRect(), { top, wide, high } = room();
  at.x += wide * 0.45 - (seen.left + seen.width / 2);
  at.y += top + high * 0.45 - (seen.top + seen.height / 2);
  place();
}

const held = new Map();
let dragged = false;
stage.addEventListener("pointerdown", (event) => {
  held.set(event.pointerId, { x: event.clientX, y: event.clientY });
  dragged = false;
});
addEventListener("pointermove", (event) => {
  const from = held.get(event.pointerId);
  if (!from) return;
  const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
  if (!dragged && Math.hypot(dx, dy) < 4) return;
  dragged = true;
  stage.classList.add("held");
  if (held.size === 2) {
    const [other] = [...held].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const before = Math.hypot(from.x - other.x, from.y - other.y);
    const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (before > 0) zoom(after / before, other.x, other.y);
  } else {
    at.x += dx;
    at.y += dy;
    place();
  }
  held.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => {
    held.delete(event.pointerId);
    stage.classList.remove("held");
  });
}
stage.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.clientX, event.clientY);
}, { passive: false });

// ---- what leads here, what follows

const marks = ["before", "after", "here"];
function clear() {
  for (const shape of drawn.values()) shape.classList.remove(...marks);
  world.classList.remove("picked");
  panel.innerHTML = greeting;
}
function spread(id, links, end, mark) {
  const seen = new Set([id]), waiting = [id];
  while (waiting.length) {
    for (const arrow of links.get(waiting.pop()) ?? []) {
      drawn.get(arrow.id)?.classList.add(mark);
      drawn.get(`${arrow.id}.back`)?.classList.add(mark);
      const next = arrow[end];
      if (seen.has(next)) continue;
      seen.add(next);
      drawn.get(next)?.classList.add(mark);
      waiting.push(next);
    }
  }
}
function pick(id) {
  clear();
  const box = boxOf.get(id);
  if (!box) return;
  world.classList.add("picked");
  spread(id, into, "source", "before");
  spread(id, outOf, "target", "after");
  drawn.get(id).classList.add("here");
  tell(box);
}

// ---- the panel

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
function link(id, text) {
  const made = element("a", text);
  made.tabIndex = 0;
  made.addEventListener("click", () => { pick(id); goTo(id); });
  made.addEventListener("keydown", (event) => { if (event.key === "Enter") made.click(); });
  return made;
}
function near(title, className, found, end) {
  if (!found.length) return;
  panel.append(element("p", title, className));
  const list = element("ul");
  for (const arrow of found) {
    const other = boxOf.get(arrow[end]);
    const item = element("li");
    if (arrow.says) item.append(element("i", `${arrow.says}: `));
    item.append(link(other.id, other.says || other.kind));
    list.append(item);
  }
  panel.append(list);
}
function tell(box) {
  panel.hidden = false;
  panel.replaceChildren();
  panel.append(element("h2", box.actor ? `${box.actor}: ${box.says}` : box.says || "Back"));
  const more = [box.kind, box.sub, box.hidden ? "not seen by all" : ""].filter(Boolean).join("; ");
  panel.append(element("p", more, "told"));
  const rules = element("dl");
  for (const id of box.cites) rules.append(element("dt", id), element("dd", clauses[id] ?? ""));
  if (box.cites.length) panel.append(rules);
  if (box.to) {
    const line = element("p");
    line.append(link(box.to, `Go to ${boxOf.get(box.to).says}`));
    panel.append(line);
  }
  near("Leads here", "before-word", into.get(box.id) ?? [], "source");
  near("Follows", "after-word", outOf.get(box.id) ?? [], "target");
  if (box.at) {
    const line = element("p", "In the rules: ", "told");
    const made = element("a", box.at);
    made.href = box.at;
    line.append(made);
    panel.append(line);
  }
}

world.addEventListener("click", (event) => {
  if (dragged) return;
  const shape = event.target.closest(".node");
  if (!shape) return;
  const id = meant(shape);
  const box = boxOf.get(id);
  if (!box) return;
  if (shape.dataset.back) { pick(id); goTo(id); return; }
  if (box.to && (event.detail === 2 || box.id.startsWith("overview/"))) {
    pick(box.to);
    goTo(box.to);
  } else pick(id);
});
function meant(shape) {
  return `${shape.dataset.card}/${shape.dataset.back ?? shape.dataset.id}`;
}
addEventListener("keydown", (event) => {
  if (event.target.matches?.("input")) {
    if (event.key === "Escape") { event.target.value = ""; search(); }
    return;
  }
  if (event.key === "Escape") clear();
  if (event.key === "+") zoom(1.25);
  if (event.key === "-") zoom(0.8);
  if (event.key === "0") fit();
  if (event.key === "/") { event.preventDefault(); document.getElementById("search").focus(); }
  if (event.key === "Enter" && document.activeElement?.matches(".node")) {
    const id = meant(document.activeElement);
    pick(id);
    if (document.activeElement.dataset.back) goTo(id);
  }
});

// ---- search

let hits = [], turn = 0;
function search() {
  for (const id of hits) drawn.get(id)?.classList.remove("hit");
  const words = document.getElementById("search").value.trim().toLowerCase();
  hits = [];
  turn = 0;
  if (words) {
    for (const one of [...boxes, ...arrows]) {
      const cited = one.cites.flatMap((id) => [id, clauses[id] ?? ""]);
      const text = [one.says, one.sub, one.actor, one.id.split("/")[1], ...cited].join("\n");
      if (text.toLowerCase().includes(words) && drawn.has(one.id)) hits.push(one.id);
    }
  }
  for (const id of hits) {
    drawn.get(id).classList.add("hit");
    drawn.get(id).closest("details").open = true;
  }
  document.getElementById("found").textContent = words ? `${hits.length} found` : "";
}
document.getElementById("search").addEventListener("input", search);
document.getElementById("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !hits.length) return;
  const id = hits[turn++ % hits.length];
  document.getElementById("found").textContent = `${(turn - 1) % hits.length + 1} of ${hits.length}`;
  goTo(id);
});

// ---- buttons

function fold(open) {
  for (const card of cards) card.open = open;
  arrange();
  fit();
}
document.getElementById("fit").addEventListener("click", fit);
document.getElementById("closer").addEventListener("click", () => zoom(1.25));
document.getElementById("farther").addEventListener("click", () => zoom(0.8));
document.getElementById("unfold").addEventListener("click", () => fold(true));
document.getElementById("fold").addEventListener("click", () => fold(false));
document.getElementById("aside").addEventListener("click", () => { panel.hidden = !panel.hidden; });
addEventListener("beforeprint", () => { for (const card of cards) card.open = true; });
arrange();
begin();
