"""House rules as data: every option of RULES 3, and the one way to change them.

An option's dotted name in RULES is its path in code: ``rules.out.max_rest``. Its range,
its source and the families that know it stand beside its default; its meaning stands below.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from scorekeeper.domain.errors import Problem, RuleError, warning
from scorekeeper.domain.kinds import Choice, Deal, Exact, Flag, Kind, Numbers, Text, Whole

FAMILIES = ("lay", "hand", "gin", "knock")
LAY = ("lay",)
LAY_HAND = ("lay", "hand")
GIN = ("gin",)
KNOCK = ("knock",)
DRAW = "draw"
"""The first dealer is drawn by lot."""


def option(
    default: Any,
    kind: Kind,
    source: str,
    families: tuple[str, ...] = FAMILIES,
    usual: tuple[object, ...] = (),
) -> Any:
    """A field that is an option: its default, range, source and families.

    ``usual`` are the values that people choose among; a form offers them first.
    """
    metadata = {"kind": kind, "source": source, "families": families, "usual": usual}
    if isinstance(default, Mapping):
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Players:
    """How many sit at the table."""

    min: int = option(2, Whole(2, 6), "[001] §1, [002], [003], [004]; [000] silent [dec]")
    """Fewest players (*Spielerzahl*)."""
    max: int = option(6, Whole(2, 6), "[001] §1, [002], [003], [004]; [000] silent [dec]")
    """Most players."""


@dataclass(frozen=True, kw_only=True)
class Deck:
    """The cards in play."""

    packs: int = option(2, Whole(1, 2), "all")
    """Packs of 52."""
    jokers: int = option(6, Whole(0, 8), "[001] §7d; [000] 6; §8b 2, §8c 4, §8d 0; [003] 3")
    """Jokers used."""


@dataclass(frozen=True, kw_only=True)
class Dealing:
    """Dealing."""

    cards: Mapping[int, int] = option(
        {0: 13}, Deal(), "[001] §7b; [002], [004] 10/7/7/6/6; [003] 10", usual=(10, 13, 15)
    )
    """Cards dealt to each player, by the number of players present; 0 stands for any number."""
    upcard: bool = option(False, Flag(), "[001] §7g; [000], [002], [003], [004] yes; §8d no")
    """A card is turned face up after dealing."""
    first_dealer: int | str = option(0, Choice((0, 1, 2, 3, 4, 5, DRAW)), "[002]")
    """The seat that deals first, counted from 0; or it is drawn by lot when the game begins."""
    next_dealer: str = option(
        "left", Choice(("left", "winner_if_two", "alternate")), "[002] alternate; [004]"
    )
    """Who deals next; a hint without effect on the score."""

    def to(self, present: int) -> int:
        """Cards dealt to each of ``present`` players."""
        return self.cards.get(present) or self.cards.get(0) or max(self.cards.values())


@dataclass(frozen=True, kw_only=True)
class Stock:
    """The stock."""

    exhausted: str = option(
        "shuffle",
        Choice(("shuffle", "flip", "void_at_two")),
        "[001] §5 shuffle; [002], [004] flip; [003] void; [000] silent [dec]",
    )
    """What happens when the stock runs out."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Drawing."""

    two_small_table: bool = option(False, Flag(), "[001] §9j", LAY_HAND)
    """With two or three players every turn draws two cards."""
    discard_only_to_meld: bool = option(False, Flag(), "[001] §8b", LAY_HAND)
    """A discard may be taken only to meld it at once."""
    no_immediate_return: bool = option(False, Flag(), "[002]")
    """A card taken from the discard pile may not be thrown back in the same turn."""


@dataclass(frozen=True, kw_only=True)
class Value:
    """Card values in the hand; 2 to 10 count their number, pictures 10."""

    ace_hand: int = option(11, Choice((1, 11)), "[000], [001] 11; [002], [003] 1; [004] silent")
    """An ace left in hand."""


@dataclass(frozen=True, kw_only=True)
class Wild:
    """Wild twos."""

    twos: bool = option(False, Flag(), "[001] §7e, §8d")
    """2s are jokers."""
    twos_value: str = option("joker", Choice(("joker", "face")), "[dec]")
    """What a wild 2 left in hand counts: as a joker, or 2."""


@dataclass(frozen=True, kw_only=True)
class Ace:
    """Where the ace may stand in a run; directly before the 2 always."""

    high: bool = option(True, Flag(), "[000], [001] yes; [002], [003], [004] no")
    """The ace may follow the king."""
    corner: bool = option(True, Flag(), "[001] §7i; [000] no; [003] only with cyclic")
    """Runs around the corner, K-A-2."""


@dataclass(frozen=True, kw_only=True)
class Melding:
    """Melds and the first meld."""

    rainbow: bool = option(False, Flag(), "[003] Regenbogen", GIN)
    """Also runs of four ranks in four suits, colours alternating."""
    first_min: int = option(
        0, Whole(0, 100), "[001] §7f; [000] 30; §5, §8a, b 40", LAY, usual=(0, 30, 40, 50)
    )
    """Points needed for the first meld."""
    first_scope: str = option(
        "together", Choice(("single", "together")), "[000] single; [001] together", LAY
    )
    """Must one meld reach the minimum, or all melds of that turn together."""
    max_per_turn: int = option(0, Whole(0, 5), "[002] 1", LAY, usual=(0, 1))
    """Melds a player may lay in one turn; 0: no limit."""


@dataclass(frozen=True, kw_only=True)
class Joker:
    """Wild cards: what they are worth and what they may do."""

    hand_value: int = option(
        20, Whole(0, 100), "[001] §7a 20/50; [000] 20; [003] 15", usual=(15, 20, 25, 50)
    )
    """A joker left in hand (*Jokerwertigkeit*)."""
    min_naturals: int = option(2, Whole(1, 2), "[000], [001] 2; [003] silent [dec]")
    """Natural cards needed in a meld with wild cards."""
    max_adjacent: int = option(0, Whole(0, 8), "[000] 2", usual=(0, 1, 2))
    """Jokers side by side in a run; 0: no limit."""
    placement: str = option(
        "declared", Choice(("declared", "unique_if_two")), "[001] declared; [000] unique_if_two"
    )
    """The owner says what a joker is, or neighbouring jokers must be unmistakable."""
    pinned_in_sets: bool = option(True, Flag(), "[001] §7l, §8")
    """In a three-card set the owner names the card that the joker replaces."""
    swap: str = option(
        "none", Choice(("none", "others", "all")), "[000] others; [001] own and others'"
    )
    """Whose melds' jokers may be exchanged for the real card."""
    swapped_to: str = option("hand", Choice(("meld_now", "hand")), "[000], [001] §8b; §8a hand")
    """What must happen to a joker gained so."""


@dataclass(frozen=True, kw_only=True)
class LayingOff:
    """Adding cards to melds on the table."""

    scope: str = option(
        "all",
        Choice(("none", "others", "all")),
        "[001], [002] all; [000] all [dec]; [004] none",
        ("lay", "hand", "knock"),
    )
    """Onto whose melds cards may be laid."""
    first_turn: bool = option(False, Flag(), "[000] yes; [001] §5 no; [002] yes", LAY)
    """Cards may be laid off and jokers exchanged in the turn of the own first meld, once it lies.

    Where a first meld needs no points (``meld.first_min`` 0), nobody has to wait for one.
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
    """The winner must still discard."""
    extra_turn: bool = option(False, Flag(), "[001] §7j; §8a no; §8d yes [dec]; [002] no", LAY_HAND)
    """After "Rommé" every other player has one more turn."""
    opponent_melds: str = option(
        "none",
        Choice(("none", "own", "own_and_layoff")),
        "none: [000], [001] §8a, [002]; own: §8c, §8d, [004]; own_and_layoff: [003]",
    )
    """What the others may put down when the round is over."""
    max_rest: int = option(0, Whole(0, 9), "[001] §7k; §8c 9; §8d 0", LAY_HAND, usual=(0, 5, 9))
    """Points the winner may keep when calling Rommé."""


@dataclass(frozen=True, kw_only=True)
class HandRomme:
    """Hand rommé: all cards at once, nothing laid before."""

    enabled: bool = option(True, Flag(), "[000], [001]", LAY)
    """Hand rommé exists."""
    factor: int = option(2, Whole(1, 4), "[000], [001] §6", LAY)
    """Multiplier of the losers' points."""
    allow_layoff: bool = option(True, Flag(), "[000] no; [001] §5 yes", LAY)
    """The hand rommé turn may also lay off and exchange jokers."""
    waives_first_min: bool = option(True, Flag(), "[001] §5; [000] silent [dec]", LAY)
    """The first-meld minimum is not needed in a hand rommé."""


@dataclass(frozen=True, kw_only=True)
class Klopfen:
    """Claiming a discard out of turn; not the knock of gin."""

    mode: str = option(
        "off", Choice(("off", "palast", "rasche")), "[000] special rule; [001] §9a", LAY
    )
    """Which claim knock is played, if any."""
    extra_cards: int = option(1, Whole(1, 2), "[000] 1; [001] §9a 2", LAY)
    """Cards from the stock paid for it."""
    after_first_meld: bool = option(True, Flag(), "[000] yes; [001] §9a silent", LAY)
    """Only players who have laid out may claim."""
    consent: bool = option(False, Flag(), "[001] §9a yes; [000] no", LAY)
    """Needs the consent of the player whose turn it is."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """How a round is priced."""

    mode: str = option(
        "minus",
        Choice(("minus", "minus_plus", "winner_collects", "gin", "knock")),
        "[001]; [000]; [002]; [003]; [004]",
    )
    """The scoring formula (RULES 7)."""
    winner_reduction: int = option(0, Whole(0, 100), "[001] §9i", LAY_HAND, usual=(0, 10))
    """Minus points taken off the winner's total, doubled by hand rommé."""


@dataclass(frozen=True, kw_only=True)
class Gin:
    """Gin Rommé and its special rules (*Sonderregeln*)."""

    knock_limit: int = option(10, Whole(0, 10), "[003]", GIN)
    """Highest deadwood to knock."""
    gin_bonus: int = option(25, Whole(0, 100), "[003]", GIN)
    """For gin: no deadwood."""
    undercut_bonus: int = option(20, Whole(0, 100), "[003]", GIN)
    """For the opponent who has no more than the knocker."""
    box_bonus: int = option(10, Whole(0, 100), "[003]", GIN)
    """For each round won."""
    box_above_limit: int = option(50, Whole(0, 10_000), "[003]", GIN)
    """Box bonus only if ``end.points`` is greater than this."""
    layoff_on_gin: bool = option(False, Flag(), "[003] silent [dec]", GIN)
    """The opponent may lay off against gin."""
    cyclic: bool = option(False, Flag(), "[003] Zyklische Sequenzen", GIN)
    """Sets ``ace.high`` and ``ace.corner``."""
    oklahoma: bool = option(False, Flag(), "[003] Oklahoma", GIN)
    """The value of the turned card is the knock limit."""
    oklahoma_ace: int = option(0, Whole(0, 10), "[003] Oklahoma", GIN)
    """The limit when that card is an ace; 0: only gin may knock."""
    tedesco: bool = option(False, Flag(), "[003] Tedesco", GIN)
    """Opponents' aces are dear; a card drawn from the discard pile must be melded."""
    tedesco_ace: int = option(15, Whole(1, 100), "[003] Tedesco", GIN)
    """An ace in the deadwood of the knocker's opponents."""
    joker_rule: bool = option(False, Flag(), "[003] Joker", GIN)
    """Jokers are in play."""
    joker_discard_factor: int = option(2, Whole(1, 4), "[003] Joker", GIN)
    """Opponents' deadwood is multiplied when the knocker discards a joker."""
    joker_layon: bool = option(True, Flag(), "[003] Joker", GIN)
    """The real card may be laid on a melded joker."""
    hirschn: bool = option(False, Flag(), "[003] Hirschn!", GIN)
    """The Hirschn! call."""
    hirschn_bonus: tuple[int, ...] = option((5, 10, 20), Numbers(3, 0, 100), "[003] Hirschn!", GIN)
    """For a knock that wins in the first, second, third own turn after the call."""
    hirschn_fail: int = option(15, Whole(0, 100), "[003] Hirschn!", GIN)
    """To the other side if the caller has not knocked within three own turns."""
    glass: bool = option(False, Flag(), "[003] Glas auffangen", GIN)
    """Catching the glass: claiming a meld that lies in the discard pile."""
    glass_bonus: int = option(10, Whole(0, 100), "[003] Glas auffangen", GIN)
    """For each attempt, to the caller or to the opponent."""
    pro_min_wins: int = option(0, Whole(0, 20), "[003] Gin Pro", GIN)
    """Gin Pro: this many rounds must be won too; 0: off."""
    training: bool = option(False, Flag(), "[003] Training", GIN)
    """The game counts neither for the league nor for season, statistics and money of a group."""
    team_small_gin: int = option(10, Whole(0, 100), "[003] Vierspielermodus [dec]", GIN)
    """Teams: gin of the knocker alone (*Kleines Gin*)."""
    team_big_gin: int = option(30, Whole(0, 100), "[003] Vierspielermodus [dec]", GIN)
    """Teams: both partners without deadwood (*Großes Gin*)."""


@dataclass(frozen=True, kw_only=True)
class Knock:
    """Knock Rummy."""

    limit: int | None = option(None, Whole(0, 100, optional=True), "[004] none", KNOCK)
    """Highest count to knock; none: any."""
    penalty: int = option(10, Whole(0, 100), "[004]", KNOCK)
    """The knocker who is not lowest pays this more."""
    rummy_bonus: int = option(25, Whole(0, 100), "[004]", KNOCK)
    """The knocker without an unmatched card gets this more."""
    rummy_bonus_from: str = option("each", Choice(("each", "once")), "[004], [dec] each", KNOCK)
    """From every opponent, or once in all."""
    rummy_unbeatable: bool = option(True, Flag(), '[004] "going out wins" [dec]', KNOCK)
    """A knock with no unmatched card cannot be tied."""
    ties: str = option("split", Choice(("split", "first_left")), "[dec] split", KNOCK)
    """Several lowest opponents share, or the first left of the knocker wins."""


@dataclass(frozen=True, kw_only=True)
class End:
    """When the game is over."""

    mode: str = option(
        "manual",
        Choice(("manual", "points", "rounds", "points_or_rounds")),
        "[000] points; [002] points or rounds; [003] points; [001], [004] silent",
    )
    """By the players, by a limit of points, by a number of rounds."""
    points: int | None = option(
        None, Whole(1, 100_000, optional=True), "[000] 500", usual=(100, 250, 500, 1000)
    )
    """The limit of points."""
    rounds: int | None = option(
        None, Whole(1, 500, optional=True), "agreed by the players", usual=(5, 10, 20)
    )
    """The number of scored rounds."""
    compare: str = option("over", Choice(("over", "reach")), "[000] over; [002], [003] reach")
    """Must the limit be passed or only reached."""
    measure: str = option(
        "minus", Choice(("minus", "plus", "net")), "[000] minus; [002], [003] plus"
    )
    """The tally compared with the limit."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Who is first."""

    measure: str = option(
        "minus", Choice(("minus", "plus", "net")), "[000], [001] fewest; [002], [003] most"
    )
    """The tally that ranks: fewest minus, most plus, most net."""


@dataclass(frozen=True, kw_only=True)
class Settling:
    """Settlement (*Abrechnung*)."""

    mode: str = option("pairwise", Choice(("none", "pairwise", "balance")), "[001] §6 pairwise")
    """Every pair by its difference, or the balance itself, or not at all."""
    measure: str = option("minus", Choice(("minus", "plus", "net")), "= rank.measure")
    """The tally that is settled."""
    point_value: Fraction | None = option(
        None, Exact(optional=True), "[001] §6 1/10 Pf", usual=("1/10", "1/2", "1")
    )
    """Units per point; none: a table of points, no money."""
    unit: str = option("Pf", Text(12), "[001] §6", usual=("Pf", "ct", "EUR"))
    """The name of the unit."""
    payable: Fraction = option(Fraction(1), Exact(positive=True), "[dec] 1", usual=("1", "5", "10"))
    """The smallest payable amount in units."""
    stake: Fraction = option(Fraction(0), Exact(), "[003] Tisch, [dec]", usual=("0", "1", "5"))
    """What every loser pays the winner once the game is over, in units; 0: nothing."""


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """One table's rules, whole: never changed once a game has begun."""

    preset: str = "german-family"
    """The rule system that these rules began as; for the eye only."""
    family: str = option("lay", Choice(FAMILIES), "all")
    """Which record and which algorithm."""
    teams: bool = option(False, Flag(), "[003] Vierspielermodus", GIN)
    """Two teams of two, seats 1 and 3 against 2 and 4."""
    players: Players = Players()
    deck: Deck = Deck()
    deal: Dealing = Dealing()
    stock: Stock = Stock()
    draw: Draw = Draw()
    value: Value = Value()
    wild: Wild = Wild()
    ace: Ace = Ace()
    meld: Melding = Melding()
    joker: Joker = Joker()
    layoff: LayingOff = LayingOff()
    robber: Robber = Robber()
    out: Out = Out()
    hand_romme: HandRomme = HandRomme()
    klopfen: Klopfen = Klopfen()
    score: Score = Score()
    gin: Gin = Gin()
    knock: Knock = Knock()
    end: End = End()
    rank: Ranking = Ranking()
    settle: Settling = Settling()
    silent: frozenset[str] = frozenset()
    """Options that its source document leaves out and nothing has called for yet."""

    def __getitem__(self, name: str) -> Any:
        """The value of an option by its dotted name."""
        group, dot, leaf = name.partition(".")
        value = getattr(self, group)
        return getattr(value, leaf) if dot else value

    def names(self) -> Iterator[str]:
        """The options that apply to these rules, in the order of RULES 3."""
        for name, info in OPTIONS.items():
            if self.family in info.families and name not in self.silent:
                yield name

    def telling(self) -> Iterator[str]:
        """Those of them that say something: none that another option has switched off."""
        for name in self.names():
            if name not in TELLING or TELLING[name](self):
                yield name

    def resolved(self) -> dict[str, object]:
        """Every applicable option in wire form."""
        return {name: OPTIONS[name].kind.write(self[name]) for name in self.names()}

    @property
    def counts_for_league(self) -> bool:
        """Whether there is a league score beside the points (RULES 7.4.13)."""
        return self.family == "gin" and not self.gin.training

    @property
    def settles(self) -> bool:
        """Whether anything is settled when the game is over: points, or the table's stake."""
        return self.settle.mode != "none" or self.settle.stake > 0

    @property
    def limit_sign(self) -> int:
        """A limit on net is a limit on what one has lost, where rounds cost points: then -1."""
        return -1 if self.end.measure == "net" and self.family in ("lay", "hand") else 1

    @property
    def has_wild_cards(self) -> bool:
        return self.deck.jokers > 0 or self.wild.twos

    @cached_property
    def for_defenders(self) -> "RuleSet":
        """These rules as they price the knocker's opponents: Tedesco's dear aces (RULES 7.4.4).

        Kept, since the solver prepares every rule set once.
        """
        if not self.gin.tedesco:
            return self
        return replace(self, value=replace(self.value, ace_hand=self.gin.tedesco_ace))

    def override(self, changes: Mapping[str, object]) -> "RuleSet":
        """These rules with options changed, checked one by one and together (RULES 3.7).

        Raises RuleError E_CONFIG for an unknown or inapplicable name, a value outside
        its range, and options that contradict each other.
        """
        rules = self.unchecked(changes)
        contradictions = tuple(inconsistencies(rules))
        if contradictions:
            raise RuleError.of(contradictions)
        return rules

    def unchecked(self, changes: Mapping[str, object]) -> "RuleSet":
        """As ``override``, without asking whether the options agree with each other."""
        values = {name: _read(name, value) for name, value in changes.items()}
        implied: dict[str, object] = {}
        for name, value in values.items():
            if name in IMPLIED:
                implied |= IMPLIED[name].get(value, {})
        rules = _with(self, implied | values)
        rules = replace(
            rules, silent=frozenset(name for name in rules.silent if not CALLED_FOR[name](rules))
        )
        known = set(rules.names()) - {"family"}
        strangers = [name for name in changes if name not in known]
        if strangers:
            raise RuleError.of(
                Problem("E_CONFIG", {"why": "not_applicable", "option": name}, (name,))
                for name in strangers
            )
        return rules


def stored(rules: RuleSet) -> dict[str, object]:
    """A rule set as JSON values, whole: a later change of its preset leaves it alone."""
    return {"preset": rules.preset, "options": rules.resolved()}


def kept(values: Mapping[str, Any]) -> RuleSet:
    """A rule set from what ``stored`` gave."""
    options = values["options"]
    family = options["family"]
    unsaid = (name for name in CALLED_FOR if family in OPTIONS[name].families)
    silent = frozenset(unsaid) - set(options)
    rules = RuleSet(preset=values["preset"], family=family, silent=silent)
    return _with(rules, {name: _read(name, value) for name, value in options.items()})


@dataclass(frozen=True)
class Option:
    """What is known about an option besides its value."""

    name: str
    kind: Kind
    source: str
    families: tuple[str, ...]
    usual: tuple[object, ...]


def _options() -> Iterator[Option]:
    for top in fields(RuleSet):
        if top.metadata:
            yield Option(name=top.name, **top.metadata)
        elif is_dataclass(top.type):
            for leaf in fields(top.type):
                yield Option(name=f"{top.name}.{leaf.name}", **leaf.metadata)


OPTIONS: Mapping[str, Option] = {found.name: found for found in _options()}
"""Every option by its dotted name, in the order of RULES 3."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "deal": ("teams", "players", "deck", "deal", "stock", "draw"),
    "melds": ("ace", "meld", "layoff", "robber"),
    "jokers": ("joker", "wild"),
    "out": ("out", "hand_romme", "klopfen"),
    "score": ("value", "score"),
    "gin": ("gin",),
    "knock": ("knock",),
    "end": ("end", "rank", "settle"),
}
"""Options by the words of the table; each group names the first part of its options."""

IMPLIED: Mapping[str, Mapping[Any, Mapping[str, object]]] = {
    "gin.cyclic": {True: {"ace.high": True, "ace.corner": True}},
    "gin.joker_rule": {True: {"deck.jokers": 3}, False: {"deck.jokers": 0}},
    "teams": {True: {"players.min": 4, "players.max": 4, "deal.cards": {0: 7}}},
    "klopfen.mode": {
        "palast": {
            "klopfen.extra_cards": 1,
            "klopfen.after_first_meld": True,
            "klopfen.consent": False,
        },
        "rasche": {
            "klopfen.extra_cards": 2,
            "klopfen.after_first_meld": False,
            "klopfen.consent": True,
        },
    },
    "rank.measure": {measure: {"settle.measure": measure} for measure in ("minus", "plus", "net")},
}
"""What else a value sets, unless it is said otherwise in the same breath."""

KLOPFEN_TERMS = ("klopfen.extra_cards", "klopfen.after_first_meld", "klopfen.consent")
HAND_ROMME_TERMS = (
    "hand_romme.factor",
    "hand_romme.allow_layoff",
    "hand_romme.waives_first_min",
)
WILD_TERMS = (
    "joker.hand_value",
    "joker.min_naturals",
    "joker.max_adjacent",
    "joker.placement",
    "joker.pinned_in_sets",
    "joker.swap",
)
CALLED_FOR: Mapping[str, Callable[[RuleSet], bool]] = {
    **dict.fromkeys(KLOPFEN_TERMS, lambda rules: rules.klopfen.mode != "off"),
    **dict.fromkeys(HAND_ROMME_TERMS, lambda rules: rules.hand_romme.enabled),
    **dict.fromkeys(WILD_TERMS, lambda rules: rules.has_wild_cards),
    "joker.swapped_to": lambda rules: rules.joker.swap != "none",
    "wild.twos_value": lambda rules: rules.wild.twos,
}
"""When an option that its source leaves out is needed after all."""


def _is_on(name: str) -> Callable[[RuleSet], bool]:
    return lambda rules: bool(rules[name])


TELLING: Mapping[str, Callable[[RuleSet], bool]] = {
    **CALLED_FOR,
    "joker.swapped_to": lambda rules: rules.has_wild_cards and rules.joker.swap != "none",
    **dict.fromkeys(
        ("end.points", "end.compare", "end.measure"), lambda rules: "points" in rules.end.mode
    ),
    "end.rounds": lambda rules: "rounds" in rules.end.mode,
    "layoff.first_turn": lambda rules: (
        rules.meld.first_min > 0 and (rules.layoff.scope, rules.joker.swap) != ("none", "none")
    ),
    "gin.oklahoma_ace": _is_on("gin.oklahoma"),
    "gin.tedesco_ace": _is_on("gin.tedesco"),
    "gin.joker_discard_factor": _is_on("gin.joker_rule"),
    "gin.joker_layon": _is_on("gin.joker_rule"),
    "gin.hirschn_bonus": _is_on("gin.hirschn"),
    "gin.hirschn_fail": _is_on("gin.hirschn"),
    "gin.glass_bonus": _is_on("gin.glass"),
    "gin.team_small_gin": _is_on("teams"),
    "gin.team_big_gin": _is_on("teams"),
    "gin.box_above_limit": _is_on("gin.box_bonus"),
}
"""When an option says something, where another one could have switched it off."""


def _read(name: str, value: object) -> Any:
    if name not in OPTIONS:
        raise RuleError("E_CONFIG", (name,), why="unknown", option=name)
    kind = OPTIONS[name].kind
    try:
        return kind.read(value)
    except (ValueError, TypeError, OverflowError):
        raise RuleError(
            "E_CONFIG",
            (name,),
            why="range",
            option=name,
            value=str(value)[:40],
            allowed=kind.describe(),
        ) from None


def _with(rules: RuleSet, values: Mapping[str, object]) -> RuleSet:
    tops: dict[str, Any] = {}
    for name, value in values.items():
        group, dot, leaf = name.partition(".")
        if dot:
            tops[group] = replace(tops.get(group, getattr(rules, group)), **{leaf: value})
        else:
            tops[group] = value
    return replace(rules, **tops)


FORMULAS = {
    "lay": ("minus", "minus_plus", "winner_collects"),
    "hand": ("minus",),
    "gin": ("gin",),
    "knock": ("knock",),
}


def inconsistencies(rules: RuleSet) -> Iterator[Problem]:
    """Options that cannot stand together (RULES 3.7), each with the names involved."""

    def clash(why: str, *names: str, **facts: object) -> Problem:
        return Problem("E_CONFIG", {"why": why, "options": names, **facts}, (names[0],))

    if rules.players.min > rules.players.max:
        yield clash("players", "players.min", "players.max")
    for players in range(rules.players.min, rules.players.max + 1):
        needed = cards_needed(rules, players)
        if needed > cards_in_deck(rules):
            yield clash(
                "deck_too_small",
                "deal.cards",
                "players.max",
                "deck.packs",
                players=players,
                needed=needed,
                has=cards_in_deck(rules),
            )
            break
    first = rules.deal.first_dealer
    if isinstance(first, int) and first >= rules.players.max:
        yield clash("first_dealer", "deal.first_dealer", "players.max", number=first + 1)
    if rules.teams and (rules.players.min, rules.players.max) != (4, 4):
        yield clash("teams", "teams", "players.min", "players.max")
    if rules.family == "gin" and not rules.teams and rules.players.max > 2:
        yield clash("gin_for_two", "players.max", "teams")
    if rules.family == "gin" and rules.gin.joker_rule != (rules.deck.jokers > 0):
        yield clash("joker_rule", "gin.joker_rule", "deck.jokers")
    if rules.ace.corner and not rules.ace.high:
        yield clash("corner", "ace.corner", "ace.high")
    if rules.gin.cyclic and not rules.ace.corner:
        yield clash("cyclic", "gin.cyclic", "ace.high", "ace.corner")
    if rules.gin.pro_min_wins and rules.end.mode != "points":
        yield clash("gin_pro", "gin.pro_min_wins", "end.mode")
    if rules.end.mode in ("points", "points_or_rounds") and rules.end.points is None:
        yield clash("end_points", "end.points", "end.mode")
    if rules.end.mode in ("rounds", "points_or_rounds") and rules.end.rounds is None:
        yield clash("end_rounds", "end.rounds", "end.mode")
    if rules.score.mode not in FORMULAS[rules.family]:
        yield clash("formula", "score.mode", "family", allowed=FORMULAS[rules.family])


def cards_in_deck(rules: RuleSet) -> int:
    """All cards of the deck, jokers included."""
    return 52 * rules.deck.packs + rules.deck.jokers


def cards_needed(rules: RuleSet, players: int) -> int:
    """Cards that must be there to begin: the deal, the upcard, in gin and knock two more."""
    more = 2 if rules.family in ("gin", "knock") else 0
    return players * rules.deal.to(players) + rules.deal.upcard + more


TAKEN_FOR_GRANTED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "lay": {"out.opponent_melds": ("none",)},
    "hand": {"layoff.scope": ("none",), "out.opponent_melds": ("none", "own")},
    "knock": {"layoff.scope": ("none",), "out.opponent_melds": ("none", "own")},
}
"""The values that a family's formula tells apart; any other has no effect (RULES 7.1, 7.3, 7.7)."""


def oddities(rules: RuleSet) -> Iterator[Problem]:
    """Options that do nothing here, or that few tables play (RULES 3.7.7, 3.7.8)."""
    applicable = set(rules.names())

    def idle(name: str, needs: str) -> Problem:
        return warning("W_OPTION_IDLE", (name,), option=name, needs=needs)

    def unusual(name: str) -> Problem:
        return warning("W_OPTION_UNUSUAL", (name,), option=name)

    for name, values in TAKEN_FOR_GRANTED.get(rules.family, {}).items():
        if rules[name] not in values:
            yield idle(name, "family")
    if not rules.has_wild_cards:
        if "joker.pinned_in_sets" in applicable and rules.joker.pinned_in_sets:
            yield idle("joker.pinned_in_sets", "deck.jokers")
        if "joker.swap" in applicable and rules.joker.swap != "none":
            yield idle("joker.swap", "deck.jokers")
    if rules.end.points is not None and rules.end.mode in ("manual", "rounds"):
        yield idle("end.points", "end.mode")
    if rules.end.rounds is not None and rules.end.mode in ("manual", "points"):
        yield idle("end.rounds", "end.mode")
    if rules.draw.two_small_table:
        yield unusual("draw.two_small_table")
        if rules.players.max > 3:
            yield idle("draw.two_small_table", "players.max")
    if rules.klopfen.mode == "rasche":
        yield unusual("klopfen.mode")
    if rules.score.winner_reduction:
        yield unusual("score.winner_reduction")
    if rules.gin.tedesco and not rules.gin.cyclic:
        yield unusual("gin.tedesco")
