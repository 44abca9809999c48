"""A round: its facts, as declared at the table, and its score under the rules.

In the facts, ``None`` means *not stated* and an empty tuple means *none* (RULES 6.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.errors import Problem

Cards = tuple[Card, ...]
Outcome = Literal["out", "knock", "count", "void", "cancelled"]
"""``count``: the stock has run out, and everybody counts (``stock.exhausted``)."""
UNSCORED: tuple[Outcome, ...] = ("void", "cancelled")
"""Outcomes of a round that is listed but counts for nobody (RULES 6.1, 7.6)."""
Verification = Literal["verified", "counted", "unverified"]
"""How a result was checked: by cards, by ranks, or not (points only) (RULES 6.1)."""


@dataclass(frozen=True)
class MeldRef:
    """A meld on the table: the index counts the owner's first melds, then their other melds."""

    seat: int
    index: int


@dataclass(frozen=True)
class LayOff:
    """A card laid off on a meld on the table."""

    card: Card
    meld: MeldRef


@dataclass(frozen=True)
class Swap:
    """A real card swapped for the joker that stood for it."""

    card: Card
    meld: MeldRef


@dataclass(frozen=True, kw_only=True)
class Seat:
    """The facts declared for one player; which fields apply depends on the family."""

    absent: bool = False
    """The player sat this round out, came later or had left (RULES 6.2b)."""
    hand: Cards | None = None
    """All cards still held: cards, or ranks if suits do not matter."""
    rest: Cards | None = None
    """The ranks of the cards left after melds and lay-offs (families hand, gin, knock)."""
    points: int | None = None
    """The points of the hand, or of the rest, before any doubling (quick entry)."""
    count: int | None = None
    """Knock: the points of the unmatched cards (quick entry)."""
    deadwood: int | None = None
    """Gin: the points of the deadwood after laying off (quick entry)."""
    aces: int | None = None
    """Gin: aces within ``deadwood``, which Tedesco counts higher."""
    announced: int | None = None
    """Gin: the deadwood announced when laying down the cards ([003] Auslegen)."""
    first_meld: tuple[Cards, ...] | None = None
    melds: tuple[Cards, ...] | None = None
    layoffs: tuple[LayOff, ...] | None = None
    swaps: tuple[Swap, ...] | None = None
    discard: Cards | None = None
    """The last discard: one card, or none."""
    klopfen: int = 0
    """Successful claims of a discard ([000] Klopfen, [001] §9a)."""
    laid_points: int | None = None
    """The points of everything the player has laid, where these score (quick entry)."""
    laid: bool | None = None
    """Whether the player has laid out in this round."""
    drop: Literal["first", "middle"] | None = None
    """The player left before the first draw, or later; alone in its seat."""
    wrong: bool = False
    """The player declared wrongly; alone in its seat."""
    turns: int | None = None
    """Completed turns, if two cards are drawn in every turn ([001] §9j)."""

    @cached_property
    def all_melds(self) -> tuple[Cards, ...]:
        """All melds of this seat, in the order of ``MeldRef.index``."""
        return (self.first_meld or ()) + (self.melds or ())

    @property
    def has_laid(self) -> bool | None:
        """Whether the player has laid out in this round; None if that is not stated."""
        return True if self.all_melds or self.layoffs else self.laid


@dataclass(frozen=True)
class Drawn:
    """The source of the knocker's last card (Tedesco)."""

    source: Literal["stock", "discard"]
    card: Card | None = None


@dataclass(frozen=True)
class Hirschn:
    """A call of Hirschn!, and the caller's own turns since then."""

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
    """The facts of one round, as declared at the table (RULES 6)."""

    outcome: Outcome
    winner: int | None = None
    knocker: int | None = None
    hand_romme: bool = False
    seats: tuple[Seat, ...] = ()
    oklahoma_card: Card | None = None
    drawn: Drawn | None = None
    joker_discarded: bool | None = None
    big_gin: bool = False
    """Gin: the knocker melded eleven cards without a discard (quick entry)."""
    hirschn: Hirschn | None = None
    glass: tuple[Glass, ...] | None = None
    wild: Card | None = None
    """The card cut, by its rank, or a joker: that rank is wild in this round."""
    one_run: bool | None = None
    """Whether all cards dealt to the winner form one run; or it follows from melds."""
    rejoin: tuple[int, ...] = ()
    """Players who went out in the last round and come back before this one."""
    order: tuple[int, ...] = ()
    """The seats clockwise as they were in this round; empty for the order of the columns."""
    plan_row: int | tuple[int, ...] | None = None
    """The row of the plan that was played, from 1; by seat where everybody has their own."""
    accept_irregular: bool = False
    note: str = ""

    @property
    def counts(self) -> bool:
        """Whether the round is scored."""
        return self.outcome not in UNSCORED

    def row_of(self, seat: int) -> int | None:
        """Return the row of the plan that a seat played."""
        return self.plan_row[seat] if isinstance(self.plan_row, tuple) else self.plan_row

    @property
    def clockwise(self) -> tuple[int, ...]:
        """All seats in the order in which the players sat; those who joined later come last."""
        return tuple(dict.fromkeys((*self.order, *range(len(self.seats)))))

    @cached_property
    def present(self) -> tuple[int, ...]:
        """The seats that took part."""
        return tuple(i for i, seat in enumerate(self.seats) if not seat.absent)


@dataclass(frozen=True, kw_only=True)
class ScoreLine:
    """One line of a score: the points of a seat (in teams: of a side) and the reason."""

    seat: int
    reason: str
    minus: int = 0
    plus: int = 0
    reduction: int = 0
    """Minus points to be taken off the running total, down to zero ([001] §9i)."""
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class SeatScore:
    """The points of one seat in one round; neither tally is negative."""

    minus: int = 0
    plus: int = 0
    reduction: int = 0
    league: int | None = None

    @property
    def net(self) -> int:
        return self.plus - self.minus


@dataclass(frozen=True, kw_only=True)
class RoundScore:
    """The score of a round under a rule set."""

    outcome: Outcome
    winner: int | None
    """The seat (in teams: the side) that won; None if nobody did or the pot was split."""
    verification: Verification
    scores: tuple[SeatScore | None, ...]
    """By seat (in teams: by side); None for absent players."""
    lines: tuple[ScoreLine, ...]
    warnings: tuple[Problem, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether the round was scored."""
        return self.outcome not in UNSCORED
