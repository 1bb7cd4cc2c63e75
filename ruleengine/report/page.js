"use strict";
// Nothing here is needed to read the page: it opens what is folded up around a link's target, says
// clauses where the pointer rests, folds or unfolds a whole part at once, and unfolds for print.

function unfold(target) {
  for (let at = target; at; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
}

function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  unfold(target);
  target.scrollIntoView();
}

addEventListener("hashchange", follow);
follow();

document.addEventListener("pointerover", (event) => {
  const cite = event.target.closest?.(".at > a");
  if (!cite || cite.title) return;
  const row = document.getElementById(decodeURIComponent(cite.hash.slice(1)));
  const text = row?.querySelector("td, h4");
  if (text) cite.title = text.textContent;
});

// On paper the moves and the rules are unfolded; tables and drawings of single phases are not.
const printed = "div.game > details, .of-rules > details";
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll(`:is(${printed}):not([open])`)) {
    one.open = true;
    one.dataset.opened = "for print";
  }
});
addEventListener("afterprint", () => {
  for (const one of document.querySelectorAll("details[data-opened]")) {
    one.open = false;
    delete one.dataset.opened;
  }
});

for (const part of document.querySelectorAll(".of-game, .of-scenarios")) {
  const inside = part.querySelectorAll("details.table, .scenarios > li > details");
  if (!inside.length) continue;
  const button = document.createElement("button");
  const label = () => (button.textContent = button.dataset.open ? "Fold all up" : "Unfold all");
  button.type = "button";
  button.className = "fold";
  button.addEventListener("click", () => {
    if (button.dataset.open) delete button.dataset.open;
    else button.dataset.open = "yes";
    for (const one of inside) one.open = Boolean(button.dataset.open);
    label();
  });
  label();
  part.querySelector("h3").after(button);
}
