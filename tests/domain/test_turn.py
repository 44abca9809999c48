"""A whole turn: RULES 10.4. Each code has an allowed and a refused turn."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from examples import cards
from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit, card_named
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import lay_off, read_meld, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import PRESETS, preset
from scorekeeper.domain.referee import TableMeld, Turn
from scorekeeper.domain.rounds import Drawn, Glass
from scorekeeper.domain.steps import Step
from scorekeeper.domain.turn import WHYS, Claim, WholeTurn, check_whole_turn, remedies
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

STOCK = Drawn("stock")
SEVEN = card_named("7C")
TAKEN = Drawn("discard", SEVEN)


def table(before: Sequence[str], hand: str, after: Sequence[str]) -> Turn:
    return Turn(
        before=tuple(TableMeld(cards(meld)) for meld in before),
        hand_used=cards(hand),
        after=tuple(cards(meld) for meld in after),
    )


def glass(hit: bool = True) -> Glass:
    return Glass(by=0, kind="group", rank=Rank.SEVEN, hit=hit, pile=cards("7H 2C 7S KD 7C"))


LAID = table([], "7C 8C 9C", ["7C 8C 9C"])
UNCHANGED = table(["4S 5S 6S"], "", ["4S 5S 6S"])


def turn(**facts: Any) -> WholeTurn:
    if "discard" in facts:
        facts["discard"] = cards(facts["discard"])
    return WholeTurn(**facts)


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
    (PALAST, turn(in_turn=True, table=LAID), ""),
    (PALAST, turn(in_turn=False, table=LAID), "E_NOT_IN_TURN.laid"),
    (PALAST, turn(in_turn=False, table=UNCHANGED), ""),
    (
        PALAST,
        turn(in_turn=False, table=table(["4S 5S 6S"], "", []), steps=(Step("lay", ()),)),
        "E_MELD_SHORT E_NOT_IN_TURN.laid",
    ),
    (PALAST, turn(in_turn=False, drawn=(STOCK,)), "E_NOT_IN_TURN.drawn"),
    (PALAST, turn(in_turn=False, discard="4C"), "E_NOT_IN_TURN.discarded"),
    (PALAST, turn(in_turn=False, drawn=(), discard="", hand_left=5), ""),  # waits
    # a claim
    (PALAST, turn(in_turn=False, claim=Claim(SEVEN)), "E_KLOPFEN_OFF.turn"),
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN)), ""),
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN), drawn=(STOCK,)), ""),  # what it costs
    (CLAIMS, turn(in_turn=False, claim=Claim(SEVEN), table=LAID), "E_NOT_IN_TURN.claimed"),
    (CLAIMS, turn(claim=Claim(SEVEN), has_laid=False), "E_KLOPFEN_TOO_EARLY.turn"),
    (RASCHE, turn(claim=Claim(SEVEN), has_laid=False), ""),
    (RASCHE, turn(claim=Claim(SEVEN, consent=False)), "E_KLOPFEN_REFUSED"),
    (RASCHE, turn(claim=Claim(SEVEN, consent=True)), ""),
    (CLAIMS, turn(claim=Claim(SEVEN, consent=False)), ""),  # no consent needed
    (RASCHE, turn(claim=Claim(SEVEN), table=LAID), ""),
    (RASCHE, turn(claim=Claim(SEVEN), table=UNCHANGED), "E_KLOPFEN_NOT_MELDED"),
    (RASCHE, turn(claim=Claim(SEVEN), table=UNCHANGED, in_turn=False), ""),  # not yet
    (CLAIMS, turn(claim=Claim(SEVEN), table=UNCHANGED), ""),
    (
        RASCHE,  # a lay-off, and a meld with cards from the table, are not enough
        turn(claim=Claim(SEVEN), table=table(["4C 5C 6C"], "7C 8C 9C", ["4C..9C"])),
        "E_KLOPFEN_NOT_MELDED",
    ),
    (
        RASCHE.override({"robber.enabled": True}),
        turn(
            claim=Claim(SEVEN),
            table=table(["7H 7S 7D", "8C 9C 10C JC"], "7C 6C", ["7H 7S 7D", "6C..10C JC"]),
        ),
        "E_KLOPFEN_NOT_MELDED",
    ),
    # drawing
    (PALAST, turn(drawn=(), discard="4C"), "E_NOT_DRAWN"),  # R17
    (PALAST, turn(discard="4C"), ""),  # not stated
    (PALAST, turn(drawn=(STOCK,)), ""),
    (PALAST, turn(drawn=(STOCK, TAKEN)), "E_DRAWN_TWICE"),
    (TWO, turn(drawn=(STOCK, STOCK), players=3), ""),
    (TWO, turn(drawn=(STOCK, STOCK), players=4), "E_DRAWN_TWICE"),
    (TWO, turn(drawn=(STOCK,) * 3, players=3), "E_DRAWN_TWICE.two"),
    (TWO, turn(drawn=(STOCK, STOCK)), ""),  # players not stated
    (FAMILY, turn(drawn=(STOCK, STOCK), players=3), "E_DRAWN_TWICE"),
    (LUXEMBOURG, turn(laid_before_drawing=True), "E_DRAW_FIRST"),
    (LUXEMBOURG, turn(laid_before_drawing=False), ""),
    # the card from the discard pile
    (ROBBER, turn(drawn=(TAKEN,), table=LAID), ""),
    (ROBBER, turn(drawn=(TAKEN,), table=UNCHANGED), "E_DISCARD_NOT_MELDED"),  # R16
    (ROBBER, turn(drawn=(TAKEN,)), ""),  # the table not stated
    (ROBBER, turn(drawn=(Drawn("discard"),), table=UNCHANGED), ""),  # which card is not stated
    (ROBBER, turn(drawn=(Drawn("stock", SEVEN),), table=UNCHANGED), ""),
    (FAMILY, turn(drawn=(TAKEN,), table=UNCHANGED), ""),
    (
        ROBBER,  # its duplicate was there before
        turn(drawn=(TAKEN,), table=table(["7C 8C 9C"], "", ["7C 8C 9C"])),
        "E_DISCARD_NOT_MELDED",
    ),
    (
        ROBBER,
        turn(drawn=(TAKEN,), table=table(["4C 5C 6C"], "7C", ["4C 5C 6C 7C"])),
        "",
    ),
    (
        ROBBER,
        turn(drawn=(TAKEN,), discard="7C", discard_is_drawn=True, table=LAID),
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
    (FAMILY, turn(discard=""), ""),  # cards left not stated
    (FAMILY, turn(discard="4C", hand_left=0), ""),
    # gin
    (GIN, turn(glass=(glass(),)), ""),
    (GIN, turn(glass=(glass(), glass())), "E_GLASS_AGAIN"),
    (GIN, turn(glass=(glass(hit=False),)), "E_GLASS.was_there"),
    (PALAST, turn(glass=(glass(),)), "E_RULE_OFF"),
    (GIN, turn(hirschn=True, knock=True), "E_HIRSCHN.turn"),
    (GIN, turn(hirschn=True, knock=False), ""),
    (GIN, turn(hirschn=False, knock=True), ""),
    (preset("gin-palast"), turn(hirschn=True), "E_RULE_OFF"),
    (preset("knock-rummy"), turn(knock=True), ""),
    (PALAST, turn(knock=True), "E_RULE_OFF.knock"),
    # melds per turn
    (
        LUXEMBOURG,
        turn(table=table([], "7C 8C 9C 4H 5H 6H", ["7C 8C 9C", "4H 5H 6H"])),
        "E_MELDS_PER_TURN.turn",
    ),
    (
        ROBBER.override({"meld.max_per_turn": 1}),
        turn(table=table([], "7C 8C 9C 4H 5H 6H", ["7C 8C 9C", "4H 5H 6H"])),
        "E_MELDS_PER_TURN.turn",
    ),
]


@pytest.mark.parametrize(("rules", "played", "found"), CASES)
def test_a_whole_turn_has_the_expected_findings(
    rules: RuleSet, played: WholeTurn, found: str
) -> None:
    assert named(check_whole_turn(played, rules)) == found


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_facts_not_stated_are_not_judged(rules: RuleSet) -> None:
    assert check_whole_turn(WholeTurn(), rules) == ()


def test_every_code_is_refused_once_and_allowed_once() -> None:
    refused = {name for _, _, found in CASES for name in found.split()}

    assert set(WHYS) <= refused
    assert {"E_NOT_DRAWN", "E_DRAW_FIRST", "E_RETURNED", "W_RETURNED"} <= refused
    assert any(not found for _, _, found in CASES)


# --- remedies -----------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "played", "found"), [case for case in CASES if case[2]])
def test_remedies_are_worded_in_every_language(
    rules: RuleSet, played: WholeTurn, found: str
) -> None:
    for problem in check_whole_turn(played, rules):
        said = remedies(problem, played, rules)
        assert said or problem.code in ("E_MELD_SHORT", "E_RULE_OFF", "E_GLASS", "W_RETURNED")
        for code in LANGUAGES:
            words = [
                language(code)(f"instead.{one.key}", cards=one.cards, on=one.on) for one in said
            ]
            assert len(set(words)) == len(words)


def test_the_remedy_names_the_melds_that_take_the_card() -> None:
    played = turn(
        drawn=(Drawn("discard", card_named("9D")),),
        table=table(
            ["6D 7D 8D", "9S 9C JK=9D"], "5S 6S 7S", ["6D 7D 8D", "9S 9C JK=9D", "5S 6S 7S"]
        ),
    )

    (problem,) = check_whole_turn(played, ROBBER)
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
        played = turn(drawn=(Drawn("discard", card),), table=lay)
        taking = [meld for meld in map(cards, melds) if takes(meld, card, rules)]

        (problem,) = check_whole_turn(played, rules)
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

    (problem,) = check_whole_turn(played, CLAIMS)
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
    played = turn(table=moved, has_laid=False)

    (problem,) = check_whole_turn(played, rules)
    assert (problem.code, problem.facts["clause"]) == ("E_NOT_LAID", clause)
    assert [one.key for one in remedies(problem, played, rules)] == [instead]


def test_an_attempt_without_a_suit_is_refused() -> None:
    attempt = Glass(by=0, kind="sequence", hit=True)

    assert named(check_whole_turn(turn(glass=(attempt,)), GIN)) == "E_GLASS.sequence"
    stated = replace(attempt, suit=Suit.HEARTS)
    assert named(check_whole_turn(turn(glass=(stated,)), GIN)) == ""
