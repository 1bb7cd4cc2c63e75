"""One game at one screen: what is typed goes in, pages come out.

People and bots sit in any seats.  People who share the screen hand it over: nothing of one seat
stays when another's turn comes.  The session touches no terminal and no files; a `Shelf` keeps and
fetches texts for it.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from attrs import define, field

from compiler.graph.core import Choose
from compiler.graph.naming import listed
from compiler.graph.values import seat_text
from ruleengine.errors import RuleError
from ruleengine.play.citing import Citing, where
from ruleengine.play.commands import ASIDE, COMMANDS, MEANT, help_text
from ruleengine.play.course import Course
from ruleengine.play.faces import Faces
from ruleengine.play.lines import Line, Look, Page, lines, paragraph
from ruleengine.play.names import seats_text
from ruleengine.play.offers import MOST_LINES, Offers
from ruleengine.play.reasons import Reasons
from ruleengine.play.scene import Scene
from ruleengine.play.secrets import has_secrets
from ruleengine.play.shelf import Shelf, ShelfError
from ruleengine.play.telling import Told, clauses_of, merged, question
from ruleengine.record import Record, RecordError
from ruleengine.stops import ChanceStop, Terminal

_SINCE: Final = 14  # sentences shown above the table, at most
_LOG: Final = 30  # sentences of `log` unless a number is given


class At(Enum):
    """What the session waits for."""

    NOBODY = "nobody"
    HAND_OVER = "hand over"
    ANSWER = "answer"
    OVER = "over"


@define(eq=False)
class Session:
    """A game between people in some seats and bots in the others."""

    course: Course
    people: tuple[int, ...]
    shelf: Shelf
    width: int
    citing: Citing
    reasons: Reasons
    at: At = field(default=At.NOBODY, init=False)
    seat: int | None = field(default=None, init=False)  # who is asked, if anybody
    kept: str | None = field(default=None, init=False)  # where the game was kept last
    charts: Callable[[Course, str], Sequence[str]] | None = field(default=None, init=False)
    _shown: dict[int, int] = field(factory=dict, init=False)  # moments a seat has read about
    _viewer: int | None = field(default=None, init=False)  # whose eyes were last on the screen
    _watched: int = field(default=0, init=False)  # moments told to those who only watch

    @classmethod
    def of(cls, course: Course, people: Sequence[int], shelf: Shelf, width: int) -> "Session":
        """A session of a game that has begun."""
        game = course.game
        citing = Citing(game.compiled)
        return cls(course, tuple(people), shelf, width, citing, Reasons(game, citing))

    # ---- for whoever runs it

    @property
    def waits(self) -> bool:
        """Whether somebody must type something now."""
        return self.at in (At.HAND_OVER, At.ANSWER)

    @property
    def over(self) -> bool:
        """Whether the session has ended."""
        return self.at is At.OVER

    @property
    def prompt(self) -> str:
        """What stands before the place to type."""
        if self.at is At.HAND_OVER:
            return f"[Enter: I am {self._name()}] "
        return f"{self._name()}> "

    @property
    def has_answers(self) -> bool:
        """Whether a person has answered anything, so that there is something to lose."""
        return any(
            m.choice is not None and m.choice.seat in self.people for m in self.course.moments
        )

    def begin(self) -> Page:
        """What is told before anything happens."""
        game = self.course.game
        seats = game.seats
        title = game.compiled.spec.title or game.name
        said = [f"{title}: {seats} player{'s' if seats > 1 else ''}, {self._sitting()}."]
        if str(game.configuration):
            said.append(f"Configuration: {game.configuration}.")
        if self.people:
            said.append("Type a number or the words of an answer; `help` lists what else there is.")
        found = [Line(line, Look.TITLE) for line in self._text(said[0])]
        found += [Line(line, Look.NOTE) for text in said[1:] for line in self._text(text)]
        return Page(tuple(found))

    def go_on(self) -> Page:
        """One thing that needs nobody; or the screen of the person who is asked next."""
        stop = self.course.now.stop
        if stop is None:
            return self._broken_down(self.course.now.fault)
        if isinstance(stop, Terminal):
            return self._ended()
        if isinstance(stop, ChanceStop):
            self.course.draw()
            return self._watching()
        seat = next((seat for seat in self.course.asked if seat in self.people), None)
        bots = [seat for seat in self.course.asked if seat not in self.people]
        if bots:
            self.course.let_bot_choose(bots[0])
            return self._watching()
        self.seat = seat
        return self._arrive()

    def feed(self, typed: str) -> Page:
        """What comes of a line that was typed."""
        text = " ".join(typed.split())
        command, rest = self._command(text)
        if command is not None:
            return self._do(command, rest)
        if self.at is At.HAND_OVER:
            self._viewer = self.seat
            self.at = At.ANSWER
            return self._screen(fresh=True)
        return self._answer(text)

    # ---- pages

    def _name(self) -> str:
        return "" if self.seat is None else seat_text(self.seat)

    def _text(self, text: str) -> list[str]:
        return paragraph(text, self.width)

    def _say(self, text: str, look: Look = Look.PLAIN) -> Page:
        return Page(lines(look, self._text(text)))

    def _sitting(self) -> str:
        bots = [seat for seat in self.course.seats if seat not in self.people]
        if not self.people:
            return "all of them bots"
        if not bots:
            return "all of them people"
        you = f"you are {seats_text(self.people)}"
        many = f"people are {seats_text(self.people)}"
        return (you if len(self.people) == 1 else many) + (
            f", {seats_text(bots)} {'is a bot' if len(bots) == 1 else 'are bots'}"
        )

    def _arrive(self) -> Page:
        """The screen of who is asked, or first the one that lets him take the others' place."""
        if (
            len(self.people) > 1
            and self._viewer != self.seat
            and has_secrets(self.course.game.graph)
        ):
            self.at = At.HAND_OVER
            name = self._name()
            text = f"Hand over to {name}. Only {name} may look at what comes next."
            return Page((Line("-" * min(self.width, 60)), *self._say(text, Look.ASKED).lines), True)
        self.at = At.ANSWER
        self._viewer = self.seat
        return self._screen()

    def _screen(self, fresh: bool = False) -> Page:
        """What a person sees before he answers."""
        seat = self.seat
        if seat is None:
            raise ValueError("nobody is asked")
        told = self.course.told(seat, self._shown.get(seat, 0))
        self._shown[seat] = len(self.course.moments)
        found = [Line(self._rule(f"{self._title()}: {self._name()}"), Look.TITLE)]
        found += self._happened(told, _SINCE)
        found += self._table(seat)
        found += self._asked()
        return Page((Line(""), *found), fresh)

    def _title(self) -> str:
        return self.course.game.compiled.spec.title or self.course.game.name

    def _rule(self, title: str) -> str:
        """A title in a line that parts what is above from what is below."""
        return f"-- {title} ".ljust(min(self.width, 72), "-")

    def _happened(self, told: Sequence[Told], most: int) -> list[Line]:
        texts = [one.text for one in merged([one for one in told if not one.minor])]
        cut = texts[-most:] if most else texts
        found = []
        if len(cut) < len(texts):
            found.append(Line("  … (`log` tells what was before)", Look.NOTE))
        for text in cut:
            shown = paragraph(f"{text}.", self.width, "  ", "    ")
            found += [Line(line, Look.HAPPENED) for line in shown]
        return [*found, Line("")] if found else []

    def _table(self, seat: int) -> tuple[Line, ...]:
        course = self.course
        faces = Faces(course.names, course.view(seat))
        return Scene(course.names, faces, self.width, self._about).lines()

    def _about(self, seat: int) -> str:
        if seat not in self.people:
            return "bot"
        return "you" if seat == self._viewer or len(self.people) == 1 else ""

    def _asked(self, most: int | None = MOST_LINES) -> list[Line]:
        """The question and its answers."""
        if self.seat is None:
            return []
        question = self._node_title() or "what do you do?"
        head = f"{self._name()}: {question}"
        found = [Line(line, Look.ASKED) for line in paragraph(head, self.width)]
        return [Line(""), *found, *self._offers().lines(self.width, most)]

    def _node_title(self) -> str:
        graph = self.course.game.graph
        return question(graph.nodes[self.course.now.table.node], graph)

    def _offers(self) -> Offers:
        seat = 0 if self.seat is None else self.seat
        now = self.course.now
        return Offers.of(self.course.game, now.table, self.course.choices(seat))

    def _watching(self) -> Page:
        """What those hear who only watch; people are told when it is their turn."""
        if self.people:
            return Page()
        found = self._happened(self.course.told(self.course.public, self._watched), 0)
        self._watched = len(self.course.moments)
        return Page(tuple(line for line in found if line.text))

    def _ended(self) -> Page:
        self.at = At.OVER
        course = self.course
        eyes = self.people[0] if len(self.people) == 1 else course.public
        self._viewer = None
        shown = [self._shown.get(seat, 0) for seat in self.people]
        since = min(shown, default=self._watched)
        found = [Line(""), *self._happened(course.told(eyes, since), _SINCE)]
        found += self._table(eyes)
        found += [Line(""), Line(f"The game is over: {course.result}.", Look.TITLE)]
        if self.people and not any(moment.choice for moment in course.moments):
            found.append(Line("There was nothing to choose: chance decided all of it.", Look.NOTE))
        return Page(tuple(found))

    def _broken_down(self, fault: RuleError | None) -> Page:
        """The spec is at fault: what, and where; the answer that led here is taken back."""
        self.at = At.OVER
        answers = [at for at, moment in enumerate(self.course.moments) if moment.choice is not None]
        if answers:
            self.course.go_back(answers[-1] - 1)
        found = [Line("The rules break down here; the game cannot go on.", Look.WRONG)]
        if fault is not None:
            place = f" ({where(fault.span)})" if fault.span is not None else ""
            found += [Line(line) for line in paragraph(f"{fault}{place}", self.width, "  ", "  ")]
            found += self.citing.lines(fault.clauses, self.width)
        return Page(tuple(found))

    # ---- answers

    def _answer(self, text: str) -> Page:
        offers = self._offers()
        everything = tuple(offers)
        if not text:
            if len(everything) > 1:
                return self._say(f"There are {len(everything)} answers: type one of the numbers.")
            found = everything
        else:
            found = offers.meant(text)
        if len(found) == 1:
            return self._choose(found[0].words, offers)
        if found:
            words = "; ".join(offer.words for offer in found[:6])
            more = f"; and {len(found) - 6} more" if len(found) > 6 else ""
            text = f"`{text}` could be {words}{more}. Say a little more, or a number."
            return self._say(text, Look.WRONG)
        return self._looked_at(text, offers)

    def _looked_at(self, text: str, offers: Offers) -> Page:
        """What is not written as any answer: one that it can be read as, or why it is none."""
        if text.isdecimal():
            numbers = [offer.number for offer in offers]
            return self._say(f"The numbers here are {numbers[0]} to {numbers[-1]}.", Look.WRONG)
        seat = 0 if self.seat is None else self.seat
        now = self.course.now
        found = self.reasons.verdicts(now.table, self.course.choices(seat), seat, text)
        legal = [offer for offer in offers if offer.words == found[0].words]
        if len(found) == len(legal) == 1 and found[0].legal:
            return self._choose(legal[0].words, offers)
        if any(verdict.legal for verdict in found):
            return self._say(f"`{text}` is not clear here: say it as it is listed, or a number.")
        aside = ASIDE.get(text.strip().rstrip("?").lower())
        if aside is not None and not self.reasons.begins_option(text.strip().lower()):
            return self._do(aside, "")
        reason = self.reasons.lines(found, self.width)
        return Page((*reason, Line("`options` lists the answers.", Look.NOTE)))

    def _choose(self, words: str, offers: Offers) -> Page:
        offer = next(offer for offer in offers if offer.words == words)
        self.course.choose(offer.choice)
        self.at = At.NOBODY
        return Page()

    # ---- commands

    def _command(self, text: str) -> tuple[str | None, str]:
        """The command that a line gives, and what follows it.

        An option of the same name goes first; `/help` is always the command.
        """
        word, _, rest = text.partition(" ")
        bare = word.lower().removeprefix("/").replace("?", "help")
        bare = MEANT.get(bare, bare)
        if bare not in {command.name for command in COMMANDS}:
            return None, ""
        taken = word.lower(), bare
        if not word.startswith("/") and self.at is At.ANSWER and any(map(self._is_option, taken)):
            return None, ""
        return bare, rest

    def _is_option(self, word: str) -> bool:
        step = self.course.game.graph.nodes[self.course.now.table.node].step
        return isinstance(step, Choose) and any(option.name == word for option in step.options)

    def _do(self, command: str, rest: str) -> Page:
        if self.at is At.HAND_OVER and command not in ("save", "resume", "help", "quit"):
            return self._say(f"First let {self._name()} take over: press Enter.")
        simple: dict[str, Callable[[], Page]] = {
            "rules": self._rules,
            "table": self._screen,
            "options": lambda: Page(tuple(self._asked(None))),
            "undo": self._undo,
            "help": self._help,
            "quit": self._quit,
        }
        if command in simple:
            return simple[command]()
        with_rest: dict[str, Callable[[str], Page]] = {
            "why": self._why,
            "log": self._log,
            "save": self._save,
            "resume": self._resume,
            "flow": self._flow,
        }
        return with_rest[command](rest)

    def _why(self, text: str) -> Page:
        if not text:
            return self._say("Say which answer, as in `why 1` or `why` and an option's name.")
        seat = 0 if self.seat is None else self.seat
        table = self.course.now.table
        asked = text.removeprefix("not ") or text
        found = self.reasons.verdicts(table, self.course.choices(seat), seat, asked)
        return Page(self.reasons.lines(found, self.width))

    def _rules(self) -> Page:
        """The clauses of the decision, then those of each option that are not among them."""
        graph = self.course.game.graph
        node = graph.nodes[self.course.now.table.node]
        asked = clauses_of(node, graph)
        found = [Line(self._node_title() or "This decision", Look.ASKED)]
        found += self.citing.lines(asked, self.width)
        for option in node.step.options if isinstance(node.step, Choose) else ():
            cited = [*option.clauses]
            for guard in option.guards:
                cited += guard.clauses
            new = [clause for clause in cited if clause not in asked]
            if new:
                found.append(Line(option.title or option.name, Look.ASKED))
                found += self.citing.lines(new, self.width)
        if len(found) == 1:
            return self._say("This decision cites no clause.")
        return Page(tuple(found))

    def _log(self, rest: str) -> Page:
        if rest and not (rest.isdecimal() and len(rest) < 9):
            return self._say("`log` or `log` and a number, as in `log 50`.", Look.WRONG)
        seat = 0 if self.seat is None else self.seat
        texts = [told.text for told in merged(self.course.told(seat))]
        most = int(rest) if rest else _LOG
        found = []
        if len(texts) > most:
            found.append(Line(f"  … {len(texts) - most} before: `log {len(texts)}`", Look.NOTE))
        for text in texts[-most:]:
            shown = paragraph(f"{text}.", self.width, "  ", "    ")
            found += [Line(line, Look.HAPPENED) for line in shown]
        return Page(tuple(found)) if found else self._say("Nothing has happened yet.")

    def _undo(self) -> Page:
        """Goes back to the last question that a person has answered."""
        moments = self.course.moments
        answered = [
            at
            for at, moment in enumerate(moments)
            if moment.choice is not None and moment.choice.seat in self.people
        ]
        if not answered:
            return self._say("There is no answer to take back.")
        last = moments[answered[-1]]
        words = "" if last.step is None else str(last.step)
        self.course.go_back(answered[-1] - 1)
        for seat, shown in self._shown.items():
            self._shown[seat] = min(shown, len(self.course.moments))
        self.at = At.NOBODY
        told = last.choice is not None and last.choice.seat == self.seat
        return self._say(f"Taken back: {words}" if told else "Taken back.", Look.NOTE)

    def _help(self) -> Page:
        found = help_text(self.width)
        clash = [command.name for command in COMMANDS if self._is_option(command.name)]
        if clash and self.at is At.ANSWER:
            names = listed([f"`/{name}`" for name in clash])
            found += self._text(f"Here an answer has the same name: type {names} for the command.")
        return Page(lines(Look.PLAIN, found))

    def _quit(self) -> Page:
        self.at = At.OVER
        return Page()

    def _flow(self, name: str) -> Page:
        """Where the game stands on the chart; whoever runs the session draws it."""
        if self.charts is None:
            return self._say("Nothing draws charts here.")
        return Page(lines(Look.PLAIN, list(self.charts(self.course, name))))

    # ---- keeping

    def _save(self, name: str) -> Page:
        if not name:
            return self._say("Say where, as in `save evening.record`.", Look.WRONG)
        try:
            self.shelf.put(name, str(self.course.record))
        except ShelfError as error:
            return self._say(f"Not saved: {error}.", Look.WRONG)
        self.kept = name
        return self._say(f"Saved in {name}.", Look.NOTE)

    def _resume(self, name: str) -> Page:
        if not name:
            return self._say("Say which, as in `resume evening.record`.", Look.WRONG)
        try:
            record = Record.parse(self.shelf.get(name))
            self.take_up(record)
        except (ShelfError, RecordError) as error:
            found = lines(Look.WRONG, str(error).splitlines())
            return Page((Line("Not resumed; this game goes on.", Look.WRONG), *found))
        self.kept = name
        return self._say(f"Going on with {name}.", Look.NOTE)

    def take_up(self, record: Record) -> None:
        """Goes on with a recorded game; `RecordError` if it is another's or does not fit."""
        game = self.course.game
        own = Record.of(game)
        if record.spec != own.spec:
            raise RecordError(1, f"this is a game of `{record.spec}`, not of `{own.spec}`")
        if (record.configuration.players or game.seats) != game.seats:
            reason = f"this is a game of {record.configuration.players} players, not {game.seats}"
            raise RecordError(1, reason)
        if record.configuration.pairs != own.configuration.pairs:
            raise RecordError(1, "this game was begun with other settings")
        seed = self.course.seed if record.seed is None else record.seed
        course = Course.begin(game, seed, record.game, self.course.bots)
        course.follow(record)
        self.course = course
        self.at, self._viewer, self._watched = At.NOBODY, None, 0
        self._shown.clear()
