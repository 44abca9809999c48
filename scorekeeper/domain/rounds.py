"""A round: its facts, as declared at the table, and its price, as the rules see it.

In the facts ``None`` means *not stated* and an empty tuple *none*: two things (RULES 6.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.errors import Problem

Cards = tuple[Card, ...]
Outcome = Literal["out", "knock", "void", "cancelled"]
UNSCORED: tuple[Outcome, ...] = ("void", "cancelled")
"""Outcomes of a round that is listed and counts for nobody (RULES 6.1, 7.6)."""
Mark = Literal["verified", "counted", "unverified"]
"""How sure a result is: by cards, by ranks, by points alone (RULES 6.1)."""


@dataclass(frozen=True)
class MeldRef:
    """A meld on the table: the owner's first meld counts first, then his other melds."""

    seat: int
    index: int


@dataclass(frozen=True)
class LayOff:
    """A card laid off on a meld on the table."""

    card: Card
    meld: MeldRef


@dataclass(frozen=True)
class Swap:
    """A real card exchanged for the joker that stood for it."""

    card: Card
    meld: MeldRef


@dataclass(frozen=True, kw_only=True)
class Seat:
    """What is declared of one player; which fields make sense depends on the family."""

    absent: bool = False
    """Sat this round out, came later or had left (RULES 6.2b)."""
    hand: Cards | None = None
    """All cards still held: cards, or ranks where suits do not matter."""
    rest: Cards | None = None
    """What is left after melds and lay-offs, in ranks (families hand, gin, knock)."""
    points: int | None = None
    """The value of the hand, or of the rest, before any doubling (quick entry)."""
    count: int | None = None
    """Knock: the value of the unmatched cards (quick entry)."""
    deadwood: int | None = None
    """Gin: the value of the deadwood after laying off (quick entry)."""
    aces: int | None = None
    """Gin: aces within ``deadwood``, where Tedesco prices them."""
    announced: int | None = None
    """Gin: the deadwood said aloud while laying down, beside the cards ([003] Auslegen)."""
    first_meld: tuple[Cards, ...] | None = None
    melds: tuple[Cards, ...] | None = None
    layoffs: tuple[LayOff, ...] | None = None
    swaps: tuple[Swap, ...] | None = None
    discard: Cards | None = None
    """The last card thrown away: one card, or none."""
    klopfen: int = 0
    """Successful claims of a discard ([000] Klopfen, [001] §9a)."""
    laid: bool | None = None
    """Whether he had laid out in this round."""
    turns: int | None = None
    """Completed turns, where every turn draws two cards ([001] §9j)."""

    @cached_property
    def table(self) -> tuple[Cards, ...]:
        """All melds of this seat in the order in which lay-offs count them."""
        return (self.first_meld or ()) + (self.melds or ())


@dataclass(frozen=True)
class Drawn:
    """Where the knocker's last card came from (Tedesco)."""

    source: Literal["stock", "discard"]
    card: Card | None = None


@dataclass(frozen=True)
class Hirschn:
    """A Hirschn! call, and the caller's own turns since then."""

    caller: int
    turns_after: int


@dataclass(frozen=True, kw_only=True)
class Glass:
    """One attempt at *Glas auffangen*."""

    by: int
    kind: Literal["group", "sequence"]
    rank: Rank | None = None
    suit: Suit | None = None
    hit: bool
    pile: Cards | None = None


@dataclass(frozen=True, kw_only=True)
class Round:
    """What happened at the table in one round (RULES 6)."""

    outcome: Outcome
    winner: int | None = None
    knocker: int | None = None
    hand_romme: bool = False
    seats: tuple[Seat, ...] = ()
    oklahoma_card: Card | None = None
    drawn: Drawn | None = None
    joker_discarded: bool | None = None
    hirschn: Hirschn | None = None
    glass: tuple[Glass, ...] | None = None
    accept_irregular: bool = False
    note: str = ""

    @property
    def counts(self) -> bool:
        """Whether the round is scored at all."""
        return self.outcome not in UNSCORED

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats that took part."""
        return tuple(i for i, seat in enumerate(self.seats) if not seat.absent)


@dataclass(frozen=True, kw_only=True)
class ScoreLine:
    """One line of the receipt: what a seat (in teams: a side) gets, and why."""

    seat: int
    reason: str
    minus: int = 0
    plus: int = 0
    reduction: int = 0
    """Minus points to be taken off the running total, as far as it goes ([001] §9i)."""
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatScore:
    """Points of one seat in one round; both tallies are never negative."""

    minus: int = 0
    plus: int = 0
    reduction: int = 0
    league: int | None = None

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, kw_only=True)
class RoundScore:
    """What a round is worth under a rule set."""

    outcome: Outcome
    winner: int | None
    """The seat (in teams: the side) that won the round; nobody in void, cancelled, split."""
    mark: Mark
    scores: tuple[SeatScore | None, ...]
    """By seat (in teams: by side); None for the absent."""
    lines: tuple[ScoreLine, ...]
    warnings: tuple[Problem, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the round was scored at all."""
        return self.outcome not in UNSCORED
