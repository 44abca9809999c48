"""What is sent and what is answered, as types; written by ``make openapi``."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Accounts(TypedDict):
    """Everybody's balance in one unit, and what settles it."""

    unit: str
    amounts: list[str]
    payable: str
    payments: list[OpenPayment]
    fewest: bool


class Admission(TypedDict):
    """A game of the group: who sits where (null: by the name), whether it is training."""

    members: NotRequired[list[int | None]]
    training: NotRequired[bool]
    pen: NotRequired[str]


AgreedRate = TypedDict(
    "AgreedRate",
    {
        "unit": "str",
        "in": "str",
        "rate": "str",
    },
)
"""What one of a unit is in another, as the group agreed."""


class Attempt(TypedDict):
    """An attempt at the glass; a pile is compared with ``hit``."""

    kind: Literal["group", "sequence"]
    rank: NotRequired[Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]]
    suit: NotRequired[Literal["C", "D", "H", "S"]]
    by: NotRequired[int]
    hit: NotRequired[bool]
    pile: NotRequired[str | list[str] | None]


class BalanceMove(TypedDict):
    """What an entry changed one balance by."""

    member: int
    unit: str
    amount: str


class Balances(TypedDict):
    """Where everybody stands in one unit; what a member is owed is positive."""

    unit: str
    amounts: list[str]


class Begun(TypedDict):
    """An evening just begun; the group's secrets open its game."""

    id: str
    members: list[int]
    training: bool
    game: Game


class Change(TypedDict):
    """One entry of a game's history."""

    number: int
    at: str
    kind: str
    by: str
    words: dict[str, Any]
    details: dict[str, Any]
    before: WrittenRound | None
    after: WrittenRound | None


class Claim(TypedDict):
    """A claimed discard, and whether the player whose turn it was agreed."""

    card: str | list[str]
    consent: NotRequired[bool | None]


class Deal(TypedDict):
    """Who deals next, who begins, and how many cards each gets."""

    dealer: int
    first: int
    cards: int


class Deviation(TypedDict):
    """An option that is played differently here."""

    option: str
    value: Any
    usual: Any
    message: str
    otherwise: str


Drawn = TypedDict(
    "Drawn",
    {
        "from": "Literal['stock', 'discard']",
        "card": "NotRequired[str | list[str] | None]",
    },
)
"""Where the knocker's last card came from."""


class Encounter(TypedDict):
    """What stood between two members over all their evenings."""

    one: int
    other: int
    points: int
    rounds: int
    won: int
    lost: int


class Encounters(TypedDict):
    """Everybody against everybody; each pair once."""

    encounters: list[Encounter]


class Ending(TypedDict):
    """Why a game is over."""

    why: Literal["points", "rounds", "players"]
    early: bool
    limit: int | None
    sides: list[int]
    winner: int | None


class Entered(TypedDict):
    """What was entered, and how the money stands after it."""

    units: list[Accounts]
    rates: list[AgreedRate]
    entry: Entry


class Entry(TypedDict):
    """One entry of the book of money; nothing is edited, a correction is a further entry."""

    number: int
    at: str
    kind: Literal["booked", "paid", "settled", "converted", "reversed"]
    by: str
    game: str | None
    note: str
    details: dict[str, Any]
    moves: list[BalanceMove]
    reversed: bool


class Evening(TypedDict):
    """What a game of the group came to."""

    id: str
    title: str
    day: str
    training: bool
    over: bool
    rounds: int
    family: Literal["lay", "hand", "gin", "knock"]
    preset: str
    unit: str | None
    results: list[Result]


class Evenings(TypedDict):
    """Evenings of a group, the latest first, and how many there are in all."""

    total: int
    games: list[Evening]


class Figures(TypedDict):
    """One member's evenings summed up."""

    evenings: int
    evenings_won: int
    minus: int
    plus: int
    worth: int
    league: int
    played: int
    won: int
    hand_rommes: int
    gins: int
    undercuts: int
    left: int
    lost: int
    best: int | None
    worst: int | None
    streak: int
    amounts: list[UnitAmount]


class Finding(TypedDict):
    """One thing that is wrong (E_...) or worth a look (W_...)."""

    code: str
    message: str
    path: list[str | int]
    facts: dict[str, Any]
    rule: NotRequired[str]


class FirstMeld(TypedDict):
    """Whether a meld is enough to begin with."""

    reached: int
    needed: int
    enough: bool


class FirstMelds(TypedDict):
    """What a hand can begin with; null where it cannot."""

    needed: int
    cheapest: LaidOut | None
    dearest: LaidOut | None


class Fix(TypedDict):
    """A small change after which the cards are a meld."""

    how: Literal["declare", "without", "with", "instead"]
    cards: list[str]
    message: str


class Founded(TypedDict):
    """A group just founded, with its two secrets; they are shown this once."""

    id: str
    pen: str
    watch: str
    group: Group


class Game(TypedDict):
    """A game as it stands."""

    totals: list[Tally]
    ranking: list[int | None]
    leader: int | None
    over: bool
    ending: Ending | None
    next: Deal
    id: str
    version: int
    title: str
    place: str
    created_at: str
    changed_at: str
    as_it_was: bool
    rules: RuleSet
    players: list[PlayerName]
    first_dealer: int
    rounds: list[Row]


class GameChange(TypedDict):
    """What may change: title and place, or the end, or one player more; one at a time."""

    title: NotRequired[str]
    place: NotRequired[str]
    over: NotRequired[bool]
    player: NotRequired[Player]


class Glass(TypedDict):
    """One attempt at catching the glass."""

    by: int
    kind: Literal["group", "sequence"]
    rank: NotRequired[Literal["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]]
    suit: NotRequired[Literal["C", "D", "H", "S"]]
    hit: bool
    pile: NotRequired[str | list[str] | None]


class Group(TypedDict):
    """A group as it stands."""

    id: str
    version: int
    name: str
    created_at: str
    changed_at: str
    as_it_was: bool
    members: list[Member]
    house: RuleSet | None
    balances: list[Balances]
    evenings: int
    running: list[Running]


class GroupChange(TypedDict):
    """What may change: the name, or the house rules with their stake; one at a time."""

    name: NotRequired[str]
    rules: NotRequired[Rules]
    stake: NotRequired[Stake]


class GroupChangeAnswer(TypedDict):
    """One entry of a group's history."""

    number: int
    at: str
    kind: str
    by: str
    words: dict[str, Any]
    details: dict[str, Any]


class GroupHistory(TypedDict):
    """Everything that ever happened to a group, oldest first."""

    changes: list[GroupChangeAnswer]


class Hand(TypedDict):
    """The arrangement of a hand that leaves least."""

    points: int
    melds: list[Reading]
    layoffs: list[LayOff]
    rest: list[str]
    first_meld: FirstMelds | None
    ways_out: list[WayOut]
    warnings: list[Finding]


class HandQuestion(TypedDict):
    """A hand, the melds on the table that cards may be laid off on, and who holds it."""

    rules: Rules
    notation: NotRequired[Literal["en", "de", "auto"]]
    cards: str | list[str]
    table: NotRequired[list[Laid | str | list[str]]]
    has_laid: NotRequired[bool]


class Hirschn(TypedDict):
    """A Hirschn! call."""

    caller: int
    turns_after: int


class History(TypedDict):
    """Everything that ever happened to a game, oldest first."""

    changes: list[Change]


class Instead(TypedDict):
    """Something that would have been allowed."""

    how: str
    cards: list[str]
    on: list[str]
    message: str


class Laid(TypedDict):
    """A meld on the table: its cards; whose it is; what the asker calls it."""

    cards: str | list[str]
    own: NotRequired[bool]
    id: NotRequired[str | int]


class LaidOut(TypedDict):
    """Melds to begin with, and what they count."""

    points: int
    melds: list[Reading]


class LayOff(TypedDict):
    """A card laid off, and the meld of ``table`` that it goes on."""

    card: str
    meld: int


class Line(TypedDict):
    """One line of the receipt."""

    seat: int
    reason: str
    minus: int
    plus: int
    reduction: NotRequired[int]
    facts: dict[str, Any]
    message: str


class MeldCard(TypedDict):
    """A card in a meld."""

    card: str
    stands_for: str | None


class MeldCheck(TypedDict):
    """Whether cards are a meld, how they read and why; what is wrong, what would be right."""

    valid: bool
    kind: str | None
    points: int | None
    cards: list[MeldCard]
    readings: list[Reading]
    reasons: list[Reason]
    first_meld: FirstMeld | None
    fixes: list[Fix]
    problems: list[Finding]
    warnings: list[Finding]


class MeldQuestion(TypedDict):
    """Cards that might be a meld; ``first``: laid out as the first one of a round."""

    rules: Rules
    notation: NotRequired[Literal["en", "de", "auto"]]
    cards: str | list[str]
    first: NotRequired[bool]


class MeldRef(TypedDict):
    """A meld on the table: the owner's first melds count first, then his others."""

    seat: int
    index: int


class Member(TypedDict):
    """One member, known by the index for good."""

    index: int
    name: str
    erased: bool


class Moment(TypedDict):
    """Something worth telling of an evening; ``side`` is the player's seat, in teams the side."""

    code: Literal["lead", "turning_point", "biggest", "closest", "gap", "streak", "comeback"]
    facts: dict[str, Any]
    message: str


class Money(TypedDict):
    """A group's money, unit by unit."""

    units: list[Accounts]
    rates: list[AgreedRate]


class Move(TypedDict):
    """A card laid off on a meld, or exchanged for the joker in it."""

    card: str | list[str]
    meld: MeldRef


class NewEvening(TypedDict):
    """An evening to begin; without rules it is played as the group usually plays."""

    title: NotRequired[str]
    place: NotRequired[str]
    rules: NotRequired[Rules]
    players: list[Player]
    stake: NotRequired[Stake]
    first_dealer: NotRequired[Literal[0, 1, 2, 3, 4, 5, "draw"]]
    training: NotRequired[bool]


class NewGame(TypedDict):
    """A game to begin, players clockwise."""

    title: str
    place: NotRequired[str]
    rules: Rules
    players: list[Player]
    stake: NotRequired[Stake]
    first_dealer: NotRequired[Literal[0, 1, 2, 3, 4, 5, "draw"]]


class NewGroup(TypedDict):
    """A group to found, with its house rules if it has some."""

    name: str
    members: NotRequired[list[Player]]
    rules: NotRequired[Rules]
    stake: NotRequired[Stake]


class OneMember(TypedDict):
    """Everything about one member."""

    index: int
    name: str
    erased: bool
    balances: list[UnitAmount]
    figures: Figures | None
    streaks: Streaks
    encounters: list[Encounter]
    statement: list[StatementEntry]


OpenPayment = TypedDict(
    "OpenPayment",
    {
        "from": "int",
        "to": "int",
        "amount": "str",
    },
)
"""One of the payments that settle everything, from member to member."""


class Opened(TypedDict):
    """A game just begun, with its two secrets; they are shown this once."""

    id: str
    pen: str
    watch: str
    game: Game


class Option(TypedDict):
    """One option of the rules."""

    name: str
    type: str
    allowed: dict[str, Any]
    meaning: str
    source: str
    families: list[str]


class Options(TypedDict):
    """All options."""

    options: list[Option]


class Paid(TypedDict):
    """Whether a payment was made."""

    paid: bool


Payment = TypedDict(
    "Payment",
    {
        "from": "int",
        "to": "int",
        "amount": "str",
        "unit": "str",
        "note": "NotRequired[str]",
    },
)
"""Who paid whom how much, and why."""


class Player(TypedDict):
    """One at the table."""

    name: str


class PlayerName(TypedDict):
    """One at the table."""

    name: str


class Preset(TypedDict):
    """A rule system."""

    preset: str
    family: Literal["lay", "hand", "gin", "knock"]
    options: dict[str, Any]
    name: str
    description: str


class Presets(TypedDict):
    """All rule systems."""

    presets: list[Preset]


class Problem(TypedDict):
    """Why a call was refused (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    problems: list[Finding]


Rate = TypedDict(
    "Rate",
    {
        "unit": "str",
        "in": "str",
        "rate": "str",
    },
)
"""What one of a unit is in another."""


class Reading(TypedDict):
    """One way to read cards as a meld."""

    kind: Literal["set", "run", "rainbow"]
    points: int
    cards: list[MeldCard]


class Reason(TypedDict):
    """A rule by which cards are a meld."""

    clause: str
    message: str


class Result(TypedDict):
    """One seat's evening; partners in teams have each the figures of their side."""

    seat: int
    member: int
    rank: int | None
    minus: int
    plus: int
    worth: int
    league: int
    played: int
    won: int
    hand_rommes: int
    gins: int
    undercuts: int
    left: int
    lost: int
    best: int | None
    worst: int | None
    streak: int
    amount: str | None


class Reversal(TypedDict):
    """Which entry is taken back."""

    number: int


class Round(TypedDict):
    """A round of any family."""

    outcome: Literal["out", "knock", "void", "cancelled"]
    winner: NotRequired[int | None]
    knocker: NotRequired[int | None]
    hand_romme: NotRequired[bool]
    seats: NotRequired[list[Seat]]
    oklahoma_card: NotRequired[str | list[str] | None]
    drawn: NotRequired[Drawn | None]
    joker_discarded: NotRequired[bool]
    hirschn: NotRequired[Hirschn | None]
    glass: NotRequired[list[Glass] | None]
    accept_irregular: NotRequired[bool]
    note: NotRequired[str]
    notation: NotRequired[Literal["en", "de", "auto"]]


class RoundAnswer(TypedDict):
    """A round, and how the evening stands."""

    totals: list[Tally]
    ranking: list[int | None]
    leader: int | None
    over: bool
    ending: Ending | None
    next: Deal
    number: int
    at: str
    corrected_at: str | None
    struck_at: str | None
    round: dict[str, Any]
    score: Score
    dealer: int


class Row(TypedDict):
    """One round on the sheet of a game."""

    number: int
    at: str
    corrected_at: str | None
    struck_at: str | None
    round: dict[str, Any]
    score: Score
    dealer: int


class RuleSet(TypedDict):
    """A table's rules with every option resolved."""

    preset: str
    family: Literal["lay", "hand", "gin", "knock"]
    options: dict[str, Any]


class Rules(TypedDict):
    """A rule system and what this table plays differently."""

    preset: str
    options: NotRequired[dict[str, Any]]


class RulesBody(TypedDict):
    """House rules to be checked."""

    rules: Rules


class RulesCheck(TypedDict):
    """House rules resolved, what is different about them, and what is odd."""

    preset: str
    family: Literal["lay", "hand", "gin", "knock"]
    options: dict[str, Any]
    deviations: list[Deviation]
    warnings: list[Finding]


class Running(TypedDict):
    """An evening that is not over."""

    id: str
    title: str
    day: str


class Score(TypedDict):
    """What a round is worth, and why."""

    outcome: str
    winner: int | None
    mark: Literal["verified", "counted", "unverified"]
    scores: list[SeatScore | None]
    lines: list[Line]
    warnings: list[Finding]


class ScoreBody(TypedDict):
    """A round to be priced; ``end_points`` absent: as in the rules, null: no limit."""

    rules: Rules
    players: int
    end_points: NotRequired[int | None]
    round: Round


Season = TypedDict(
    "Season",
    {
        "by": "Literal['points', 'average', 'wins', 'money', 'league']",
        "from": "str",
        "to": "str",
        "family": "str | None",
        "unit": "str | None",
        "min_rounds": "int",
        "standings": "list[Standing]",
    },
)
"""A season table, and which evenings and units it is about."""


class Seat(TypedDict):
    """What is declared of one player; a key that is absent was not stated."""

    absent: NotRequired[bool]
    hand: NotRequired[str | list[str] | None]
    rest: NotRequired[str | list[str] | None]
    points: NotRequired[int]
    count: NotRequired[int]
    deadwood: NotRequired[int]
    aces: NotRequired[int]
    announced: NotRequired[int]
    first_meld: NotRequired[list[str | list[str]] | None]
    melds: NotRequired[list[str | list[str]] | None]
    layoffs: NotRequired[list[Move] | None]
    swaps: NotRequired[list[Move] | None]
    discard: NotRequired[str | list[str] | None]
    klopfen: NotRequired[int]
    laid: NotRequired[bool]
    turns: NotRequired[int]
    notation: NotRequired[Literal["en", "de", "auto"]]


class SeatScore(TypedDict):
    """What one player (in teams: a side) gets in a round."""

    minus: int
    plus: int
    net: int
    reduction: NotRequired[int]
    league: NotRequired[int]


class Secret(TypedDict):
    """A new secret; it is shown this once."""

    right: str
    secret: str


class SecretBody(TypedDict):
    """The right whose secret is replaced."""

    right: Literal["pen", "watch"]


class Settlement(TypedDict):
    """Who stands where and who pays whom; amounts are exact, in the unit."""

    mode: Literal["pairwise", "balance", "none"]
    measure: Literal["minus", "plus", "net"]
    point_value: str | None
    unit: str
    payable: str
    stake: str
    totals: list[int]
    pairs: list[list[int | None]] | None
    balances: list[int] | None
    stakes: list[str] | None
    amounts: list[str] | None
    payable_amounts: list[str] | None
    transfers: list[Transfer] | None
    warnings: NotRequired[list[Finding]]


class SettlementBody(TypedDict):
    """Totals to be settled; with neither point value nor stake there is no money."""

    measure: Literal["minus", "plus", "net"]
    mode: NotRequired[Literal["pairwise", "balance", "none"]]
    totals: list[int]
    point_value: NotRequired[str | None]
    unit: NotRequired[str]
    payable: NotRequired[str]
    stake: NotRequired[str]
    winners: NotRequired[list[int]]


class Sheet(TypedDict):
    """A typed sheet, and what it is reckoned by; else by the house rules of the group."""

    sheet: str
    rules: NotRequired[Rules]
    stake: NotRequired[Stake]


class Stake(TypedDict):
    """What is played for: settle.point_value, settle.unit, settle.payable, settle.stake."""

    point_value: NotRequired[str | None]
    unit: NotRequired[str]
    payable: NotRequired[str]
    stake: NotRequired[str]


class Standing(TypedDict):
    """One member's place in the season."""

    member: int
    name: str
    rank: int | None
    value: str | None
    figures: Figures


class Statement(TypedDict):
    """The book of money, oldest first; of one member where one is named."""

    entries: list[StatementEntry]


class StatementEntry(TypedDict):
    """An entry, and where the member stands after it; empty where no member was named."""

    number: int
    at: str
    kind: Literal["booked", "paid", "settled", "converted", "reversed"]
    by: str
    game: str | None
    note: str
    details: dict[str, Any]
    moves: list[BalanceMove]
    reversed: bool
    balances: list[UnitAmount]


class Step(TypedDict):
    """One move: melds are numbered as they come to the table, those of ``before`` first."""

    move: Literal["steal", "lay", "lay_off", "swap"]
    cards: str | list[str]
    meld: NotRequired[int | None]


class Streaks(TypedDict):
    """Longest rows of wins."""

    rounds: int
    evenings: int


class Tally(TypedDict):
    """Where one player (in teams: a side) stands."""

    minus: int
    plus: int
    net: int
    reduced: int
    won: int
    played: int
    league: NotRequired[int]


class ToldEvening(TypedDict):
    """An evening and its story."""

    id: str
    title: str
    day: str
    training: bool
    over: bool
    rounds: int
    family: Literal["lay", "hand", "gin", "knock"]
    preset: str
    unit: str | None
    results: list[Result]
    story: list[Moment]


Transfer = TypedDict(
    "Transfer",
    {
        "from": "int",
        "to": "int",
        "amount": "str",
        "paid_at": "NotRequired[str | None]",
    },
)
"""One payment."""


class Turn(TypedDict):
    """Whether a turn was allowed."""

    allowed: bool
    problems: list[TurnFinding]
    warnings: list[TurnFinding]


TurnDrawn = TypedDict(
    "TurnDrawn",
    {
        "from": "Literal['stock', 'discard']",
        "card": "NotRequired[str | list[str] | None]",
    },
)
"""A card drawn in a turn; a card of the stock need not be named."""


class TurnFinding(TypedDict):
    """What is against a turn, and what would be allowed instead."""

    code: str
    message: str
    path: list[str | int]
    facts: dict[str, Any]
    rule: NotRequired[str]
    fixes: list[Instead]


class TurnQuestion(TypedDict):
    """A turn; what is absent was not stated and is not judged."""

    rules: Rules
    notation: NotRequired[Literal["en", "de", "auto"]]
    before: NotRequired[list[Laid | str | list[str]]]
    hand_used: NotRequired[str | list[str]]
    after: NotRequired[list[Laid | str | list[str]]]
    to_hand: NotRequired[str | list[str]]
    has_laid: NotRequired[bool]
    steps: NotRequired[list[Step]]
    drawn: NotRequired[list[TurnDrawn] | None]
    laid_before_drawing: NotRequired[bool]
    discard: NotRequired[str | list[str] | None]
    discard_is_drawn: NotRequired[bool]
    in_turn: NotRequired[bool]
    claim: NotRequired[Claim | None]
    glass: NotRequired[list[Attempt] | None]
    hirschn: NotRequired[bool]
    knock: NotRequired[bool]
    hand_left: NotRequired[int]
    players: NotRequired[int]


class TypedEvening(TypedDict):
    """What an evening was understood as."""

    day: str
    rounds: int
    players: list[TypedPlayer]
    winners: list[str]
    known: bool


class TypedPlayer(TypedDict):
    """One column of an evening."""

    name: str
    member: int | None
    total: int
    won: int


class Understood(TypedDict):
    """What a sheet was understood as; nothing was written."""

    evenings: list[TypedEvening]


class Unit(TypedDict):
    """Which unit is meant."""

    unit: str


class UnitAmount(TypedDict):
    """An amount in its unit."""

    unit: str
    amount: str


Units = TypedDict(
    "Units",
    {
        "unit": "str",
        "in": "str",
    },
)
"""From which unit into which other."""


class WayOut(TypedDict):
    """A way to go out at once."""

    points: int
    melds: list[Reading]
    layoffs: list[LayOff]
    rest: list[str]
    discard: str | None


class WrittenRound(TypedDict):
    """One round of a game as it was written."""

    number: int
    at: str
    corrected_at: str | None
    struck_at: str | None
    round: dict[str, Any]
    score: Score
