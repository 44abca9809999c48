"""A game as the fold of its events: rounds, the end, what was paid."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from scorekeeper.domain.book import Book, Event, exact, unchanged
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.options import DRAW, OPTIONS, RuleSet
from scorekeeper.domain.presets import kept
from scorekeeper.domain.record import decode_round, decode_score
from scorekeeper.domain.rounds import Round, RoundScore
from scorekeeper.domain.settlement import Settlement, Transfer, settle, table_stakes
from scorekeeper.domain.sheet import Sheet


@dataclass(frozen=True)
class Account:
    """Where somebody wants to be paid."""

    holder: str
    iban: str


Due = tuple[int, int, Fraction]
"""Payer, payee, amount: what a tick in the settlement stands for."""


@dataclass(frozen=True, kw_only=True)
class Game(Book):
    """A game at one of its versions."""

    rules: RuleSet
    sheet: Sheet
    ended_by_hand: bool = False
    reopened: bool = False
    paid: Mapping[Due, str] = field(default_factory=dict)
    """Payments ticked as paid, with the time."""
    as_it_was: frozenset[int] = frozenset()
    """The rounds that were imported with points that the rules did not give them then."""

    @property
    def title(self) -> str:
        return self.texts.get("title", "")

    @property
    def place(self) -> str:
        return self.texts.get("place", "")

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat; an erased name is empty."""
        return tuple(self.texts.get(f"name.{seat}", "") for seat in range(self.sheet.seats))

    def called(self, stand_in: Callable[[int], str]) -> "Game":
        """The same game, each erased name shown as what stands in for its seat."""
        erased = [seat for seat, name in enumerate(self.players) if not name]
        names = {f"name.{seat}": stand_in(seat) for seat in erased}
        return replace(self, texts={**self.texts, **names}) if names else self

    @property
    def drawn_dealer(self) -> int | None:
        """The seat that was drawn by lot to deal first; None where nothing was drawn."""
        return self.sheet.first_dealer if self.rules.deal.first_dealer == DRAW else None

    @property
    def sides(self) -> tuple[str, ...]:
        """Who has a column: the players, or in teams both partners' names."""
        if not self.rules.teams:
            return self.players
        return tuple(" + ".join(self.players[side::2]) for side in range(2))

    def note(self, number: int) -> str:
        """What was written beside a round."""
        return self.texts.get(f"note.{number}", "")

    def account(self, side: int) -> Account | None:
        """The bank account that a side left, if it did."""
        iban = self.texts.get(f"iban.{side}")
        return Account(self.texts.get(f"holder.{side}", ""), iban) if iban else None

    @property
    def is_over(self) -> bool:
        """Whether no more rounds are expected: by the rules or by the players' word."""
        return self.ended_by_hand or (self.sheet.ending is not None and not self.reopened)

    @property
    def ended_early(self) -> bool:
        """Ended by hand although the rules name an end that was not reached (RULES 8.1)."""
        return self.ended_by_hand and self.rules.end.mode != "manual" and self.sheet.ending is None

    def settlement(self) -> Settlement | None:
        """Who pays whom as things stand; None where the rules settle nothing.

        Raises RuleError E_NOT_ZERO_SUM as ``settle`` does.
        """
        terms = self.rules.settle
        if not self.rules.settles:
            return None
        sides = range(self.sheet.sides)
        worths = [
            tuple(row.worth(side, terms.measure) for side in sides) for row in self.sheet.counted
        ]
        return settle(
            worths or [(0,) * len(sides)],
            mode=terms.mode,  # type: ignore[arg-type]  # a Choice of these words
            measure=terms.measure,  # type: ignore[arg-type]
            point_value=terms.point_value,
            payable=terms.payable,
            stakes=self._stakes() if terms.stake else None,
        )

    def _stakes(self) -> tuple[Fraction, ...]:
        """By side: its part in the stake of the table, zero until the game is over."""
        stake = self.rules.settle.stake if self.is_over else Fraction()
        return table_stakes(stake, self.sheet.ranks, seats=2 if self.rules.teams else 1)

    @property
    def stake_outcome(self) -> Literal["open", "won", "shared", "teams", "nobody"]:
        """What became of the stake of the table: ``open`` until the game is over."""
        if not self.is_over:
            return "open"
        winners = sum(part > 0 for part in self._stakes())
        if not winners:
            return "nobody"
        return "teams" if self.rules.teams else "won" if winners == 1 else "shared"

    @property
    def settled(self) -> Settlement | None:
        """The settlement, where there is one: paper and statistics are made all the same."""
        try:
            return self.settlement()
        except RuleError:  # balances that add up to something are nobody's debt (RULES 9.2)
            return None

    @property
    def winner_pays(self) -> int | None:
        """Who won the game by Gin Pro and still pays, since points are settled (RULES 8.4)."""
        ending, settlement = self.sheet.ending, self.settled
        if ending is None or ending.winner is None or settlement is None:
            return None
        owed = settlement.amounts or settlement.balances
        return ending.winner if owed and owed[ending.winner] < 0 else None

    def paid_at(self, transfer: Transfer) -> str | None:
        """When a payment was ticked, if it was."""
        return self.paid.get((transfer.payer, transfer.payee, transfer.amount))


def created(game_id: str, event: Event) -> Game:
    """The game that begins with this event.

    Raises ValueError for no preset, for no table's number of players, and for a first
    dealer who does not sit there or was drawn although the rules name one.
    """
    rules = kept(event.payload["rules"])
    players: int = OPTIONS["players.max"].kind.read(event.payload["players"])
    dealer = _first_dealer(rules, players, event.payload.get("dealer"))
    return Game(
        id=game_id,
        rules=rules,
        sheet=Sheet(rules, players, first_dealer=dealer),
        created_at=event.at,
        changed_at=event.at,
        texts=dict(event.texts),
    )


def _first_dealer(rules: RuleSet, players: int, drawn: object) -> int:
    """The seat that deals first: the one that was drawn, where the rules say to draw it."""
    chosen = rules.deal.first_dealer
    if (chosen == DRAW) != (drawn is not None):
        raise ValueError(f"first dealer {chosen!r}, drawn {drawn!r:.40}")
    dealer = drawn if chosen == DRAW else chosen
    if type(dealer) is not int or not 0 <= dealer < players:
        raise ValueError(f"no seat of {players}: {dealer!r:.40}")
    return dealer


def _round(game: Game, event: Event) -> Game:
    sheet = game.sheet.record(event.at, *_played(event))
    return replace(game, sheet=sheet)


def _corrected(game: Game, event: Event) -> Game:
    sheet = game.sheet.correct(event.payload["number"], event.at, *_played(event))
    return replace(game, sheet=sheet)


def _played(event: Event) -> tuple[Round, RoundScore]:
    return decode_round(event.payload["round"]), decode_score(event.payload["score"])


def _struck(game: Game, event: Event) -> Game:
    return replace(game, sheet=game.sheet.strike(event.payload["number"], event.at))


def _restored(game: Game, event: Event) -> Game:
    return replace(game, sheet=game.sheet.restore(event.payload["number"]))


def _player(game: Game, event: Event) -> Game:
    return replace(game, sheet=game.sheet.seat_added())


def _ended(game: Game, event: Event) -> Game:
    return replace(game, ended_by_hand=True, reopened=False)


def _reopened(game: Game, event: Event) -> Game:
    return replace(game, ended_by_hand=False, reopened=True)


def _due(event: Event) -> Due:
    paid = event.payload
    return paid["from"], paid["to"], exact(paid["amount"])


def _paid(game: Game, event: Event) -> Game:
    return replace(game, paid={**game.paid, _due(event): event.at})


def _unpaid(game: Game, event: Event) -> Game:
    return replace(game, paid={due: at for due, at in game.paid.items() if due != _due(event)})


def _as_it_was(game: Game, event: Event) -> Game:
    return replace(game, as_it_was=game.as_it_was | set(event.payload["rounds"]))


Game.AFTER = {
    "round": _round,
    "corrected": _corrected,
    "struck": _struck,
    "restored": _restored,
    "player": _player,
    "details": unchanged,
    "account": unchanged,
    "erased": unchanged,
    "secret": unchanged,
    "ended": _ended,
    "reopened": _reopened,
    "paid": _paid,
    "unpaid": _unpaid,
    "as_it_was": _as_it_was,
}
