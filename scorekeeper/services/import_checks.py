"""Validation of imported games and groups.

An imported book is replayed. Every event must be the one that its use case would have written
at that point (``changes``, ``group_changes``), and its words must be valid in the forms. Rounds
are scored again with today's rules. Differences are collected rather than refused, since the
table may want to keep what it once agreed on.

Events are ordered by number. Their times only have to be valid, because another machine's clock
may have been set back.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from marshmallow import ValidationError

from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.changes import Draft, check_sequel
from scorekeeper.domain.game.frame import check_open
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import ERASING, PRIVATE, Book, Event
from scorekeeper.domain.replay import BEGIN
from scorekeeper.domain.rules import RuleSet, inconsistencies, presets
from scorekeeper.i18n.printable import unprintable
from scorekeeper.store.chain import canonical
from scorekeeper.wire.rounds import PrintableText
from scorekeeper.wire.strict import form_error, is_key

B = TypeVar("B", bound=Book)
MALFORMED = (
    *(LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, RecursionError, AssertionError),
)
"""Raised by code that meets values of unexpected types."""
ALL_TIMES = "1900", "9999"
"""From the first year up to the second; with any time zone, these stay within the calendar."""
RIGHTS = ("pen", "watch")
WRITERS = ("pen", "host")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_NUMBERED = re.compile(r"(name|member|note|given|club)\.(0|[1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True)
class Bounds:
    """The limits of one import; None means no limit."""

    events: int | None = None
    """Events in one book."""
    tallies: int | None = None
    """Rounds added up in one replay, including those added up again after corrections."""
    members: int | None = None
    """Members summed over all events, because each new name is compared with all others."""


NETWORK = Bounds(events=20_000, tallies=20_000, members=4_000_000)
"""Ten times the longest group anybody keeps. Each limit takes about a second: 20,000 events
among 200 members, or 2,800 members who join one by one."""
HOST = Bounds()
"""The administrator may import whatever the machine can hold."""


@dataclass(frozen=True)
class Difference:
    """A result that today's rules would not give."""

    event: int
    """The number of its event; 0 for the book as a whole."""
    what: int | str
    """The number of the round, or the id of the game."""
    problem: Problem


@dataclass(frozen=True)
class Checked(Generic[B]):
    """A valid book, and where its results differ from today's."""

    book: B
    events: tuple[Event, ...]
    differences: tuple[Difference, ...] = ()
    """Without those that the book is already marked for."""


class InvalidEvent(Exception):
    """An event that cannot have been written by scorekeeper."""


@dataclass
class Replay(Generic[B]):
    """The replay and validation of one book."""

    bounds: Bounds
    drafts: Mapping[str, Callable[..., "Draft | None"]]
    gone: frozenset[str] = frozenset()
    """Name fields that a later event erases, and which may therefore be empty."""
    keys: set[str] = field(default_factory=set)
    tallies: int = 0
    differences: list[Difference] = field(default_factory=list)
    marked: list[tuple[int, frozenset[int | str]]] = field(default_factory=list)
    """Events that accepted differences: their number, and the rounds or games."""
    earlier: list[Event] = field(default_factory=list)

    def play(self, book_id: str, events: Sequence[Event], begin: Callable[[Event], None]) -> B:
        """Return the book after validating every event; RuleError at the first invalid one."""
        most = self.bounds.events
        if most is not None and len(events) > most:
            raise RuleError("E_IMPORT", ("events",), why="events", count=len(events), most=most)
        self.gone = erased_names(events)
        with at_event(events[0]):
            self.check_form(events[0])
            begin(events[0])
            book: Any = BEGIN[events[0].kind](book_id, events[0])
            self.earlier.append(events[0])
        for event in events[1:]:
            with at_event(event):
                self.check_form(event)
                self.check(book, event)
                book = book.apply(event)
                check_sequel(book, event.kind, event.payload.get("number", 0))
                self.earlier.append(event)
        return book  # type: ignore[no-any-return]

    def check_form(self, event: Event) -> None:
        """Check the time, the right and the idempotency key."""
        if not is_time(event.at) or event.by not in WRITERS:
            raise InvalidEvent
        for text in (event.key, event.digest):
            if text is not None and not is_key(text):
                raise InvalidEvent
        if event.key is not None:
            if event.key in self.keys:
                raise InvalidEvent
            self.keys.add(event.key)

    def check(self, book: Any, event: Event) -> None:
        """Check that an event after the first is what its use case would have written."""
        check_open(book, event.kind)
        draft = self.drafts[event.kind](self, book, event)
        if draft is None or canonical(draft.payload) != canonical(event.payload):
            raise InvalidEvent
        self.check_words(event, draft)

    def check_words(self, event: Event, draft: Draft) -> None:
        """Check that the words of an event belong to it and are valid in the forms."""
        for name, text in event.texts.items():
            if name not in draft.texts or name.startswith(PRIVATE):
                raise InvalidEvent
            check_words(event.number, name, text)

    def name(self, event: Event, field_name: str) -> str:
        """Return a name in an event; only a name erased later may be empty."""
        name = event.texts.get(field_name, "")
        if not name and field_name not in self.gone:
            raise InvalidEvent
        return name

    def count(self, tallies: int) -> None:
        """Count rounds added up; RuleError beyond the limit of one import."""
        self.tallies += tallies
        most = self.bounds.tallies
        if most is not None and self.tallies > most:
            raise RuleError("E_IMPORT", ("events",), why="work")

    def unmarked(self) -> tuple[Difference, ...]:
        """Return the differences that the book is not marked for."""
        return tuple(
            difference
            for difference in self.differences
            if not any(
                difference.event < number and difference.what in what
                for number, what in self.marked
            )
        )

    def secret(self, book: Book, event: Event) -> Draft:
        right = event.payload["right"]
        names = (*RIGHTS, "paper") if isinstance(book, Game) else RIGHTS
        if right not in names:
            raise InvalidEvent
        withdrawn = {"withdrawn": True} if right == "paper" and "withdrawn" in event.payload else {}
        return Draft("secret", {"right": right, **withdrawn})

    def as_it_was(self, _: Book, event: Event) -> Draft:
        ((name, found),) = event.payload.items()
        what = sorted(set(found))
        if not what or name not in ("rounds", "games"):
            raise InvalidEvent
        if any(type(one) is not (int if name == "rounds" else str) for one in what):
            raise InvalidEvent
        self.marked.append((event.number, frozenset(what)))
        return Draft("as_it_was", {name: what})

    def erased(self, book: Any, event: Event, bearer: str, who: str) -> Draft:
        """Return the draft of an erased name, or of a name erased from other words."""
        if who in event.payload:
            number = event.payload[who]
            if type(number) is not int or not 0 <= number < len(book.players):
                raise InvalidEvent
            payload: dict[str, Any] = {who: number}
            emptied: str | None = f"{bearer}.{number}"
        else:
            private = {one for one in event.payload["fields"] if one.startswith(PRIVATE)}
            payload, emptied = {"fields": sorted(private | event.texts.keys())}, None
        for name, text in event.texts.items():
            if text if name == emptied else not (text and name in book.texts):
                raise InvalidEvent
        return Draft("erased", payload, {name: "" for name in event.texts})


@contextmanager
def at_event(event: Event) -> Any:
    """Add the event's path to errors raised while it is checked."""
    place: Where = ("events", event.number - 1)
    try:
        yield
    except RuleError as error:
        if error.problems[0].path[:1] in (("events",), ("texts",)):
            raise
        raise error.under(*place) from None
    except (InvalidEvent, ValidationError, *MALFORMED):
        facts = {"why": "event", "number": event.number}
        raise RuleError.of([Problem("E_IMPORT", facts, place)]) from None


def is_time(at: object) -> bool:
    """Return whether this is a time in the form of events."""
    if not isinstance(at, str) or not _TIME.fullmatch(at):
        return False
    try:
        datetime.fromisoformat(at)
    except ValueError:  # such as 30 February
        return False
    return ALL_TIMES[0] <= at < ALL_TIMES[1]


def erased_names(events: Iterable[Event]) -> frozenset[str]:
    """Return the name fields that are erased somewhere in a book."""
    return frozenset(
        name
        for event in events
        if event.kind in ERASING
        for name, text in event.texts.items()
        if not text
    )


TITLE, NAME, NOTE = PrintableText(0, 80), PrintableText(0, 40), PrintableText(0, 280)
WORDS: Mapping[str, PrintableText] = {
    "title": TITLE,
    "place": TITLE,
    "name": TITLE,
    "name.": NAME,
    "member.": NAME,
    "note.": NOTE,
    "given.": NOTE,
    "club.": NAME,
}
"""Validation of words by field, or by the prefix of a numbered field."""


def check_words(number: int, name: str, text: str) -> None:
    """Raise InvalidEvent or RuleError for words that no form would accept."""
    numbered = _NUMBERED.fullmatch(name)
    known = WORDS[f"{numbered[1]}." if numbered else name]
    try:
        written = known.deserialize(text)
    except ValidationError as error:
        raise form_error(error.messages).under("texts", str(number), name) from None
    if written != text:
        raise InvalidEvent


def check_rules(values: Any) -> RuleSet:
    """Return the rule set of a book; InvalidEvent or RuleError if nobody could have chosen it."""
    if set(values) != {"preset", "options"}:
        raise InvalidEvent
    rules = presets.decode_rules(values)
    if rules.family != presets.PRESETS[rules.preset].family:
        raise InvalidEvent
    if contradictions := tuple(inconsistencies(rules)):
        raise RuleError.of(contradictions)
    resolved = rules.resolved()
    for name, value in values["options"].items():
        if name not in resolved or canonical(value) != canonical(resolved[name]):
            raise InvalidEvent
        if isinstance(value, str) and unprintable(value):
            raise InvalidEvent
    return rules
