"""A whole turn: RULES 10.4. Each code has an allowed and a refused turn."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from examples import cards
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit, card_named
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import lay_off, read_meld, swap_joker
from scorekeeper.domain.referee.facts import Claim, Turn
from scorekeeper.domain.referee.remedies import remedies
from scorekeeper.domain.referee.steps import Step
from scorekeeper.domain.referee.table_change import TableChange, TableMeld
from scorekeeper.domain.referee.turn import WHYS, check_turn
from scorekeeper.domain.rounds.facts import Drawn, Glass
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import LANGUAGES, language

ROBBER = preset("robber")
FAMILY = preset("german-family")
PALAST = preset("romme-palast")
LUXEMBOURG = preset("luxembourg")
GIN = preset("gin-palast").override({"gin.glass": True, "gin.hirschn": True})
CLAIMS = PALAST.override({"klopfen.mode": "palast"})
RASCHE = FAMILY.override({"klopfen.mode": "rasche"})
TWO = FAMILY.override({"draw.two_small_table": True})
TWINS = FAMILY.override({"draw.no_immediate_return": True})

FREE_WIENER = preset("wiener").override({"out.discard_required": False})
GINS = preset("gin-palast")

STOCK = Drawn("stock")
SEVEN = card_named("7C")
TAKEN = Drawn("discard", SEVEN)


def table(before: Sequence[str], hand: str, after: Sequence[str]) -> TableChange:
    return TableChange(
        before=tuple(TableMeld(cards(meld)) for meld in before),
        hand_used=cards(hand),
        after=tuple(cards(meld) for meld in after),
    )


def glass(hit: bool = True) -> Glass:
    return Glass(by=0, kind="group", rank=Rank.SEVEN, hit=hit, pile=cards("7H 2C 7S KD 7C"))


LAID = table([], "7C 8C 9C", ["7C 8C 9C"])
UNCHANGED = table(["4S 5S 6S"], "", ["4S 5S 6S"])


def turn(**facts: Any) -> Turn:
    if "discard" in facts:
        facts["discard"] = cards(facts["discard"])
    return Turn(**facts)


SWAPPED_TO_HAND = replace(table(["9H JK=10H JH"], "10H", ["9H 10H JH"]), to_hand=(JOKER,))
ONE_JOKER = FAMILY.override({"deck.jokers": 1})
TOO_MANY = "E_TOO_MANY_JOKERS.table"
SMALL_CLAIMS = CLAIMS.override({"deck.packs": 1, "deal.cards": 7})
SEVENS_SOMEWHERE = Glass(by=0, kind="group", rank=Rank.SEVEN, hit=True)
HEARTS_SOMEWHERE = Glass(by=0, kind="sequence", suit=Suit.HEARTS, hit=True)
LAID_OFF = table(["4S 5S 6S"], "7S", ["4S 5S 6S 7S"])

# --- a hand rommé -------------------------------------------------------------------------

LAST_REST = FAMILY.override({"out.max_rest": 5})
UNWAIVED = FAMILY.override({"hand_romme.waives_first_min": False})
HAND_REFUSED = "E_NOT_LAID.hand_romme"
LOW_MELDS = ["AS 2S 3S", "2H 2D 2C", "3H 3D 3C"]
LOW_CARDS = "AS 2S 3S 2H 2D 2C 3H 3D 3C"
LOW_FOUR = table([], f"{LOW_CARDS} 4H 4D 4C 4S", [*LOW_MELDS, "4H 4D 4C 4S"])
ON_FOURS = table(["4H 4D 4C"], f"{LOW_CARDS} 4S", [*LOW_MELDS, "4H 4D 4C 4S"])
OVER_THIRTY = table(["4H 4D 4C"], "KH KD KS 4S", ["KH KD KS", "4H 4D 4C 4S"])
SWAPPING = table(
    ["9H JK=10H JH"], f"{LOW_CARDS} 10H 8C 8D", [*LOW_MELDS, "9H 10H JH", "8C 8D JK=8S"]
)
ONLY_LAID_OFF = table(["4H 4D 4C"], "4S", ["4H 4D 4C 4S"])
ROBBING = table(["4S 5S 6S 7S"], "8S 9S", ["4S 5S 6S", "7S 8S 9S"])


def romme(change: TableChange, hand_left: int | None = 0, **facts: Any) -> Turn:
    """Return a turn of a player who has not laid out before, and goes out."""
    change = replace(change, has_laid=False)
    return turn(change=change, has_laid=False, discard="KC", hand_left=hand_left, **facts)


def named(found: Sequence[Problem]) -> str:
    """Return the codes with their reasons; each has its clause and a sentence."""
    for problem in found:
        clause = f"clause.{problem.facts['clause']}"
        assert all(clause in language(code) for code in LANGUAGES), clause
        assert all(language(code).problem(problem) for code in LANGUAGES)
    whys = ((problem.code, problem.facts.get("why")) for problem in found)
    return " ".join(f"{code}.{why}" if why else code for code, why in whys)


CASES = [
    # whose turn it is
    (PALAST, turn(in_turn=True, change=LAID), ""),
    (PALAST, turn(in_turn=False, change=LAID), "E_NOT_IN_TURN.laid"),
    (PALAST, turn(in_turn=False, change=UNCHANGED), ""),
    (
        PALAST,
        turn(in_turn=False, change=table(["4S 5S 6S"], "", []), steps=(Step("lay", ()),)),
        "E_MELD_SHORT E_NOT_IN_TURN.laid",
    ),
    (PALAST, turn(in_turn=False, drawn=(STOCK,)), "E_NOT_IN_TURN.drawn"),
    (PALAST, turn(in_turn=False, discard="4C"), "E_NOT_IN_TURN.discarded"),
    (PALAST, turn(in_turn=False, drawn=(), discard="", hand_left=5), ""),  # waits
    # a claim
    (PALAST, turn(in_turn=False, claim=Claim(SEVEN)), "E_KLOPFEN_OFF.turn"),
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN)), ""),
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN), drawn=(STOCK,)), ""),  # what it costs
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN), change=LAID), "E_NOT_IN_TURN.claimed"),
    (CLAIMS, turn(claim=Claim(SEVEN), has_laid=False), "E_KLOPFEN_TOO_EARLY.turn"),
    (RASCHE, turn(claim=Claim(SEVEN), has_laid=False), ""),
    (RASCHE, turn(claim=Claim(SEVEN, consent=False)), "E_KLOPFEN_REFUSED"),
    (RASCHE, turn(claim=Claim(SEVEN, consent=True)), ""),
    (CLAIMS, turn(claim=Claim(SEVEN, consent=False)), ""),  # no consent needed
    (RASCHE, turn(claim=Claim(SEVEN), change=LAID), ""),
    (RASCHE, turn(claim=Claim(SEVEN), change=UNCHANGED), "E_KLOPFEN_NOT_MELDED"),
    (RASCHE, turn(claim=Claim(SEVEN), change=UNCHANGED, in_turn=False), ""),  # not yet
    (CLAIMS, turn(claim=Claim(SEVEN), change=UNCHANGED), ""),
    (
        RASCHE,  # a lay-off, and a meld with cards from the table, are not enough
        turn(claim=Claim(SEVEN), change=table(["4C 5C 6C"], "7C 8C 9C", ["4C..9C"])),
        "E_KLOPFEN_NOT_MELDED",
    ),
    (
        RASCHE.override({"robber.enabled": True}),
        turn(
            claim=Claim(SEVEN),
            change=table(["7H 7S 7D", "8C 9C 10C JC"], "7C 6C", ["7H 7S 7D", "6C..10C JC"]),
        ),
        "E_KLOPFEN_NOT_MELDED",
    ),
    # what a claim costs: R26
    (CLAIMS, turn(claim=Claim(SEVEN), drawn=()), "E_CLAIM_PENALTY"),
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN), drawn=(STOCK, STOCK)), "E_CLAIM_PENALTY"),
    (CLAIMS, turn(claim=Claim(SEVEN), drawn=(TAKEN, STOCK)), ""),  # the claimed card itself
    (CLAIMS, turn(claim=Claim(SEVEN), drawn=(Drawn("discard"), STOCK)), ""),
    (
        CLAIMS,
        turn(claim=Claim(SEVEN), drawn=(Drawn("discard", card_named("8C")), STOCK)),
        "E_CLAIM_PENALTY",
    ),
    (RASCHE, turn(claim=Claim(SEVEN), drawn=(STOCK,)), "E_CLAIM_PENALTY"),
    (RASCHE, turn(claim=Claim(SEVEN), drawn=(STOCK, STOCK)), ""),
    (RASCHE, turn(claim=Claim(SEVEN, consent=False), drawn=()), "E_KLOPFEN_REFUSED"),
    (PALAST, turn(claim=Claim(SEVEN), drawn=()), "E_KLOPFEN_OFF.turn E_NOT_DRAWN"),
    # drawing
    (PALAST, turn(drawn=(), discard="4C"), "E_NOT_DRAWN"),  # R17
    (PALAST, turn(discard="4C"), ""),  # not stated
    (PALAST, turn(drawn=(STOCK,)), ""),
    (PALAST, turn(drawn=(STOCK, TAKEN)), "E_DRAWN_TWICE"),
    (TWO, turn(drawn=(STOCK, STOCK), players=3), ""),
    (TWO, turn(drawn=(STOCK, STOCK), players=4), "E_DRAWN_TWICE"),
    (TWO, turn(drawn=(STOCK,) * 3, players=3), "E_DRAWN_COUNT"),
    (TWO, turn(drawn=(STOCK, TAKEN, STOCK), players=2), "E_DRAWN_COUNT"),  # in this order
    (TWO, turn(drawn=(), players=3), "E_NOT_DRAWN"),
    (TWO, turn(drawn=(STOCK,), players=4), ""),
    (TWO, turn(drawn=(STOCK, STOCK)), ""),  # players not stated
    (TWO, turn(drawn=(STOCK,)), ""),
    (TWO, turn(drawn=(STOCK,) * 3), "E_DRAWN_COUNT"),
    (FAMILY, turn(drawn=(STOCK, STOCK), players=3), "E_DRAWN_TWICE"),
    (LUXEMBOURG, turn(laid_before_drawing=True), "E_DRAW_FIRST"),
    (LUXEMBOURG, turn(laid_before_drawing=False), ""),
    # the card from the discard pile
    (ROBBER, turn(drawn=(TAKEN,), change=LAID), ""),
    (ROBBER, turn(drawn=(TAKEN,), change=UNCHANGED), "E_DISCARD_NOT_MELDED"),  # R16
    (ROBBER, turn(drawn=(TAKEN,)), ""),  # the table not stated
    (ROBBER, turn(drawn=(Drawn("discard"),), change=UNCHANGED), ""),  # which card is not stated
    (ROBBER, turn(drawn=(Drawn("stock", SEVEN),), change=UNCHANGED), ""),
    (FAMILY, turn(drawn=(TAKEN,), change=UNCHANGED), ""),
    (
        ROBBER,  # its duplicate was there before
        turn(drawn=(TAKEN,), change=table(["7C 8C 9C"], "", ["7C 8C 9C"])),
        "E_DISCARD_NOT_MELDED",
    ),
    (
        ROBBER,
        turn(drawn=(TAKEN,), change=table(["4C 5C 6C"], "7C", ["4C 5C 6C 7C"])),
        "",
    ),
    (
        ROBBER,
        turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=True, change=LAID),
        "E_DISCARD_NOT_MELDED.discarded",
    ),
    (LUXEMBOURG, turn(drawn=(TAKEN,), discard="7C"), "E_RETURNED"),  # R15
    (LUXEMBOURG, turn(drawn=(STOCK,), discard="7C"), ""),  # a later turn
    (LUXEMBOURG, turn(drawn=(TAKEN,), discard="8C"), ""),
    (LUXEMBOURG, turn(drawn=(Drawn("stock", SEVEN),), discard="7C"), ""),
    (TWINS, turn(drawn=(TAKEN,), discard="7C"), "W_RETURNED"),
    (TWINS, turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=True), "E_RETURNED"),
    (TWINS, turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=False), ""),
    (FAMILY, turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=True), ""),
    (TWINS, turn(drawn=(Drawn("discard", card_named("JK")),), discard="JK"), "W_RETURNED"),
    # the end of the turn
    (FAMILY, turn(discard="", hand_left=1), "E_DISCARD_MISSING"),
    (LUXEMBOURG, turn(discard="", hand_left=1), "E_DISCARD_MISSING"),
    (FAMILY, turn(discard="", hand_left=0), "E_DISCARD_REQUIRED.turn"),
    (LUXEMBOURG, turn(discard="", hand_left=0), ""),
    (FAMILY, turn(discard=""), "E_DISCARD_MISSING.unknown"),  # R28: wrong in either case
    (LUXEMBOURG, turn(discard=""), ""),
    (preset("knock-rummy"), turn(discard="", knock=True), ""),
    (GINS, turn(discard="", knock=True, hand_left=0), "E_DISCARD_REQUIRED.turn"),
    (
        GINS.override({"out.discard_required": False}),
        turn(discard="", knock=True),
        "E_DISCARD_MISSING.unknown",
    ),
    (FREE_WIENER, turn(discard="", hand_left=3), ""),  # out with a rest of up to 9
    (FREE_WIENER, turn(discard="", hand_left=5), "E_DISCARD_MISSING"),
    (FAMILY, turn(discard="4C", hand_left=0), ""),
    # a hand rommé: R21, R22
    (PALAST, romme(LOW_FOUR), ""),
    (PALAST, romme(LOW_FOUR, hand_left=None), "E_FIRST_MIN.turn_single"),
    (LAST_REST, romme(LOW_FOUR, hand_left=1), ""),  # up to 5 points may be left
    (LAST_REST, romme(LOW_FOUR, hand_left=3), "E_FIRST_MIN.turn_together"),
    (FAMILY.override({"hand_romme.enabled": False}), romme(LOW_FOUR), "E_FIRST_MIN.turn_together"),
    (UNWAIVED, romme(LOW_FOUR), "E_FIRST_MIN.turn_together"),
    (FAMILY, romme(ON_FOURS), ""),
    (UNWAIVED, romme(ON_FOURS), "E_FIRST_MIN.turn_together E_NOT_LAID.first_turn"),
    (ROBBER, romme(ON_FOURS), ""),
    (ROBBER.override({"hand_romme.allow_layoff": False}), romme(ON_FOURS), HAND_REFUSED),
    (PALAST, romme(ON_FOURS), "E_NOT_LAID.hand_romme"),
    (PALAST, romme(OVER_THIRTY), ""),  # an ordinary first turn that goes out
    (FAMILY, romme(SWAPPING), "E_NOT_LAID.hand_romme_swap"),
    (FAMILY, romme(ONLY_LAID_OFF), "E_NOT_LAID.lay_off"),
    (ROBBER, romme(ROBBING), "E_NOT_LAID.rob"),
    (
        PALAST,  # step by step
        romme(
            table(["4H 4D 4C"], "AS 2S 3S 4S", []),
            steps=(Step("lay", cards("AS 2S 3S")), Step("lay_off", cards("4S"), 0)),
        ),
        "E_NOT_LAID.hand_romme",
    ),
    (
        PALAST.override({"hand_romme.allow_layoff": True}),
        romme(
            table(["4H 4D 4C"], "AS 2S 3S 4S", []),
            steps=(Step("lay", cards("AS 2S 3S")), Step("lay_off", cards("4S"), 0)),
        ),
        "",
    ),
    # families without laying out: R23
    (preset("wiener"), turn(change=LAID), "E_NO_LAYING.out"),
    (preset("wiener"), turn(change=LAID, hand_left=3, discard="KC"), ""),
    (preset("wiener"), turn(change=LAID, hand_left=5, discard="KC"), "E_NO_LAYING.out"),
    (preset("american-continental"), turn(change=LAID, hand_left=1), "E_NO_LAYING.out"),
    (preset("american-continental"), turn(change=LAID, hand_left=0), ""),
    (GINS, turn(change=LAID), "E_NO_LAYING.knock"),
    (GINS, turn(change=LAID, knock=False, hand_left=0), "E_NO_LAYING.knock"),
    (GINS, turn(change=LAID, knock=True, hand_left=3), ""),
    (GINS, turn(change=UNCHANGED), ""),
    (GINS, turn(change=LAID_OFF), "E_NO_LAYING.knock"),
    (GINS, turn(change=LAID_OFF, knock=True), "E_NO_LAYING.moved"),
    (
        GINS,
        turn(
            change=table(["4S 5S 6S"], "7S", []),
            steps=(Step("lay_off", cards("7S"), 0),),
            knock=True,
        ),
        "E_NO_LAYING.moved",
    ),
    (GINS, turn(change=table([], "7C 8C", ["7C 8C"]), knock=True), "E_MELD_SHORT"),
    (preset("knock-rummy"), turn(change=LAID, hand_left=0), ""),
    # the cards that there are: R27
    (LUXEMBOURG, turn(change=LAID, discard="7C"), "E_DUPLICATE_CARD.turn"),
    (LUXEMBOURG, turn(change=LAID, drawn=(TAKEN,)), ""),  # drawn and played
    (LUXEMBOURG, turn(lying=(cards("7C 8C 9C"),), drawn=(TAKEN,)), "E_DUPLICATE_CARD.turn"),
    (
        LUXEMBOURG,
        turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=False),
        "E_DUPLICATE_CARD.turn E_RETURNED",
    ),
    (LUXEMBOURG, turn(discard="JK"), "E_JOKER_NOT_IN_DECK"),
    (FAMILY, turn(change=SWAPPED_TO_HAND, discard="JK"), ""),  # the joker from the table
    (ONE_JOKER, turn(change=SWAPPED_TO_HAND, discard="JK"), ""),
    (ONE_JOKER, turn(change=SWAPPED_TO_HAND, drawn=(Drawn("stock", JOKER),)), TOO_MANY),
    (SMALL_CLAIMS, turn(claim=Claim(SEVEN), drawn=(TAKEN, STOCK), change=LAID), ""),
    (SMALL_CLAIMS, turn(claim=Claim(SEVEN), lying=(cards("7C 8C 9C"),)), "E_DUPLICATE_CARD.turn"),
    (GIN, turn(glass=(glass(),), discard="7H"), "E_DUPLICATE_CARD.turn"),
    (GIN, turn(glass=(glass(),), discard="7D"), ""),
    (GIN, turn(glass=(glass(),), drawn=(Drawn("discard", card_named("KD")),)), ""),
    (GIN, turn(glass=(glass(),), discard="KD"), "E_DUPLICATE_CARD.turn"),
    (GIN, turn(glass=(SEVENS_SOMEWHERE,), drawn=(TAKEN,), discard="8C"), ""),
    (
        GIN,
        turn(glass=(SEVENS_SOMEWHERE,), drawn=(TAKEN,), discard="7D"),
        "E_DUPLICATE_CARD.caught_group",
    ),
    (GIN, turn(glass=(HEARTS_SOMEWHERE,), discard="7H"), ""),
    (
        GIN,
        turn(glass=(HEARTS_SOMEWHERE,), lying=(cards("AH 2H 3H 4H"), cards("7H 9H JH KH 6H"))),
        "E_DUPLICATE_CARD.caught_sequence",
    ),
    # gin
    (GIN, turn(in_turn=False, hirschn=True), "E_NOT_IN_TURN.hirschn"),  # R24
    (GIN, turn(in_turn=False, glass=(glass(),)), "E_NOT_IN_TURN.glass"),
    (GIN, turn(in_turn=False, knock=True), "E_NOT_IN_TURN.knock"),
    (GIN, turn(in_turn=False, hirschn=False, glass=(), knock=False), ""),
    (preset("knock-rummy"), turn(in_turn=False, knock=True), "E_NOT_IN_TURN.knock"),
    (GIN, turn(glass=(glass(),)), ""),
    (GIN, turn(glass=(glass(), glass())), "E_GLASS_AGAIN"),
    (GIN, turn(glass=(glass(hit=False),)), "E_GLASS.was_there"),
    (PALAST, turn(glass=(glass(),)), "E_RULE_OFF"),
    (GIN, turn(hirschn=True, knock=True), "E_HIRSCHN.turn"),
    (GIN, turn(hirschn=True, knock=False), ""),
    (GIN, turn(hirschn=False, knock=True), ""),
    (GINS, turn(hirschn=True), "E_RULE_OFF"),
    (preset("knock-rummy"), turn(knock=True), ""),
    (PALAST, turn(knock=True), "E_RULE_OFF.knock"),
    # melds per turn
    (
        LUXEMBOURG,
        turn(change=table([], "7C 8C 9C 4H 5H 6H", ["7C 8C 9C", "4H 5H 6H"])),
        "E_MELDS_PER_TURN.turn",
    ),
    (
        ROBBER.override({"meld.max_per_turn": 1}),
        turn(change=table([], "7C 8C 9C 4H 5H 6H", ["7C 8C 9C", "4H 5H 6H"])),
        "E_MELDS_PER_TURN.turn",
    ),
]


@pytest.mark.parametrize(("rules", "played", "found"), CASES)
def test_a_whole_turn_has_the_expected_findings(rules: RuleSet, played: Turn, found: str) -> None:
    assert named(check_turn(played, rules)) == found


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_facts_not_stated_are_not_judged(rules: RuleSet) -> None:
    assert check_turn(Turn(), rules) == ()


def test_every_code_is_refused_once_and_allowed_once() -> None:
    refused = {name for _, _, found in CASES for name in found.split()}

    assert set(WHYS) <= refused
    assert {"E_NOT_DRAWN", "E_DRAW_FIRST", "E_RETURNED", "W_RETURNED"} <= refused
    assert any(not found for _, _, found in CASES)


@pytest.mark.parametrize(
    ("of", "by"),
    [
        ("claim", {"claim": Claim(SEVEN)}),
        ("drawn", {"drawn": (TAKEN, STOCK)}),
        ("drawn", {"claim": Claim(SEVEN), "drawn": (TAKEN, STOCK)}),
    ],
)
def test_a_card_that_lies_already_is_refused_where_it_was_stated(
    of: str, by: dict[str, Any]
) -> None:
    found = check_turn(turn(lying=(cards("7C 8C 9C"),), **by), SMALL_CLAIMS)

    assert [one.path for one in found if one.code == "E_DUPLICATE_CARD"] == [(of,)]


# --- remedies -----------------------------------------------------------------------------


IMPOSSIBLE = ("E_DUPLICATE_CARD", "E_TOO_MANY_JOKERS", "E_JOKER_NOT_IN_DECK")
WITHOUT_REMEDY = ("E_MELD_SHORT", "E_RULE_OFF", "E_GLASS", "W_RETURNED", *IMPOSSIBLE)


@pytest.mark.parametrize(("rules", "played", "found"), [case for case in CASES if case[2]])
def test_remedies_are_worded_in_every_language(rules: RuleSet, played: Turn, found: str) -> None:
    for problem in check_turn(played, rules):
        said = remedies(problem, played, rules)
        assert said or problem.code in WITHOUT_REMEDY
        for code in LANGUAGES:
            words = [
                language(code)(f"instead.{one.key}", cards=one.cards, on=one.on) for one in said
            ]
            assert len(set(words)) == len(words)


def test_the_remedy_names_the_melds_that_take_the_card() -> None:
    played = turn(
        drawn=(Drawn("discard", card_named("9D")),),
        change=table(
            ["6D 7D 8D", "9S 9C JK=9D"], "5S 6S 7S", ["6D 7D 8D", "9S 9C JK=9D", "5S 6S 7S"]
        ),
    )

    (problem,) = check_turn(played, ROBBER)
    fits = [one.on for one in remedies(problem, played, ROBBER) if one.key == "lay_off"]

    assert fits == [cards("6D 7D 8D"), cards("9S 9C JK=9D")]
    unopened = replace(played, has_laid=False)
    assert all(one.key != "lay_off" for one in remedies(problem, unopened, ROBBER))


@pytest.mark.parametrize("twos", [True, False])
def test_every_meld_that_takes_the_card_is_listed(twos: bool) -> None:
    rules = FAMILY.override(
        {"draw.discard_only_to_meld": True, "joker.swap": "all", "wild.twos": twos}
    )
    melds = ["AS 2S 3S", "3S 4S 5S 6S", "JH QH KH", "QD KD AD", "8C 8D 8H", "4D 5D JK=6D"]
    lay = table(melds, "", melds)
    for card in (*PACK, JOKER):
        played = turn(drawn=(Drawn("discard", card),), change=lay)
        taking = [meld for meld in map(cards, melds) if takes(meld, card, rules)]
        if sum(meld.count(card) for meld in map(cards, melds)) == rules.deck.packs:
            assert named(check_turn(played, rules)) == "E_DUPLICATE_CARD.turn"
            continue

        (problem,) = check_turn(played, rules)
        fits = [one.on for one in remedies(problem, played, rules) if one.key == "lay_off"]

        assert fits == taking


def takes(meld: Sequence[Card], card: Card, rules: RuleSet) -> bool:
    """Return whether a card can be laid off on a meld, or swapped for one of its jokers."""
    for move in (lay_off, swap_joker):
        with suppress(RuleError):
            return bool(move(read_meld(meld, rules), card, rules))
    return False


def test_a_claim_is_offered_where_it_is_played() -> None:
    played = turn(in_turn=False, drawn=(TAKEN,))

    (problem,) = check_turn(played, CLAIMS)
    assert [one.key for one in remedies(problem, played, CLAIMS)] == ["wait_turn", "claim"]
    assert [one.key for one in remedies(problem, played, PALAST)] == ["wait_turn"]


@pytest.mark.parametrize(
    ("rules", "clause", "instead"),
    [
        (PALAST, "10.3 first", "first_meld"),
        (FAMILY, "10.3 first", "only_first_meld"),
        (ROBBER, "10.1 T4", "only_first_meld"),
    ],
)
def test_before_the_first_meld_the_remedy_says_when_to_lay_off(
    rules: RuleSet, clause: str, instead: str
) -> None:  # R14
    moved = replace(table(["7H 8H 9H"], "6H", ["6H 7H 8H 9H"]), has_laid=False)
    played = turn(change=moved, has_laid=False)

    (problem,) = check_turn(played, rules)
    assert (problem.code, problem.facts["clause"]) == ("E_NOT_LAID", clause)
    assert [one.key for one in remedies(problem, played, rules)] == [instead]


def test_an_attempt_without_a_suit_is_refused() -> None:
    attempt = Glass(by=0, kind="sequence", hit=True)

    assert named(check_turn(turn(glass=(attempt,)), GIN)) == "E_GLASS.sequence"
    stated = replace(attempt, suit=Suit.HEARTS)
    assert named(check_turn(turn(glass=(stated,)), GIN)) == ""
