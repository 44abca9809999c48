"""The state of a game after its events: rounds, end, payments."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import add
from typing import Literal, cast

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.rows import Given
from scorekeeper.domain.game.sheet import Sheet
from scorekeeper.domain.history.book import Book, Changes, Event, exact, unchanged
from scorekeeper.domain.history.codec import decode_round, decode_score
from scorekeeper.domain.money.settlement import Settlement, Transfer, from_pot, settle
from scorekeeper.domain.rounds.facts import Round, RoundScore, SeatScore
from scorekeeper.domain.rules import DRAW, OPTIONS, RuleSet, as_agreed
from scorekeeper.domain.rules.presets import decode_rules


@dataclass(frozen=True)
class Account:
    """The bank account of a side."""

    holder: str
    iban: str


Due = tuple[int, int, Fraction]
"""Payer, payee (both sides of a game) and amount of a payment."""


@dataclass(frozen=True)
class Payment(Transfer):
    """A payment of the settlement, made or still to be made."""

    paid_at: str | None = None
    """When it was marked as made; None if it is still to be made."""
    event: int | None = None
    """The number of the event that marked it."""

    @property
    def due(self) -> Due:
        """Payer, payee and amount."""
        return self.payer, self.payee, self.amount


@dataclass(frozen=True)
class Act:
    """The last change of a round: entered, corrected, struck out or restored."""

    kind: Literal["round", "corrected", "struck", "restored"]
    number: int
    """The round."""
    at: str


@dataclass(frozen=True, kw_only=True)
class Game(Book):
    """A game at one of its versions."""

    rules: RuleSet
    sheet: Sheet
    rules_since: int = 1
    """The version from which on it has these rules."""
    last_act: Act | None = None
    ended_by_hand: bool = False
    reopened: bool = False
    paid: tuple[Payment, ...] = ()
    """The payments that were made, in the order in which they were marked."""
    as_it_was: frozenset[int] = frozenset()
    """The ordinals of rounds that were imported with points that differ from those of the rules."""
    thrown_away_at: str | None = None
    """When it was thrown away; None if it was not, or was brought back."""
    scoring: int | None = None
    """The number of the round that is corrected or inserted, while it is scored."""
    discarded: bool = False
    """Whether it was erased for good after it had been thrown away."""

    @property
    def next_number(self) -> int:
        """The number of the round that is scored: the next one, or the one that is changed."""
        return self.scoring or len(self.sheet.written) + 1

    @property
    def title(self) -> str:
        return self.texts.get("title", "")

    @property
    def place(self) -> str:
        return self.texts.get("place", "")

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The names by seat; an erased name is empty."""
        return tuple(self.texts.get(f"name.{seat}", "") for seat in range(self.sheet.seats))

    def with_stand_ins(self, stand_in: Callable[[int], str]) -> "Game":
        """Return the same game with each erased name replaced by ``stand_in(seat)``."""
        erased = [seat for seat, name in enumerate(self.players) if not name]
        names = {f"name.{seat}": stand_in(seat) for seat in erased}
        return replace(self, texts={**self.texts, **names}) if names else self

    @property
    def drawn_dealer(self) -> int | None:
        """The seat that was drawn by lot to deal first; None if none was drawn."""
        return self.sheet.first_dealer if self.rules.deal.first_dealer == DRAW else None

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the columns: the players, or in teams both partners."""
        if not self.rules.teams:
            return self.players
        return tuple(" + ".join(self.players[side::2]) for side in range(2))

    def note_field(self, number: int | None = None) -> str:
        """Return the field of the note on a round, or on the next one to be recorded."""
        written = self.sheet.written
        ordinal = len(written) + 1 if number is None else written[number - 1].ordinal
        return f"note.{ordinal}"

    def note(self, number: int) -> str:
        """Return the note on a round; empty for one that is still to be recorded."""
        if number > len(self.sheet.written):
            return ""
        return self.texts.get(self.note_field(number), "")

    def under(self, rules: RuleSet) -> "Game":
        """Return the same game under other rules, such as those of one of its rounds."""
        return self if rules is self.rules else replace(self, rules=rules)

    def account(self, side: int) -> Account | None:
        """Return the bank account of a side, or None."""
        iban = self.texts.get(f"iban.{side}")
        return Account(self.texts.get(f"holder.{side}", ""), iban) if iban else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by hand."""
        return self.ended_by_hand or (self.sheet.ending is not None and not self.reopened)

    @property
    def final(self) -> tuple[int, ...] | None:
        """The final count of a game of gin, which is settled; None before the end (7.6)."""
        return self.sheet.final if self.is_over else None

    @property
    def has_result(self) -> bool:
        """Whether its result counts in a group: it is over, and was not thrown away."""
        return self.is_over and self.thrown_away_at is None

    @property
    def ended_early(self) -> bool:
        """Whether the game was ended by hand before the end set by the rules (RULES 8.1)."""
        return self.ended_by_hand and self.rules.end.mode != "manual" and self.sheet.ending is None

    def settlement(self) -> Settlement | None:
        """Return the settlement of the rounds so far; None if the rules settle nothing.

        Raises RuleError E_NOT_ZERO_SUM like ``settle``.
        """
        return self.settled or self._settlement()

    def _settlement(self) -> Settlement | None:
        if not self.rules.settles:
            return None
        terms = self.rules.settle
        final = self.final
        worths = self.sheet.worths(terms.measure) if final is None else [final]
        return settle(
            worths or [(0,) * self.sheet.sides],
            terms,
            winners=self.sheet.leaders,
            stakes=self._stakes(),
            paid=self.paid,
        )

    def _stakes(self) -> tuple[Fraction, ...] | None:
        """Return what each side wins or loses in stakes: of the pot, and of rounds."""
        terms = self.rules.settle
        if not any((terms.stake, terms.rejoin_stake, terms.round_stake, terms.hand_stake)):
            return None
        return tuple(map(add, self.pot, self.round_stakes))

    @property
    def pot(self) -> tuple[Fraction, ...]:
        """What each side wins or loses of the pot; zero until the game is over (RULES-MORE 9.3).

        Everybody pays in once, and again for coming back. If the players end a game before all
        but one are out, those left share it, even if nobody is out yet.
        """
        ranks, standing, terms = self.sheet.ranks, self.sheet.standing, self.rules.settle
        if not self.is_over:
            return (Fraction(),) * self.sheet.sides
        again = terms.stake if terms.rejoin_stake is None else terms.rejoin_stake
        seats = 2 if self.rules.teams else 1
        paid_in = [
            Fraction() if rank is None else terms.stake * seats + again * tally.entries
            for rank, tally in zip(ranks, self.sheet.tallies, strict=True)
        ]
        left = [side for side in standing.left if ranks[side] is not None]
        shared = self.rules.end.eliminate and left and self.sheet.ending is None
        return from_pot(paid_in, left if shared else self.sheet.leaders)

    @property
    def round_stakes(self) -> tuple[Fraction, ...]:
        """What each side won or lost so far as the winners of rounds were paid (RULES-MORE 9.4)."""
        terms, parts = self.rules.settle, [Fraction()] * self.sheet.sides
        for row in self.sheet.counted:
            at_once = row.round.hand_romme and terms.hand_stake is not None
            stake = (terms.hand_stake if at_once else terms.round_stake) or Fraction()
            winner = row.score.winner
            if stake and winner is not None:
                for side, points in enumerate(row.score.scores):
                    if points is not None and side != winner:
                        parts[side] -= stake
                        parts[winner] += stake
        return tuple(parts)

    @property
    def stake_outcome(self) -> Literal["open", "won", "shared", "teams", "nobody"]:
        """The outcome of the stake; ``open`` until the game is over."""
        if not self.is_over:
            return "open"
        winners = sum(part > 0 for part in self.pot)
        if not winners:
            return "nobody"
        return "teams" if self.rules.teams else "won" if winners == 1 else "shared"

    @cached_property
    def settled(self) -> Settlement | None:
        """The settlement; None if there is none or it is impossible, for paper and statistics."""
        try:
            return self._settlement()
        except RuleError:  # the balances do not add up to zero (RULES 9.2)
            return None

    @property
    def winner_pays(self) -> int | None:
        """The winner by Gin Pro if they still pay, because points are settled (RULES 8.4)."""
        ending, settlement = self.sheet.ending, self.settled
        if ending is None or ending.winner is None or settlement is None:
            return None
        owed = settlement.amounts or settlement.balances
        return ending.winner if owed and owed[ending.winner] < 0 else None

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The payments that were made, then those still to be made (RULES 9.8).

        The latter are missing where a settlement is impossible; a payment that was made is not.
        """
        due = (self.settled.transfers if self.settled else None) or ()
        return *self.paid, *(Payment(one.payer, one.payee, one.amount) for one in due)

    @property
    def numbered_payments(self) -> tuple[Payment, ...]:
        """All payments by the numbers that clients know them by.

        As long as those made are some of the plan, each keeps its place in it, so that numbers
        stay valid while people mark one after the other. Otherwise they are as in ``payments``.
        """
        if not self.paid:
            return self.payments
        plan = replace(self, paid=()).payments
        places = {one.due: place for place, one in enumerate(plan)}
        if sorted(places) != sorted(payment.due for payment in self.payments):
            return self.payments
        return tuple(sorted(self.payments, key=lambda payment: places[payment.due]))


def created(game_id: str, event: Event) -> Game:
    """Return the game that begins with this event.

    Raises ValueError for an unknown preset, for an invalid number of players, and for a first
    dealer without a seat, or drawn although the rules name one.
    """
    rules = decode_rules(as_agreed(event.payload["rules"]))
    players: int = OPTIONS["players.max"].kind.read(event.payload["players"])
    dealer = _first_dealer(rules, players, event.payload.get("dealer"))
    return Game(
        id=game_id,
        rules=rules,
        sheet=Sheet(rules, players, first_dealer=dealer),
        created_at=event.at,
        changed_at=event.at,
        latest=event,
        texts=dict(event.texts),
    )


def _first_dealer(rules: RuleSet, players: int, drawn: object) -> int:
    """Return the seat that deals first: the drawn one if the rules say that it is drawn."""
    chosen = rules.deal.first_dealer
    if (chosen == DRAW) != (drawn is not None):
        raise ValueError(f"first dealer {chosen!r}, drawn {drawn!r:.40}")
    dealer = drawn if chosen == DRAW else chosen
    if type(dealer) is not int or not 0 <= dealer < players:
        raise ValueError(f"no seat of {players}: {dealer!r:.40}")
    return dealer


def _round(game: Game, event: Event) -> Changes:
    return _changed(game.sheet.record(event.at, *_played(event)), event)


def _corrected(game: Game, event: Event) -> Changes:
    sheet = game.sheet.correct(event.payload["number"], event.at, *_played(event))
    return _changed(sheet, event)


def _played(event: Event) -> tuple[Round, RoundScore]:
    return decode_round(event.payload["round"]), decode_score(event.payload["score"])


def _inserted(game: Game, event: Event) -> Changes:
    return _changed(
        game.sheet.insert(event.payload["number"], event.at, *_played(event)), event, "round"
    )


def _struck(game: Game, event: Event) -> Changes:
    return _changed(game.sheet.strike(event.payload["number"], event.at), event)


def _restored(game: Game, event: Event) -> Changes:
    return _changed(game.sheet.restore(event.payload["number"]), event)


def _changed(sheet: Sheet, event: Event, as_kind: str = "") -> Changes:
    kind = cast('Literal["round", "corrected", "struck", "restored"]', as_kind or event.kind)
    return {"sheet": sheet, "last_act": Act(kind, event.payload["number"], event.at)}


def _player(game: Game, event: Event) -> Changes:
    """Seat one more player, where players are eliminated with the total to begin with."""
    sheet = game.sheet.seat_added(event.payload.get("in_place_of"))
    start = event.payload.get("start")
    if start is None:
        return {"sheet": sheet}
    after = sheet.written[-1].ordinal if sheet.written else 0
    points, seat = SeatScore(minus=start), event.payload["seat"]
    one = Given(event.number, event.at, after, seat, points, start=True, sides=sheet.sides)
    return {"sheet": sheet.give(one)}


def _frame(game: Game, event: Event) -> Changes:
    """Change what surrounds the rounds: the payload has only what is new."""
    about, sheet = event.payload, game.sheet
    rules = decode_rules(as_agreed(about["rules"])) if "rules" in about else game.rules
    order = tuple(about.get("order", sheet.order))
    if "rules" in about or "order" in about:
        sheet = sheet.from_now_on(rules, order)
    for number, seat in about.get("dealers", ()):
        sheet = sheet.dealt_by(number, seat)
    since = event.number if "rules" in about else game.rules_since
    began = about.get("began", game.created_at)
    return {"rules": rules, "rules_since": since, "sheet": sheet, "created_at": began}


def _thrown_away(game: Game, event: Event) -> Changes:
    return {"thrown_away_at": event.at}


def _brought_back(game: Game, event: Event) -> Changes:
    return {"thrown_away_at": None}


def _discarded(game: Game, event: Event) -> Changes:
    return {"discarded": True}


def _given(game: Game, event: Event) -> Changes:
    about, sheet = event.payload, game.sheet
    points = SeatScore(minus=about.get("minus", 0), plus=about.get("plus", 0))
    after = sheet.written[-1].ordinal if sheet.written else 0
    start = about.get("start", False)
    one = Given(event.number, event.at, after, about["side"], points, start, sheet.sides)
    return {"sheet": sheet.give(one)}


def _taken_back(game: Game, event: Event) -> Changes:
    return {"sheet": game.sheet.take_back(event.payload["given"])}


def _ended(game: Game, event: Event) -> Changes:
    return {"ended_by_hand": True, "reopened": False}


def _reopened(game: Game, event: Event) -> Changes:
    return {"ended_by_hand": False, "reopened": True}


def _paid(game: Game, event: Event) -> Changes:
    return {"paid": (*game.paid, Payment(*_due(event), event.at, event.number))}


def _unpaid(game: Game, event: Event) -> Changes:
    taken_back = payment_of(game, event)
    return {"paid": tuple(one for one in game.paid if one != taken_back)}


def payment_of(game: Game, event: Event) -> Payment:
    """Return the payment that an event takes back; raise ValueError for none.

    Up to version 1.1 the event named only players and amount, and no two payments agreed in both.
    """
    due, number = _due(event), event.payload.get("payment")
    for one in reversed(game.paid):
        if one.due == due and number in (None, one.event):
            return one
    raise ValueError(f"event {event.number} takes back a payment that was not made")


def _due(event: Event) -> Due:
    return event.payload["from"], event.payload["to"], exact(event.payload["amount"])


def _as_it_was(game: Game, event: Event) -> Changes:
    return {"as_it_was": game.as_it_was | set(event.payload["rounds"])}


Game.AFTER = {
    "round": _round,
    "inserted": _inserted,
    "corrected": _corrected,
    "struck": _struck,
    "restored": _restored,
    "player": _player,
    "given": _given,
    "taken_back": _taken_back,
    "details": unchanged,
    "frame": _frame,
    "thrown_away": _thrown_away,
    "brought_back": _brought_back,
    "discarded": _discarded,
    "account": unchanged,
    "erased": unchanged,
    "secret": unchanged,
    "ended": _ended,
    "reopened": _reopened,
    "paid": _paid,
    "unpaid": _unpaid,
    "as_it_was": _as_it_was,
}
