"""Validation of an imported group and its evenings, which ``imported_games`` checks first."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import MOST_SEATS, Draft, check_names
from scorekeeper.domain.game.state import Due, Game
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.state import (
    Booked,
    Group,
    Seating,
    encode_moves,
    moves_of,
    payments_to_book,
    still_to_book,
)
from scorekeeper.domain.history.book import Event, exact
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.i18n.printable import unprintable
from scorekeeper.services.import_checks import (
    MALFORMED,
    Bounds,
    Checked,
    Difference,
    InvalidEvent,
    Replay,
    check_rules,
)
from scorekeeper.services.imported_tournaments import TOURNAMENT
from scorekeeper.store.exports import BOOK_ID
from scorekeeper.wire.groups import MAX_MEMBERS, PaymentSchema, RateSchema
from scorekeeper.wire.strict import MAX_PROBLEMS, load


@dataclass(frozen=True)
class Tick:
    """A payment of an evening that a group booked."""

    event: int
    seating: Seating
    due: Due
    unit: str
    """That of the evening then, which can be corrected once nothing is paid any more."""
    moves: Any


@dataclass(frozen=True)
class CheckedGroup(Checked[Group]):
    """A valid group, and payments that its games still have to confirm."""

    ticks: Mapping[str, Sequence[Tick]] = field(default_factory=dict)
    marked: frozenset[int | str] = frozenset()
    """The games whose amounts were accepted as they were."""

    def about(self, game_id: str) -> "CheckedGroup":
        """Return the part about one evening, which is small enough to send to a worker."""
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


def check_group(book_id: str, events: Sequence[Event], bounds: Bounds) -> CheckedGroup:
    """Return the group of these events; RuleError for anything that scorekeeper would not write."""
    replay = GroupReplay(bounds, GROUP)
    group = replay.play(book_id, events, replay.begin)
    for game_id, booked in group.booked.items():
        if game_id not in group.evenings and booked.in_balances:
            facts = {"why": "left", "id": game_id}
            raise RuleError.of([Problem("E_IMPORT", facts, ("events",))])
    for game_id in group.tournament.games if group.tournament else ():
        if game_id not in group.evenings:
            raise RuleError.of([Problem("E_IMPORT", {"why": "table", "id": game_id}, ("events",))])
    ticks = {game_id: tuple(found) for game_id, found in replay.ticks.items()}
    marked = frozenset().union(*(what for _, what in replay.marked))
    return CheckedGroup(group, tuple(events), (), ticks, marked)


class GroupReplay(Replay[Group]):
    """The replay and validation of a group."""

    def __init__(self, bounds: Bounds, drafts: Mapping[str, Callable[..., Draft | None]]) -> None:
        super().__init__(bounds, drafts)
        self.ticks: dict[str, list[Tick]] = {}
        self.members = 0

    def begin(self, event: Event) -> None:
        """Check the first event: name, members, house rules."""
        count, house = event.payload["members"], event.payload["house"]
        if event.kind != "founded" or set(event.payload) != {"members", "house"}:
            raise InvalidEvent
        if type(count) is not int or not 0 <= count <= MAX_MEMBERS:
            raise InvalidEvent
        if house is not None:
            check_rules(house)
        check_names((self.name(event, f"member.{one}") for one in range(count)), "members")
        fields = ["name", *(f"member.{one}" for one in range(count))]
        if not event.texts.get("name"):
            raise InvalidEvent
        self.check_words(event, Draft("founded", texts=dict.fromkeys(fields, "")))

    def check(self, book: Any, event: Event) -> None:
        """Check an event, and that balances stay small enough to add up."""
        self.members += book.members
        most = self.bounds.members
        if most is not None and self.members > most:
            raise RuleError("E_IMPORT", ("events",), why="members")
        super().check(book, event)
        for move in event.payload.get("moves", ()):
            unit, amount = move[1], exact(move[2])
            if len(move) != 3 or type(move[0]) is not int or str(amount) != move[2]:
                raise InvalidEvent
            check_unit(unit)
            if len(move[2]) > group_changes.MAX_DIGITS:
                raise InvalidEvent

    def details(self, _: Group, event: Event) -> Draft:
        if not event.texts["name"]:
            raise InvalidEvent
        return group_changes.rename_group(event.texts["name"])

    def member(self, group: Group, event: Event) -> Draft:
        return group_changes.join(group, self.name(event, f"member.{group.members}"))

    def renamed(self, group: Group, event: Event) -> Draft:
        member = _member_of(event)
        return group_changes.rename_member(group, member, self.name(event, f"member.{member}"))

    def house(self, _: Group, event: Event) -> Draft:
        check_rules(event.payload["house"])
        return Draft("house", {"house": event.payload["house"]})

    def rating(self, group: Group, event: Event) -> Draft | None:
        on = event.payload["on"]
        if type(on) is not bool:
            raise InvalidEvent
        return group_changes.keep_rating(group, on)

    def game(self, group: Group, event: Event) -> Draft:
        """Return the draft of an evening, whose players may be new members."""
        payload = event.payload
        game_id, members = payload["game"], payload["members"]
        if not BOOK_ID.fullmatch(game_id) or type(payload["training"]) is not bool:
            raise InvalidEvent
        if not 2 <= len(members) <= MOST_SEATS or any(type(one) is not int for one in members):
            raise InvalidEvent
        new = [member for member in members if member >= group.members]
        names = {f"member.{member}": event.texts.get(f"member.{member}", "") for member in new}
        check_names((*group.players, *names.values()), "members")
        return group_changes.seat_members(game_id, members, payload["training"], names)

    def booked(self, group: Group, event: Event) -> Draft:
        """Return the draft of an evening's booking, which its game confirms later."""
        payload = event.payload
        game_id, unit, payable = payload["game"], payload["unit"], payload["payable"]
        before = group.booked.get(game_id)
        if before is None and game_id not in group.evenings:
            raise InvalidEvent
        if before is not None and not before.accepts(unit):
            raise InvalidEvent
        check_unit(unit)
        kind = OPTIONS["settle.payable"].kind
        if kind.write(kind.read(payable)) != payable or not payload["moves"]:
            raise InvalidEvent
        if any(move[1] != unit or not exact(move[2]) for move in payload["moves"]):
            raise InvalidEvent
        return Draft(
            "booked",
            {"game": game_id, "unit": unit, "payable": payable, "moves": payload["moves"]},
        )

    def paid(self, group: Group, event: Event) -> Draft:
        payload = event.payload
        if "due" not in payload:
            named = {name: payload[name] for name in ("from", "to", "amount", "unit")}
            note = event.texts.get(f"note.{event.number}", "")
            payment = load(PaymentSchema(), named)
            return group_changes.pay(group, note=note, **payment)
        payer, payee, amount = payload["due"]
        game_id, unit = payload["game"], payload["unit"]
        if not group.booked.get(game_id, Booked(unit)).accepts(unit):
            raise InvalidEvent
        due = (payer, payee, exact(amount))
        tick = Tick(event.number, group.evenings[game_id], due, unit, payload["moves"])
        self.ticks.setdefault(game_id, []).append(tick)
        named = {name: payload[name] for name in ("game", "unit", "moves")}
        return Draft("paid", {**named, "due": [int(payer), int(payee), str(due[2])]})

    def settled(self, group: Group, event: Event) -> Draft:
        unit = event.payload["unit"]
        check_unit(unit)
        due = tuple(
            Transfer(payer, payee, exact(amount))
            for payer, payee, amount in event.payload["transfers"]
        )
        if not group_changes.settles(group, unit, due):
            raise InvalidEvent
        return group_changes.settled_by(unit, due)

    def rate(self, _: Group, event: Event) -> Draft:
        payload = load(RateSchema(), event.payload)
        return group_changes.agree(payload["unit"], payload["into"], payload["rate"])

    def converted(self, group: Group, event: Event) -> Draft:
        return group_changes.convert(group, event.payload["unit"], event.payload["in"])

    def reversed(self, group: Group, event: Event) -> Draft:
        number = event.payload["number"]
        entry = self.earlier[number - 1]  # whichever it is: the draft has its own number
        if "game" not in entry.payload:
            return group_changes.reverse(group, entry)
        booked = group.booked.get(entry.payload["game"])
        if booked is None or not any(number in made for made in booked.paid.values()):
            raise InvalidEvent
        return group_changes.taken_back(entry)


GROUP: Mapping[str, Callable[..., Draft | None]] = {
    "details": GroupReplay.details,
    "secret": GroupReplay.secret,
    "member": GroupReplay.member,
    "renamed": GroupReplay.renamed,
    "retired": lambda _, group, event: group_changes.retire(group, _member_of(event)),
    "reinstated": lambda _, group, event: group_changes.bring_back(group, _member_of(event)),
    "erased": lambda replay, group, event: replay.erased(group, event, "member", "member"),
    "house": GroupReplay.house,
    "rating": GroupReplay.rating,
    "game": GroupReplay.game,
    "left": lambda _, group, event: group_changes.leave(group, event.payload["game"]),
    "booked": GroupReplay.booked,
    "paid": GroupReplay.paid,
    "settled": GroupReplay.settled,
    "prizes": lambda _, group, event: group_changes.book_prizes(group),
    "rate": GroupReplay.rate,
    "converted": GroupReplay.converted,
    "reversed": GroupReplay.reversed,
    "as_it_was": GroupReplay.as_it_was,
    **TOURNAMENT,
}


def _member_of(event: Event) -> int:
    member = event.payload["member"]
    if type(member) is not int:
        raise InvalidEvent
    return member


def check_unit(unit: Any) -> None:
    """Raise InvalidEvent for a unit of money that no game could have."""
    if OPTIONS["settle.unit"].kind.read(unit) != unit or unprintable(unit):
        raise InvalidEvent


def check_evening(checked: CheckedGroup, evening: Checked[Game]) -> tuple[Difference, ...]:
    """Compare a game with what its group booked for it.

    Raises RuleError for payments that the game does not have; amounts that differ today are
    returned as differences.
    """
    group, game = checked.book, evening.book
    booked = group.booked.get(game.id, Booked(game.rules.settle.unit))
    in_book = Counter({due: len(entries) for due, entries in booked.paid.items()})
    ticked = Counter(
        (event.payload["from"], event.payload["to"], exact(event.payload["amount"]))
        for event in evening.events
        if event.kind == "paid"
    )
    good = booked.accepts(game.rules.settle.unit) and in_book <= ticked
    if good and game.is_over:  # up to version 1.1 payments were booked at the end
        good = in_book == Counter(payments_to_book(game, group.evenings[game.id]))
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
        moves = moves_of(game, tick.seating, tick.due)
        return encode_moves((member, tick.unit, amount) for member, _, amount in moves)
    except MALFORMED:
        return None


def _misbooked(group: Group, game: Game) -> Iterable[Problem]:
    """Yield where the booked balances differ from an evening's result today."""
    booked = group.booked.get(game.id, Booked("")).amounts
    for member, _, change in still_to_book(group, game)[:MAX_PROBLEMS]:
        before = booked.get(member, Fraction())
        values = {"stored": before, "now": before + change}
        name = group.texts.get(f"member.{member}") or f"#{member + 1}"
        about: dict[str, object] = {"why": "booked", "game": game.id, "player": name}
        yield Problem("E_IMPORT_DIFFERS", {**about, **values})
