"""Every option of RULES 3 with its default, range, source, families and meaning.

The dotted name of an option in RULES is its path in code: ``rules.out.max_rest``. The options
about the end of a game are in ``ends``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorekeeper.domain.rules.fields import GIN, HAND, KNOCK, LAY, LAY_HAND, LISTED, option
from scorekeeper.domain.rules.kinds import (
    MAX_PLAYERS,
    Choice,
    Deal,
    Flag,
    Numbers,
    PerTable,
    Whole,
)
from scorekeeper.domain.rules.plan import PlanKind, PlanRow

DRAW = "draw"
"""The value of ``deal.first_dealer`` for a dealer drawn by lot."""


@dataclass(frozen=True, kw_only=True)
class Players:
    """The number of players at the table."""

    min: int = option(2, Whole(2, 8), "[001] §1, [002], [003], [004]; [000] silent [dec]")
    """Minimum number of players (*Spielerzahl*)."""
    max: int = option(6, Whole(2, 8), "[001] §1, [002], [003], [004]; [P500], [BICC] 8")
    """Maximum number of players in one round; those who have left are not counted."""


@dataclass(frozen=True, kw_only=True)
class Deck:
    """The cards in play."""

    packs: int = option(2, PerTable(1, 4), "all")
    """Packs of 52."""
    ranks: int = option(52, Choice((52, 48, 40)), "[FOU] 48, 40", HAND, usual=(52, 40))
    """Cards of a pack: 48 lacks the tens, 40 also the eights and nines (Spanish cards)."""
    jokers: int = option(6, PerTable(0, 8), "[001] §7d; [000] 6; §8b 2, §8c 4, §8d 0; [003] 3")
    """Jokers used."""


@dataclass(frozen=True, kw_only=True)
class Dealing:
    """Dealing."""

    cards: Mapping[int, int] = option(
        {0: 13}, Deal(), "[001] §7b; [002], [004] 10/7/7/6/6; [003] 10", usual=(10, 13, 15)
    )
    """Cards dealt to each player, by the number of players present; the key 0 is any number."""
    upcard: bool = option(False, Flag(), "[001] §7g; [000], [002], [003], [004] yes; §8d no")
    """A card is turned face up after dealing."""
    first_dealer: int | str = option(0, Choice((*range(MAX_PLAYERS), DRAW)), "[002]")
    """The seat that deals first, counted from 0, or DRAW if it is drawn when the game begins."""
    next_dealer: Literal["left", "winner_if_two", "alternate", "loser"] = option(
        "left", LISTED, "[002] alternate; [004]; [DLR] loser"
    )
    """The next dealer; shown on the board, without effect on the score."""

    def to(self, present: int) -> int:
        """Return the cards dealt to each of ``present`` players."""
        return self.cards.get(present) or self.cards.get(0) or max(self.cards.values())


@dataclass(frozen=True, kw_only=True)
class Stock:
    """The stock."""

    exhausted: Literal["shuffle", "flip", "void_at_two", "count"] = option(
        "shuffle",
        LISTED,
        "[001] §5 shuffle; [002], [004] flip; [003] void; [OFF] count; [000] silent [dec]",
    )
    """The rule for a stock that runs out; ``count``: nobody is out, and all write their hands."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Drawing."""

    two_small_table: bool = option(False, Flag(), "[001] §9j", LAY_HAND)
    """With two or three players, two cards are drawn in every turn."""
    discard_only_to_meld: bool = option(False, Flag(), "[001] §8b", LAY_HAND)
    """A discard may be taken only to meld it at once."""
    no_immediate_return: bool = option(False, Flag(), "[002]")
    """A card taken from the discard pile may not be discarded in the same turn."""


@dataclass(frozen=True, kw_only=True)
class Value:
    """Card values in the hand; 2 to 10 count their number, court cards 10."""

    ace_hand: int = option(
        11,
        Choice((1, 10, 11, 15, 20)),
        "[000], [001] 11; [002], [003] 1; [DCN] 10; [P500], [BICC] 15; [ESW] 20",
    )
    """An ace left in hand."""
    ace_red: int | None = option(None, Whole(1, 20, optional=True), "[GAM] 1", LAY_HAND)
    """A red ace left in hand; None: as any ace."""
    fives_to: int = option(
        0, Choice((0, 7, 9, 10)), "[5Y1] 9; [FOC] 7; [P10] 9", LAY_HAND, usual=(0, 7, 9)
    )
    """2 up to this card count 5, the number cards above it 10; 0: their number."""


@dataclass(frozen=True, kw_only=True)
class Wild:
    """Wild twos."""

    twos: bool = option(False, Flag(), "[001] §7e, §8d")
    """2s are jokers."""
    twos_value: Literal["joker", "face"] = option("joker", LISTED, "[dec]")
    """The value of a wild 2, or of another wild rank, left in hand: that of a joker, or its own."""
    rank: Literal["none", "cut", "plan"] = option("none", LISTED, "[DCN] cut; [RRB] plan", LAY_HAND)
    """A rank is wild that changes with each round: by a card that is cut, or by the plan."""
    now: int = 0
    """The rank that is wild in a round, if it changes; 0: none. It is no option."""


@dataclass(frozen=True, kw_only=True)
class Ace:
    """The places of the ace in a run."""

    low: bool = option(True, Flag(), "[000] to [004] yes; [KUK] no")
    """The ace may come directly before the 2."""
    high: bool = option(True, Flag(), "[000], [001] yes; [002], [003], [004] no")
    """The ace may follow the king."""
    corner: bool = option(True, Flag(), "[001] §7i; [000] no; [003] only with cyclic")
    """Runs around the corner, K-A-2."""


@dataclass(frozen=True, kw_only=True)
class Melding:
    """Melds and the first meld."""

    rainbow: bool = option(False, Flag(), "[003] Regenbogen", GIN)
    """Runs of four ranks in four suits of alternating colours are melds too."""
    set_suits: Literal["different", "any"] = option(
        "different", LISTED, "[000] to [004] different; [ESW], [GAM] any", LAY_HAND
    )
    """Whether the suits of a set must differ, or any three cards of a rank are one."""
    run_min: int = option(3, Choice((3, 4, 5)), "[000] to [004] 3; [ESW], [GAM] 4", LAY_HAND)
    """The fewest cards of a run."""
    first_min: int = option(
        0, Whole(0, 100), "[001] §7f; [000] 30; §5, §8a, b 40", LAY, usual=(0, 30, 40, 50)
    )
    """Points needed for the first meld."""
    first_scope: Literal["single", "together"] = option(
        "together", LISTED, "[000] single; [001] together", LAY
    )
    """Whether one meld must reach the minimum, or all melds of that turn together."""
    lives: tuple[int, ...] = option(
        (0, 0), Numbers(2, 0, 4), "[NEX], [CLR] 1, 2; [SZL], [RAM] 1, 1", LAY_HAND
    )
    """Runs needed: so many without a wild card, and so many in all (*pure sequence*, *lives*).

    In the whole hand where nothing is laid out, else in the first meld.
    """
    max_per_turn: int = option(0, Whole(0, 5), "[002] 1", LAY, usual=(0, 1))
    """Maximum number of melds a player may lay out in one turn; 0: no limit."""


@dataclass(frozen=True, kw_only=True)
class Joker:
    """Wild cards: their value and their use in melds."""

    hand_value: int = option(
        20, Whole(0, 100), "[001] §7a 20/50; [000] 20; [003] 15", usual=(15, 20, 25, 50)
    )
    """A joker left in hand (*Jokerwertigkeit*)."""
    min_naturals: int = option(2, Whole(1, 2), "[000], [001] 2; [003] silent [dec]")
    """Minimum number of natural cards in a meld with wild cards."""
    max_adjacent: int = option(0, Whole(0, 8), "[000] 2", usual=(0, 1, 2))
    """Maximum number of adjacent jokers in a run; 0: no limit."""
    placement: Literal["declared", "unique_if_two"] = option(
        "declared", LISTED, "[001] declared; [000] unique_if_two"
    )
    """The owner declares what a joker stands for, or adjacent jokers must be unambiguous."""
    pinned_in_sets: bool = option(True, Flag(), "[001] §7l, §8")
    """In a set of three, the owner names the card that the joker stands for."""
    swap: Literal["none", "others", "all"] = option(
        "none", LISTED, "[000] others; [001] own and others'"
    )
    """The melds in which jokers may be swapped for the real card."""
    swapped_to: Literal["meld_now", "hand"] = option("hand", LISTED, "[000], [001] §8b; §8a hand")
    """Where a joker gained by a swap goes."""


@dataclass(frozen=True, kw_only=True)
class LayingOff:
    """Adding cards to melds on the table."""

    scope: Literal["none", "others", "all"] = option(
        "all",
        LISTED,
        "[001], [002] all; [000] all [dec]; [004] none",
        ("lay", "hand", "knock"),
    )
    """The melds that cards may be laid off on."""
    first_turn: bool = option(False, Flag(), "[000] yes; [001] §5 no; [002] yes", LAY)
    """After the first meld, cards may be laid off and jokers swapped in the same turn.

    If a first meld needs no points (``meld.first_min`` 0), lay-offs need no first meld.
    """


@dataclass(frozen=True, kw_only=True)
class Robber:
    """Robbing (*Räubern*)."""

    enabled: bool = option(False, Flag(), "[001] §7c, §8b; [002] forbids", LAY)
    """Laid melds may be rearranged."""


@dataclass(frozen=True, kw_only=True)
class Out:
    """Going out (*Rommé machen*)."""

    discard_required: bool = option(True, Flag(), "[001] §7h; [000], [003] yes; [002], [004] no")
    """The winner's last card must be a discard."""
    extra_turn: bool = option(False, Flag(), "[001] §7j; §8a no; §8d yes [dec]; [002] no", LAY_HAND)
    """After "Rommé", every other player has one more turn."""
    opponent_melds: Literal["none", "own", "own_and_layoff"] = option(
        "none",
        LISTED,
        "none: [000], [001] §8a, [002]; own: §8c, §8d, [004]; own_and_layoff: [003]",
    )
    """The cards that the other players may put down when the round is over."""
    one_run: str | int = option("none", Choice(("none", 25, 50, "wins")), "[CHI]", HAND)
    """All cards dealt to the winner form one run: its bonus instead of ``score.out_bonus``, or the
    game is won."""
    max_rest: int = option(0, Whole(0, 9), "[001] §7k; §8c 9; §8d 0", LAY_HAND, usual=(0, 5, 9))
    """Points the winner may keep when calling Rommé."""


@dataclass(frozen=True, kw_only=True)
class HandRomme:
    """Hand rommé: going out in one turn without having laid out before."""

    enabled: bool = option(True, Flag(), "[000], [001]", LAY)
    """Hand rommé is played."""
    factor: int = option(2, Whole(1, 4), "[000], [001] §6", LAY)
    """Multiplier of the losers' points."""
    allow_layoff: bool = option(True, Flag(), "[000] no; [001] §5 yes", LAY)
    """Cards may be laid off and jokers swapped in the turn of a hand rommé."""
    waives_first_min: bool = option(True, Flag(), "[001] §5; [000] silent [dec]", LAY)
    """A hand rommé need not reach the minimum of the first meld."""


@dataclass(frozen=True, kw_only=True)
class Klopfen:
    """Claiming a discard out of turn; not the knock of gin."""

    mode: Literal["off", "palast", "rasche"] = option(
        "off", LISTED, "[000] special rule; [001] §9a", LAY
    )
    """The kind of claim knock that is played, if any."""
    extra_cards: int = option(1, Whole(1, 2), "[000] 1; [001] §9a 2", LAY)
    """Cards that the claimant must also draw from the stock."""
    after_first_meld: bool = option(True, Flag(), "[000] yes; [001] §9a silent", LAY)
    """Only players who have laid out may claim a discard."""
    consent: bool = option(False, Flag(), "[001] §9a yes; [000] no", LAY)
    """A claim needs the consent of the player whose turn it is."""
    max: int = option(0, Whole(0, 9), "[5Y1] 3", LAY, usual=(0, 3, 4))
    """The most claims (*buys*) of a player in a round; 0: no limit."""


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """A plan of rounds."""

    plan: tuple[PlanRow, ...] = option(
        (), PlanKind(), "[BICC], [ESW], [5Y1], [IUX], [RRB]", LAY_HAND
    )
    """What each round deals, the melds that it asks for first, and the rank that is wild."""
    plan_by: Literal["table", "player"] = option("table", LISTED, "[P10] player", LAY)
    """All play the row of the round, or everybody their own next row."""

    def row(self, number: int | tuple[int, ...] | None) -> PlanRow | None:
        """Return the row of this number; None without a plan, or if each seat has its own."""
        return self.plan[number - 1] if self.plan and isinstance(number, int) else None


@dataclass(frozen=True, kw_only=True)
class Drop:
    """Leaving a round (*drop*)."""

    points: tuple[int, ...] = option((0, 0, 0), Numbers(3, 0, 200), "[PS], [RXC]", HAND)
    """The price of leaving before the first draw, of leaving later, and of declaring wrongly.

    What costs 0 does not exist.
    """


@dataclass(frozen=True, kw_only=True)
class Score:
    """The scoring of a round."""

    mode: Literal["minus", "minus_plus", "winner_collects", "gin", "knock", "melded"] = option(
        "minus",
        LISTED,
        "[001]; [000]; [002]; [003]; [004]; [P500] melded",
    )
    """The scoring formula (RULES 7)."""
    winner_reduction: int = option(0, Whole(0, 100), "[001] §9i", LAY_HAND, usual=(0, 10))
    """Minus points taken off the winner's total; a hand rommé doubles them."""
    out_bonus: int = option(
        0, Whole(0, 100), "[JAC], [ESW] 10; [5Y1] 25", LAY_HAND, usual=(0, 10, 25)
    )
    """Plus points of a winner who goes out at once: by hand rommé, or with nothing left."""
    cap: int = option(0, Whole(0, 500), "[CLR], [JUN] 80", LAY_HAND, usual=(0, 80))
    """The most minus points of a player in a round; 0: no limit."""
    not_laid: int = option(0, Whole(0, 200), "[S40W], [RAM] 100", LAY, usual=(0, 100))
    """What a loser who has laid nothing writes instead of the cards; 0: the cards."""

    @property
    def losers_write(self) -> bool:
        """Whether losers write minus points, which ``cap`` and ``not_laid`` are about.

        Where the winner collects, or laid cards count, hands count in full [dec].
        """
        return self.mode in ("minus", "minus_plus")

    @property
    def most(self) -> int:
        """``cap`` where losers write minus points; else 0."""
        return self.cap if self.losers_write else 0

    @property
    def price_not_laid(self) -> int:
        """``not_laid`` where losers write minus points (RULES-MORE 7.2); else 0."""
        return self.not_laid if self.losers_write else 0


@dataclass(frozen=True, kw_only=True)
class Gin:
    """Gin Rommé and its special rules (*Sonderregeln*)."""

    knock_limit: int = option(10, Whole(0, 10), "[003]", GIN)
    """Highest deadwood to knock."""
    gin_bonus: int = option(25, Whole(0, 100), "[003]", GIN)
    """Bonus for gin: no deadwood."""
    undercut_bonus: int = option(20, Whole(0, 100), "[003]", GIN)
    """Bonus for an opponent with no more deadwood than the knocker."""
    box_bonus: int = option(10, Whole(0, 100), "[003]", GIN)
    """Bonus for each round won."""
    box_above_limit: int = option(50, Whole(0, 10_000), "[003]", GIN)
    """There is a box bonus only if ``end.points`` is greater than this."""
    box_at: Literal["hand", "game"] = option("hand", LISTED, "[003] hand; [CSS], [GR] game", GIN)
    """Whether boxes count at once, or only when the game is over."""
    extra_boxes: tuple[int, ...] = option((0, 0, 0), Numbers(3, 0, 9), "[FG]", GIN)
    """Boxes for an undercut, for gin and for big gin, beyond the one for the round."""
    big_gin: int = option(0, Whole(0, 100), "[GR] 31, [APK] 50", GIN, usual=(0, 31, 50))
    """Bonus instead of that for gin for eleven cards melded without a discard; 0: off."""
    game_bonus: int = option(0, Whole(0, 1000), "[GR], [CSS], [PW] 100", GIN, usual=(0, 100))
    """Bonus for the side that wins the game."""
    shutout: Literal["none", "game_bonus", "points", "total"] = option(
        "none", LISTED, "[CSS] game_bonus; [GR] points; [PW] total", GIN
    )
    """What is doubled for the winner of the game if the other side has no points."""
    hollywood: bool = option(False, Flag(), "[RGH], [PW]", GIN)
    """Three games are scored at once."""
    layoff_on_gin: bool = option(False, Flag(), "[003] silent [dec]", GIN)
    """The opponent may lay off after gin."""
    cyclic: bool = option(False, Flag(), "[003] Zyklische Sequenzen", GIN)
    """Sets ``ace.high`` and ``ace.corner``."""
    oklahoma: bool = option(False, Flag(), "[003] Oklahoma", GIN)
    """The value of the bottom card of the stock, turned up, is the knock limit."""
    oklahoma_ace: int = option(0, Whole(0, 10), "[003] Oklahoma", GIN)
    """The limit if that card is an ace; 0: only a player with gin may knock."""
    oklahoma_spades: int = option(1, Whole(1, 4), "[BICO], [FG] 2", GIN, usual=(1, 2))
    """Multiplier of a round whose turned-up card is a spade."""
    tedesco: bool = option(False, Flag(), "[003] Tedesco", GIN)
    """Opponents' aces count more; a card drawn from the discard pile must be melded."""
    tedesco_ace: int = option(15, Whole(1, 100), "[003] Tedesco", GIN)
    """The value of an ace in the deadwood of the knocker's opponents."""
    joker_rule: bool = option(False, Flag(), "[003] Joker", GIN)
    """Jokers are in play."""
    joker_discard_factor: int = option(2, Whole(1, 4), "[003] Joker", GIN)
    """Multiplier of the opponents' deadwood if the knocker discards a joker."""
    joker_layon: bool = option(True, Flag(), "[003] Joker", GIN)
    """The real card may be laid on a melded joker that stands for it."""
    hirschn: bool = option(False, Flag(), "[003] Hirschn!", GIN)
    """The call Hirschn! is played."""
    hirschn_bonus: tuple[int, ...] = option((5, 10, 20), Numbers(3, 0, 100), "[003] Hirschn!", GIN)
    """Bonuses for a winning knock in the caller's first, second or third turn after the call."""
    hirschn_fail: int = option(15, Whole(0, 100), "[003] Hirschn!", GIN)
    """Bonus for the other side if the caller does not knock within three turns of their own."""
    glass: bool = option(False, Flag(), "[003] Glas auffangen", GIN)
    """Catching the glass is played: claiming a meld that lies in the discard pile."""
    glass_bonus: int = option(10, Whole(0, 100), "[003] Glas auffangen", GIN)
    """Bonus for each attempt: for the caller if it succeeds, else for the opponent."""
    sits_out: Literal["loser", "turn"] = option("loser", LISTED, "[dec]", GIN)
    """Who sits out the next round when three play: the loser, or each in turn.

    [003] knows two players and teams. Round-robin gin ("cutthroat") is described with the loser
    sitting out; players who want to play equally often take turns. Two play each round, and the
    one who sits out scores nothing.
    """
    pro_min_wins: int = option(0, Whole(0, 20), "[003] Gin Pro", GIN)
    """Gin Pro: the rounds that a side must also win; 0: off."""
    training: bool = option(False, Flag(), "[003] Training", GIN)
    """The game counts neither for the league nor for a group's season, statistics and money."""
    team_small_gin: int = option(10, Whole(0, 100), "[003] Vierspielermodus [dec]", GIN)
    """Teams: bonus if only the knocker has gin (*Kleines Gin*)."""
    team_big_gin: int = option(30, Whole(0, 100), "[003] Vierspielermodus [dec]", GIN)
    """Teams: bonus if neither partner has deadwood (*Großes Gin*)."""


@dataclass(frozen=True, kw_only=True)
class Knock:
    """Knock Rummy."""

    limit: int | None = option(None, Whole(0, 100, optional=True), "[004] none", KNOCK)
    """Highest count to knock; None: no limit."""
    penalty: int = option(10, Whole(0, 100), "[004]", KNOCK)
    """Additional points that a knocker without the lowest count pays."""
    rummy_bonus: int = option(25, Whole(0, 100), "[004]", KNOCK)
    """Bonus for a knocker without unmatched cards."""
    rummy_bonus_from: Literal["each", "once"] = option("each", LISTED, "[004], [dec] each", KNOCK)
    """Whether every opponent pays the bonus, or all of them share it."""
    rummy_unbeatable: bool = option(True, Flag(), '[004] "going out wins" [dec]', KNOCK)
    """A knock without unmatched cards cannot be tied."""
    ties: Literal["split", "first_left"] = option("split", LISTED, "[dec] split", KNOCK)
    """Opponents tied for lowest share the pot, or the first one left of the knocker wins."""
