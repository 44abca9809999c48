"""Validation of imported games and groups.

An imported book is replayed. Every event must be the one that the use case of its kind
would have written at that point (``changes``, ``group_changes``), and its words must be
ones that the forms accept. Rounds are scored again with today's rules: a difference is
collected, not refused here, since the table may want to keep what it once agreed on.

The order of events is that of their numbers. Their times only have to be times: the clock
of another machine may have been set back.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, Generic, TypeVar

from marshmallow import ValidationError

from scorekeeper.domain import changes, group_changes, presets
from scorekeeper.domain.book import PRIVATE, Book, Event, exact
from scorekeeper.domain.changes import Draft, check_names, check_players
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game import Account, Due, Game
from scorekeeper.domain.group import (
    Booked,
    Group,
    Seating,
    amounts_of,
    moves_of,
    still_to_book,
    stored,
)
from scorekeeper.domain.options import DRAW, OPTIONS, RuleSet, inconsistencies
from scorekeeper.domain.record import checked_score, decode_score, encode_round, encode_score
from scorekeeper.domain.replay import BEGIN
from scorekeeper.domain.rounds import Round, SeatScore
from scorekeeper.domain.settlement import Transfer
from scorekeeper.i18n.printable import unprintable
from scorekeeper.store.chain import as_kept, canonical
from scorekeeper.wire.schemas import (
    MOST_MEMBERS,
    PaymentSchema,
    Printed,
    RateSchema,
    load_round,
)
from scorekeeper.wire.strict import MOST_PROBLEMS, form_error, load

B = TypeVar("B", bound=Book)
BROKEN = (
    *(LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, RecursionError, AssertionError),
)
"""Raised by code that meets a value of a kind that nobody here would have written."""
ALL_TIMES = "1900", "9999"
"""From the first of these years up to the second: no time zone leads out of the calendar."""
RIGHTS = ("pen", "watch")
WRITERS = ("pen", "host")
MOST_KEY = 100
MOST_BITS = 4096
"""Of a numerator or denominator of a balance; rates and payments of years need a tenth."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_GAME_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
_NUMBERED = re.compile(r"(name|member|note)\.(0|[1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True)
class Bounds:
    """How much one import may hold; None: as much as there is."""

    events: int | None = None
    """In one book."""
    tallies: int | None = None
    """Rounds that one replay tallies, those of corrections again and again."""
    members: int | None = None
    """The members of a group, counted again at every event: names are compared with all others."""


NETWORK = Bounds(events=20_000, tallies=20_000, members=4_000_000)
"""Ten times the longest group anybody keeps. So many events, tallies or members take a second:
20,000 events among 200 members, or 2,800 who join one by one."""
HOST = Bounds()
"""Whoever runs the machine may take in whatever fits on it."""


@dataclass(frozen=True)
class Difference:
    """A result that today's rules give otherwise."""

    event: int
    """Where it stands; 0: in the book as a whole."""
    what: int | str
    """The number of the round, or the id of the game."""
    problem: Problem


@dataclass(frozen=True)
class Checked(Generic[B]):
    """A book that may come in, and where its results differ from today's."""

    book: B
    events: tuple[Event, ...]
    differences: tuple[Difference, ...] = ()
    """None that the book is marked for already."""


class NotOurs(Exception):
    """An event that nobody could have written here."""


# ---- what all books share ------------------------------------------------------------


@dataclass
class _Replay(Generic[B]):
    """One book as it is replayed and checked, event by event."""

    bounds: Bounds
    drafts: Mapping[str, Callable[..., "Draft | None"]]
    gone: frozenset[str] = frozenset()
    """Names that a later event erases: they are missing where they were given."""
    keys: set[str] = field(default_factory=set)
    tallies: int = 0
    differences: list[Difference] = field(default_factory=list)
    marked: list[tuple[int, frozenset[int | str]]] = field(default_factory=list)
    """Events that took differences as they were: their number, and which."""
    earlier: list[Event] = field(default_factory=list)

    def play(self, book_id: str, events: Sequence[Event], begin: Callable[[Event], None]) -> B:
        """The book, with every event checked; RuleError at the first that cannot be."""
        most = self.bounds.events
        if most is not None and len(events) > most:
            raise RuleError("E_IMPORT", ("events",), why="events", count=len(events), most=most)
        self.gone = erased_names(events)
        with _at(events[0]):
            self.check_form(events[0])
            begin(events[0])
            book: Any = BEGIN[events[0].kind](book_id, events[0])
            self.earlier.append(events[0])
        for event in events[1:]:
            with _at(event):
                self.check_form(event)
                self.check(book, event)
                book = book.apply(event)
                self.earlier.append(event)
        return book  # type: ignore[no-any-return]

    def check_form(self, event: Event) -> None:
        """When, by whom, and the key of the request."""
        if not is_time(event.at) or event.by not in WRITERS:
            raise NotOurs
        for text in (event.key, event.digest):
            if text is not None and not (0 < len(text) <= MOST_KEY and _plain(text)):
                raise NotOurs
        if event.key is not None:
            if event.key in self.keys:
                raise NotOurs
            self.keys.add(event.key)

    def check(self, book: Any, event: Event) -> None:
        """One event after the first: what its use case would have written now."""
        draft = self.drafts[event.kind](self, book, event)
        if draft is None or canonical(draft.payload) != canonical(event.payload):
            raise NotOurs
        self.check_words(event, draft)

    def check_words(self, event: Event, draft: Draft) -> None:
        """The words of an event: those that belong to it, as the forms accept them."""
        for name, text in event.texts.items():
            if name not in draft.texts or name.startswith(PRIVATE):
                raise NotOurs
            check_words(event.number, name, text)

    def name(self, event: Event, field_name: str) -> str:
        """A name that an event gives; empty only where it was erased later."""
        name = event.texts.get(field_name, "")
        if not name and field_name not in self.gone:
            raise NotOurs
        return name

    def count(self, tallies: int) -> None:
        """Count work; RuleError where it is more than one import may make."""
        self.tallies += tallies
        most = self.bounds.tallies
        if most is not None and self.tallies > most:
            raise RuleError("E_IMPORT", ("events",), why="work")

    def unmarked(self) -> tuple[Difference, ...]:
        """The differences for which the book is not marked already."""
        return tuple(
            one
            for one in self.differences
            if not any(one.event < number and one.what in what for number, what in self.marked)
        )

    def secret(self, _: Book, event: Event) -> Draft:
        if event.payload["right"] not in RIGHTS:
            raise NotOurs
        return Draft("secret", {"right": event.payload["right"]})

    def as_it_was(self, _: Book, event: Event) -> Draft:
        ((name, found),) = event.payload.items()
        what = sorted(set(found))
        if not what or name not in ("rounds", "games"):
            raise NotOurs
        if any(type(one) is not (int if name == "rounds" else str) for one in what):
            raise NotOurs
        self.marked.append((event.number, frozenset(what)))
        return Draft("as_it_was", {name: what})

    def erased(self, book: Any, event: Event, bearer: str, who: str) -> Draft:
        """A name taken off the disk, or out of other words."""
        if who in event.payload:
            number = event.payload[who]
            if type(number) is not int or not 0 <= number < len(book.players):
                raise NotOurs
            payload: dict[str, Any] = {who: number}
            emptied: str | None = f"{bearer}.{number}"
        else:
            payload, emptied = {"fields": sorted(event.texts)}, None
        for name, text in event.texts.items():
            if text if name == emptied else not (text and name in book.texts):
                raise NotOurs
        return Draft("erased", payload, {name: "" for name in event.texts})


@contextmanager
def _at(event: Event) -> Any:
    """Say at which event something was found."""
    place: Where = ("events", event.number - 1)
    try:
        yield
    except RuleError as error:
        if error.problems[0].path[:1] in (("events",), ("texts",)):
            raise
        raise error.under(*place) from None
    except (NotOurs, ValidationError, *BROKEN):
        facts = {"why": "event", "number": event.number}
        raise RuleError.of([Problem("E_IMPORT", facts, place)]) from None


def is_time(at: object) -> bool:
    """Whether this is a time as events have it."""
    if not isinstance(at, str) or not _TIME.fullmatch(at):
        return False
    try:
        datetime.fromisoformat(at)
    except ValueError:  # the thirtieth of February
        return False
    return ALL_TIMES[0] <= at < ALL_TIMES[1]


def erased_names(events: Iterable[Event]) -> frozenset[str]:
    """The fields of names that are erased somewhere in a book."""
    return frozenset(
        name
        for event in events
        if event.kind == "erased"
        for name, text in event.texts.items()
        if not text
    )


def _plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


TITLE, NAME, NOTE = Printed(0, 80), Printed(0, 40), Printed(0, 280)
WORDS: Mapping[str, Printed] = {
    "title": TITLE,
    "place": TITLE,
    "name": TITLE,
    "name.": NAME,
    "member.": NAME,
    "note.": NOTE,
}
"""By field, or by what a numbered field begins with: how its words are written."""


def check_words(number: int, name: str, text: str) -> None:
    """NotOurs or RuleError for words that no form would have accepted so."""
    numbered = _NUMBERED.fullmatch(name)
    known = WORDS[f"{numbered[1]}." if numbered else name]
    try:
        written = known.deserialize(text)
    except ValidationError as error:
        raise form_error(error.messages).under("texts", str(number), name) from None
    if written != text:
        raise NotOurs


def check_rules(values: Any) -> RuleSet:
    """The rule set that a book was begun with; NotOurs or RuleError for one nobody can choose."""
    if set(values) != {"preset", "options"}:
        raise NotOurs
    rules = presets.kept(values)
    if rules.family != presets.PRESETS[rules.preset].family:
        raise NotOurs
    if contradictions := tuple(inconsistencies(rules)):
        raise RuleError.of(contradictions)
    resolved = rules.resolved()
    for name, value in values["options"].items():
        if name not in resolved or canonical(value) != canonical(resolved[name]):
            raise NotOurs
        if isinstance(value, str) and unprintable(value):
            raise NotOurs
    return rules


# ---- games ---------------------------------------------------------------------------


def check_game(book_id: str, events: Sequence[Event], bounds: Bounds = NETWORK) -> Checked[Game]:
    """The game that these events make; RuleError for what nobody could have written here."""
    replay = _GameReplay(bounds, GAME)
    game = replay.play(book_id, events, replay.begin)
    replay.count(game.sheet.untallied)
    return Checked(game, tuple(events), replay.unmarked())


class _GameReplay(_Replay[Game]):
    """A game as it is replayed and checked."""

    def begin(self, event: Event) -> None:
        """The first event: rules, players, title and place."""
        about = dict(event.payload)
        rules, count = check_rules(about.pop("rules")), about.pop("players")
        if event.kind != "created" or type(count) is not int:
            raise NotOurs
        changes.check_count(rules, count)
        names = tuple(self.name(event, f"name.{seat}") for seat in range(count))
        check_players(rules, names)
        drawn = rules.deal.first_dealer == DRAW
        if drawn != ("dealer" in about):
            raise NotOurs
        for name, value in about.items():
            if not ORIGINS[name](value, count):
                raise NotOurs
        fields = ["title", "place", *(f"name.{seat}" for seat in range(count))]
        self.check_words(event, Draft("created", texts=dict.fromkeys(fields, "")))

    def player(self, game: Game, event: Event) -> Draft:
        return changes.seat_player(game, self.name(event, f"name.{game.sheet.seats}"))

    def details(self, _: Game, event: Event) -> Draft:
        fields = event.payload["fields"]
        if not fields or sorted(fields) != sorted(event.texts):
            raise NotOurs
        if not set(fields) <= {"title", "place"}:
            raise NotOurs
        return changes.describe({name: event.texts[name] for name in fields})

    def erase(self, game: Game, event: Event) -> Draft:
        return self.erased(game, event, "name", "seat")

    def account(self, game: Game, event: Event) -> Draft:
        kept = Account("", "-") if event.payload["kept"] is True else None
        side = event.payload["side"]
        if type(side) is not int:
            raise NotOurs
        return changes.keep_account(game, side, kept)

    def end(self, game: Game, _: Event) -> Draft | None:
        return changes.end(self.looked_at(game))

    def reopen(self, game: Game, _: Event) -> Draft | None:
        return changes.reopen(self.looked_at(game))

    def round(self, game: Game, event: Event) -> Draft:
        return self.written(game, event, changes.next_round(self.looked_at(game)))

    def corrected(self, game: Game, event: Event) -> Draft:
        return self.written(game, event, game.sheet.as_written(event.payload["number"]).number)

    def written(self, game: Game, event: Event, number: int) -> Draft:
        """A round with its score; where today's is another one, that is remembered."""
        facts = load_round(event.payload["round"]).round
        score = event.payload["score"]
        problems = differences(game, number, facts, score)
        self.differences += (Difference(event.number, number, one) for one in problems)
        facts = replace(facts, note="")
        payload = {"number": number, "round": encode_round(facts), "score": score}
        return Draft(event.kind, payload, {f"note.{number}": ""})

    def struck(self, game: Game, event: Event) -> Draft | None:
        return changes.strike(game, event.payload["number"])

    def restored(self, game: Game, event: Event) -> Draft | None:
        return changes.restore(game, event.payload["number"])

    def ticked(self, game: Game, event: Event) -> Draft | None:
        said = event.payload
        self.count(len(game.sheet.written))
        due = Transfer(said["from"], said["to"], exact(said["amount"]))
        return changes.tick(self.looked_at(game), due, event.kind == "paid")

    def looked_at(self, game: Game) -> Game:
        """A game after a look at whether it is over, and what that look had to tally."""
        untallied = game.sheet.untallied
        _ = game.is_over
        self.count(untallied - game.sheet.untallied)
        return game


ORIGINS: Mapping[str, Callable[[Any, int], bool]] = {
    "dealer": lambda seat, seats: type(seat) is int and 0 <= seat < seats,
    "typed": lambda at, _: is_time(at),
}
"""What else the first event of a game may say."""
GAME: Mapping[str, Callable[..., Draft | None]] = {
    "round": _GameReplay.round,
    "corrected": _GameReplay.corrected,
    "struck": _GameReplay.struck,
    "restored": _GameReplay.restored,
    "player": _GameReplay.player,
    "details": _GameReplay.details,
    "account": _GameReplay.account,
    "erased": _GameReplay.erase,
    "secret": _GameReplay.secret,
    "ended": _GameReplay.end,
    "reopened": _GameReplay.reopen,
    "paid": _GameReplay.ticked,
    "unpaid": _GameReplay.ticked,
    "as_it_was": _GameReplay.as_it_was,
}


def differences(game: Game, number: int, facts: Round, score: Any) -> list[Problem]:
    """Where the stored score of a round is not the one that today's rules give.

    Points are compared, and who won; warnings, marks and the wording of lines may change
    from one version to the next. Raises what a malformed score makes the reader raise.
    """
    try:
        now = changes.price(game, facts)
    except RuleError as error:
        if error.problems[0].code == "E_FORM" or len(facts.seats) not in (0, game.sheet.seats):
            raise
        checked_score(score, facts, game.sheet.seats, game.sheet.sides)
        told = {"why": "refused", "round": number, "refused": error.problems[0].code}
        return [Problem("E_IMPORT_DIFFERS", told)]
    if canonical(as_kept(encode_score(now))) == canonical(score):
        return []
    checked_score(score, facts, game.sheet.seats, game.sheet.sides)
    then = decode_score(score)
    names = game.called(lambda seat: f"#{seat + 1}").sides
    found = [
        Problem("E_IMPORT_DIFFERS", {"round": number, "player": names[side], **values})
        for side, (before, after) in enumerate(zip(then.scores, now.scores, strict=True))
        for values in _unequal(before, after)
    ]
    if not found and (then.winner, then.outcome) != (now.winner, now.outcome):
        winners = {
            "stored": _winner(then.winner, names),
            "now": _winner(now.winner, names),
        }
        found.append(Problem("E_IMPORT_DIFFERS", {"why": "winner", "round": number, **winners}))
    return found


def _unequal(before: SeatScore | None, after: SeatScore | None) -> Iterable[dict[str, object]]:
    """The first tally in which two scores of a seat differ, with both values."""
    if before == after:
        return
    for tally in ("minus", "plus", "reduction", "league"):
        values = tuple(None if one is None else getattr(one, tally) for one in (before, after))
        if values[0] != values[1]:
            yield {"stored": values[0], "now": values[1], "tally": tally}
            return


def _winner(side: int | None, names: Sequence[str]) -> str | None:
    return None if side is None else names[side]


# ---- groups --------------------------------------------------------------------------


@dataclass(frozen=True)
class Tick:
    """A payment of an evening that a group booked."""

    event: int
    seating: Seating
    due: Due
    moves: Any


@dataclass(frozen=True)
class CheckedGroup(Checked[Group]):
    """A group, and what its evenings still have to confirm."""

    ticks: Mapping[str, Sequence[Tick]] = field(default_factory=dict)
    marked: frozenset[int | str] = frozenset()
    """The games whose amounts it took as they were."""

    def about(self, game_id: str) -> "CheckedGroup":
        """What concerns one evening: enough to check it, and little to send to a worker."""
        seating, booked = self.book.evenings[game_id], self.book.booked.get(game_id)
        members = {*seating.members, *(booked.amounts if booked else ())}
        named = {name: self.book.texts.get(name, "") for name in map("member.{}".format, members)}
        book = Group(
            id=self.book.id,
            texts=named,
            members=self.book.members,
            evenings={game_id: seating},
            booked={game_id: booked} if booked else {},
        )
        ticks = {game_id: self.ticks.get(game_id, ())}
        return CheckedGroup(book, (), (), ticks, self.marked & {game_id})


def check_group(book_id: str, events: Sequence[Event], bounds: Bounds = NETWORK) -> CheckedGroup:
    """The group that these events make; RuleError for what nobody could have written here."""
    replay = _GroupReplay(bounds, GROUP)
    group = replay.play(book_id, events, replay.begin)
    for game_id, booked in group.booked.items():
        if game_id not in group.evenings and (any(booked.amounts.values()) or booked.paid):
            facts = {"why": "left", "id": game_id}
            raise RuleError.of([Problem("E_IMPORT", facts, ("events",))])
    ticks = {game_id: tuple(found) for game_id, found in replay.ticks.items()}
    marked = frozenset().union(*(what for _, what in replay.marked))
    return CheckedGroup(group, tuple(events), (), ticks, marked)


class _GroupReplay(_Replay[Group]):
    """A group as it is replayed and checked."""

    def __init__(self, bounds: Bounds, drafts: Mapping[str, Callable[..., Draft | None]]) -> None:
        super().__init__(bounds, drafts)
        self.ticks: dict[str, list[Tick]] = {}
        self.members = 0

    def begin(self, event: Event) -> None:
        """The first event: name, members, house rules."""
        count, house = event.payload["members"], event.payload["house"]
        if event.kind != "founded" or set(event.payload) != {"members", "house"}:
            raise NotOurs
        if type(count) is not int or not 0 <= count <= MOST_MEMBERS:
            raise NotOurs
        if house is not None:
            check_rules(house)
        check_names((self.name(event, f"member.{one}") for one in range(count)), "members")
        fields = ["name", *(f"member.{one}" for one in range(count))]
        if not event.texts.get("name"):
            raise NotOurs
        self.check_words(event, Draft("founded", texts=dict.fromkeys(fields, "")))

    def check(self, book: Any, event: Event) -> None:
        """As for every book; and no balance grows beyond what can be added up."""
        self.members += book.members
        most = self.bounds.members
        if most is not None and self.members > most:
            raise RuleError("E_IMPORT", ("events",), why="members")
        super().check(book, event)
        for move in event.payload.get("moves", ()):
            unit, amount = move[1], exact(move[2])
            if len(move) != 3 or type(move[0]) is not int or str(amount) != move[2]:
                raise NotOurs
            check_unit(unit)
            if len(move[2]) > group_changes.MOST_DIGITS:
                raise NotOurs

    def details(self, _: Group, event: Event) -> Draft:
        if not event.texts["name"]:
            raise NotOurs
        return group_changes.call(event.texts["name"])

    def member(self, group: Group, event: Event) -> Draft:
        return group_changes.join(group, self.name(event, f"member.{group.members}"))

    def renamed(self, group: Group, event: Event) -> Draft:
        member = event.payload["member"]
        if type(member) is not int:
            raise NotOurs
        return group_changes.rename(group, member, self.name(event, f"member.{member}"))

    def erase(self, group: Group, event: Event) -> Draft:
        return self.erased(group, event, "member", "member")

    def house(self, _: Group, event: Event) -> Draft:
        check_rules(event.payload["house"])
        return Draft("house", {"house": event.payload["house"]})

    def game(self, group: Group, event: Event) -> Draft:
        """An evening; its players may be new members."""
        said = event.payload
        game_id, members = said["game"], said["members"]
        if not _GAME_ID.fullmatch(game_id) or type(said["training"]) is not bool:
            raise NotOurs
        if not 2 <= len(members) <= 6 or any(type(one) is not int for one in members):
            raise NotOurs
        new = [member for member in members if member >= group.members]
        names = {f"member.{member}": event.texts.get(f"member.{member}", "") for member in new}
        check_names((*group.players, *names.values()), "members")
        return group_changes.seat_members(game_id, members, said["training"], names)

    def left(self, group: Group, event: Event) -> Draft:
        return group_changes.leave(group, event.payload["game"])

    def booked(self, group: Group, event: Event) -> Draft:
        """What an evening brings; the evening itself confirms it in the end."""
        said = event.payload
        game_id, unit, payable = said["game"], said["unit"], said["payable"]
        before = group.booked.get(game_id)
        if before is None and game_id not in group.evenings:
            raise NotOurs
        if before is not None and before.unit != unit:
            raise NotOurs
        check_unit(unit)
        kind = OPTIONS["settle.payable"].kind
        if kind.write(kind.read(payable)) != payable or not said["moves"]:
            raise NotOurs
        if any(move[1] != unit or not exact(move[2]) for move in said["moves"]):
            raise NotOurs
        return Draft(
            "booked",
            {"game": game_id, "unit": unit, "payable": payable, "moves": said["moves"]},
        )

    def paid(self, group: Group, event: Event) -> Draft:
        said = event.payload
        if "due" not in said:
            named = {name: said[name] for name in ("from", "to", "amount", "unit")}
            note = event.texts.get(f"note.{event.number}", "")
            payment = load(PaymentSchema(), named)
            return group_changes.pay(
                group, payment["payer"], payment["payee"], payment["amount"], payment["unit"], note
            )
        payer, payee, amount = said["due"]
        seating = group.evenings[said["game"]]
        due = (payer, payee, exact(amount))
        if due in group.booked.get(said["game"], Booked(said["unit"])).paid:
            raise NotOurs
        tick = Tick(event.number, seating, due, said["moves"])
        self.ticks.setdefault(said["game"], []).append(tick)
        named = {name: said[name] for name in ("game", "unit", "moves")}
        return Draft("paid", {**named, "due": [payer, payee, str(due[2])]})

    def settled(self, group: Group, event: Event) -> Draft:
        unit = event.payload["unit"]
        check_unit(unit)
        due = tuple(
            Transfer(payer, payee, exact(amount))
            for payer, payee, amount in event.payload["transfers"]
        )
        if not group_changes.settles(group, unit, due):
            raise NotOurs
        return group_changes.settled_by(unit, due)

    def rate(self, _: Group, event: Event) -> Draft:
        said = load(RateSchema(), event.payload)
        return group_changes.agree(said["unit"], said["into"], said["rate"])

    def converted(self, group: Group, event: Event) -> Draft:
        return group_changes.convert(group, event.payload["unit"], event.payload["in"])

    def reversed(self, group: Group, event: Event) -> Draft:
        number = event.payload["number"]
        if type(number) is not int or not 1 <= number < event.number:
            raise NotOurs
        entry = self.earlier[number - 1]
        if "game" not in entry.payload:
            return group_changes.reverse(group, entry)
        booked = group.booked.get(entry.payload["game"])
        if booked is None or number not in booked.paid.values():
            raise NotOurs
        return group_changes.taken_back(entry)


GROUP: Mapping[str, Callable[..., Draft | None]] = {
    "details": _GroupReplay.details,
    "secret": _GroupReplay.secret,
    "member": _GroupReplay.member,
    "renamed": _GroupReplay.renamed,
    "erased": _GroupReplay.erase,
    "house": _GroupReplay.house,
    "game": _GroupReplay.game,
    "left": _GroupReplay.left,
    "booked": _GroupReplay.booked,
    "paid": _GroupReplay.paid,
    "settled": _GroupReplay.settled,
    "rate": _GroupReplay.rate,
    "converted": _GroupReplay.converted,
    "reversed": _GroupReplay.reversed,
    "as_it_was": _GroupReplay.as_it_was,
}


def check_unit(unit: Any) -> None:
    """NotOurs for a unit of money that no game could have."""
    if OPTIONS["settle.unit"].kind.read(unit) != unit or unprintable(unit):
        raise NotOurs


def check_evening(checked: CheckedGroup, evening: Checked[Game]) -> tuple[Difference, ...]:
    """Hold a game to what its group booked of it.

    Raises RuleError for payments that the game does not know; amounts that today come out
    otherwise are differences.
    """
    group, game = checked.book, evening.book
    booked = group.booked.get(game.id, Booked(game.rules.settle.unit))
    ticked = {
        (one.payload["from"], one.payload["to"], exact(one.payload["amount"]))
        for one in evening.events
        if one.kind == "paid"
    }
    good = booked.unit == game.rules.settle.unit and booked.paid.keys() <= ticked
    if good and game.is_over:
        training = group.evenings[game.id].training
        good = booked.paid.keys() == (set() if training else set(game.paid))
    for tick in checked.ticks.get(game.id, ()):
        good = good and tick.moves == _moves(game, tick)
    if not good:
        raise RuleError.of([Problem("E_IMPORT", {"why": "left", "id": game.id}, ("events",))])
    return tuple(
        Difference(0, game.id, problem)
        for problem in _misbooked(group, game)
        if game.id not in checked.marked
    )


def _moves(game: Game, tick: Tick) -> Any:
    try:
        return stored(moves_of(game, tick.seating, tick.due))
    except BROKEN:
        return None


def _misbooked(group: Group, game: Game) -> Iterable[Problem]:
    """Where the balances of a group are not what an evening comes to today."""
    booked = group.booked.get(game.id, Booked("")).amounts
    now = amounts_of(game, group.evenings[game.id])
    for member, _, _ in still_to_book(group, game)[:MOST_PROBLEMS]:
        values = {
            "stored": booked.get(member, Fraction()),
            "now": now.get(member, Fraction()),
        }
        name = group.texts.get(f"member.{member}") or f"#{member + 1}"
        about: dict[str, object] = {"why": "booked", "game": game.id, "player": name}
        yield Problem("E_IMPORT_DIFFERS", {**about, **values})
