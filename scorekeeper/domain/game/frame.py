"""The frame of an evening: everything around its rounds, and how it may be corrected.

A correction obeys the same checks as a new game. It is one event, and only what it changes is in
its payload, so the event also says what was changed. Title and place alone are an event of their
own, ``details``, which earlier versions understand too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft, check_count, check_names, check_sides, describe
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import decode_rules

NAME = "name."
FROM_THE_START = ("teams", "score.mode", "end.eliminate", "gin.box_at", "gin.hollywood")
"""Options that no round may be played before: they say whose points are added up, and which, and
who plays on."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What is to be corrected in the frame of an evening; the rest stays as it is."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Title and place, by these names."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Names of players, by seat."""
    began: str | None = None
    """When the evening began, UTC."""
    order: tuple[int, ...] | None = None
    """All seats clockwise, from the next round on."""
    dealers: Mapping[int, int] = field(default_factory=dict)
    """The seats that really dealt, by round. The next round and the first one may be named
    before they are dealt."""
    rules: RuleSet | None = None
    """Stake and house rules: a stake for the whole evening, rules for the rounds to come."""

    @property
    def texts(self) -> dict[str, str]:
        """The texts, by field."""
        return {**self.words, **{f"name.{seat}": name for seat, name in self.names.items()}}


def read_frame(event: Event) -> Frame:
    """Return the frame that an event corrects; a name that was erased since is empty."""
    about, texts = event.payload, event.texts
    fields = about.get("fields", ())
    rules = about.get("rules")
    return Frame(
        words={name: texts.get(name, "") for name in fields if not name.startswith(NAME)},
        names={
            int(name.removeprefix(NAME)): texts.get(name, "")
            for name in fields
            if name.startswith(NAME)
        },
        began=about.get("began"),
        order=tuple(about["order"]) if "order" in about else None,
        dealers=dict(about.get("dealers", ())),
        rules=None if rules is None else decode_rules(rules),
    )


def changed(game: Game, frame: Frame) -> Frame:
    """Return the parts of a frame that differ from the game as it is."""
    sheet = game.sheet
    return Frame(
        words={name: text for name, text in frame.words.items() if game.texts.get(name) != text},
        names={
            seat: name
            for seat, name in frame.names.items()
            if game.texts.get(f"name.{seat}") != name
        },
        began=None if frame.began == game.created_at else frame.began,
        order=None if frame.order == sheet.clockwise else frame.order,
        dealers={
            number: seat
            for number, seat in frame.dealers.items()
            if not _deals_already(game, number, seat)
        },
        rules=None if frame.rules == game.rules else frame.rules,
    )


def _deals_already(game: Game, number: int, seat: int) -> bool:
    rows = game.sheet.rows
    if number == len(rows) + 1:
        return game.sheet.next_deal.dealer == seat
    return 1 <= number <= len(rows) and rows[number - 1].dealer == seat


def correct_frame(game: Game, frame: Frame, at: str) -> Draft | None:
    """Return the event that corrects the frame of an evening; None if there is nothing to correct.

    Raises RuleError E_FRAME, at the part that is wrong, for what cannot be, or no longer; E_FORM
    for two players of one name; E_CONFIG for rules that do not allow so many players.
    """
    if frame == Frame():
        return None
    if frame == Frame(words=frame.words):
        return describe(frame.words)
    return Draft("frame", dict(_payload(game, frame, at)), frame.texts)


def for_three(game: Game, at: str) -> Draft | None:
    """Return the event that lets a third player join two at gin, of whom each sits out in turn.

    Like all house rules it counts from the next round on. Raises RuleError as ``correct_frame``.
    """
    rules = game.rules.override({"players.max": 3, "gin.sits_out": "turn"})
    return correct_frame(game, Frame(rules=rules), at)


def _payload(game: Game, frame: Frame, at: str) -> Iterator[tuple[str, Any]]:
    if frame.texts:
        _check_seats(game, frame.names)
        yield "fields", sorted(frame.texts)
    if frame.began is not None:
        if frame.began > at:
            raise RuleError("E_FRAME", ("began",), why="future")
        yield "began", frame.began
    if frame.order is not None:
        _check_order(game, frame.order)
        yield "order", list(frame.order)
    if frame.dealers:
        for number, seat in frame.dealers.items():
            _check_dealer(game, number, seat)
        yield "dealers", [[number, seat] for number, seat in sorted(frame.dealers.items())]
    if frame.rules is not None:
        _check_rules(game, frame.rules)
        yield "rules", options.encode_rules(frame.rules)


def _check_seats(game: Game, names: Mapping[int, str]) -> None:
    players = [*game.players]
    for seat, name in names.items():
        if not 0 <= seat < len(players):
            raise RuleError("E_FRAME", ("players", seat), why="seat", seats=len(players))
        players[seat] = name
    check_names(players, "players")


def _check_order(game: Game, order: tuple[int, ...]) -> None:
    seats = range(game.sheet.seats)
    if sorted(order) != list(seats):
        raise RuleError("E_FRAME", ("order",), why="order", seats=len(seats))
    if game.rules.teams and any((one - other) % 2 == 0 for one, other in pairwise(order)):
        raise RuleError("E_FRAME", ("order",), why="partners")


def _check_dealer(game: Game, number: int, seat: int) -> None:
    sheet, path = game.sheet, ("dealers",)
    if not 1 <= number <= len(sheet.written) + 1:
        raise RuleError("E_FRAME", path, why="round", rounds=len(sheet.written) + 1)
    if not 0 <= seat < sheet.seats:
        raise RuleError("E_FRAME", path, why="seat", seats=sheet.seats)
    played = number <= len(sheet.written) and not game.rules.teams
    if played and sheet.as_written(number).points(seat) is None and _is_scored(game, number):
        raise RuleError("E_FRAME", path, why="absent", seat=seat, number=number)


def _is_scored(game: Game, number: int) -> bool:
    """Return whether it is known who took part in a round: a void one need not say."""
    return any(score is not None for score in game.sheet.as_written(number).score.scores)


def _check_rules(game: Game, rules: RuleSet) -> None:
    if rules.preset != game.rules.preset:
        raise RuleError("E_FRAME", ("options",), why="preset")
    check_count(rules, len(game.sheet.at_table))
    check_sides(rules, game.sheet.seats)
    for name in rules.names():
        if rules[name] != game.rules[name] and (why := _why_not(game, name)):
            raise RuleError("E_FRAME", ("options", name), why=why, option=name)


def _why_not(game: Game, name: str) -> str:
    """Return why an option cannot be changed, or not any more; empty if it can."""
    if name == "deal.first_dealer":
        return "first_dealer"
    if name.startswith("settle.") and game.paid:
        return "paid"
    if name == "settle.unit" and game.is_over:  # its result may be booked in the old unit
        return "over"
    has_accounts = any(field.startswith("iban.") for field in game.texts)
    if name in FROM_THE_START and (game.sheet.written or (name == "teams" and has_accounts)):
        return "begun"
    return ""


# ---- throwing away -------------------------------------------------------------------

IN_THE_BIN = ("brought_back", "discarded", "erased", "secret")
"""The events that may follow after an evening was thrown away; after its end, only ``secret``."""


def check_open(book: object, kind: str) -> None:
    """Raise RuleError E_FRAME if the evening was thrown away and this event may not follow."""
    if not isinstance(book, Game) or book.thrown_away_at is None:
        return
    if kind not in IN_THE_BIN or (book.discarded and kind != "secret"):
        raise RuleError("E_FRAME", (), why="thrown_away")


def throw_away(game: Game) -> Draft | None:
    """Return the event that throws an evening away; None if it is."""
    return None if game.thrown_away_at else Draft("thrown_away")


def discard(game: Game) -> Draft | None:
    """Return the event that ends a thrown-away evening for good; None for any other evening."""
    names = {f"name.{seat}": "" for seat in range(game.sheet.seats)}
    return Draft("discarded", texts=names) if game.thrown_away_at else None


def bring_back(game: Game) -> Draft | None:
    """Return the event that brings an evening back; None if it was not thrown away."""
    return Draft("brought_back") if game.thrown_away_at else None
