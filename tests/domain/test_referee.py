"""The referee: judging the table before and after a turn (RULES 10)."""

from dataclasses import replace
from typing import Any

import pytest

from examples import cards, examples, turn_body
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.referee.steps import steal
from scorekeeper.domain.referee.table_change import TableChange, check_change
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import language
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load
from turns import FAMILY, LUXEMBOURG, PALAST, ROBBER, named, turn


@pytest.mark.parametrize("example", examples("referee"))
def test_worked_example(example: dict[str, Any]) -> None:
    rules = preset(example["preset"])
    if "meld" in example:
        meld, wanted = read_meld(cards(example["meld"]), rules), cards(example["steal"])
        if "remain" in example:
            remain = [list(rest.cards) for rest in steal(meld, wanted, rules)]
            assert remain == [list(cards(rest)) for rest in example["remain"]]
            return
        with pytest.raises(RuleError) as error:
            steal(meld, wanted, rules)
        found = error.value.problems
    else:
        found = load(TurnQuestionSchema(), turn_body(example)).judge()

    assert named(found) == example["findings"]


# --- refused turns ------------------------------------------------------------------------

SEVENS, LOW, JOKER_TEN = "7S 7D 7C 7H", "3H 4H 5H", "8H 9H JK=10H"
SINGLE = {"meld.first_scope": "single"}


@pytest.mark.parametrize(
    ("rules", "played", "findings"),
    [
        pytest.param(rules, played, findings.split(), id=name)
        for name, rules, played, findings in [
            # conservation and melds, with and without robbing
            ("a card from nowhere", ROBBER, turn([LOW], "", [LOW + " 6H"]), "E_CARD_FROM_NOWHERE"),
            ("a card gone", FAMILY, turn([SEVENS], "", ["7S 7D 7C"]), "E_CARD_NOT_RELAID"),
            (
                "a played card that lies nowhere",
                FAMILY,
                turn([LOW], "6H 7H", [LOW + " 6H"]),
                "E_CARD_NOT_RELAID.hand",
            ),
            ("no meld afterwards", ROBBER, turn([LOW], "7H", ["3H 4H 5H 7H"]), "E_RUN.gap"),
            ("no meld before", FAMILY, turn(["3H 4H"], "", ["3H 4H"]), "E_MELD_SHORT E_MELD_SHORT"),
            (
                "a joker that names no card",
                ROBBER,
                turn([], "9D JK 9C", ["9D JK 9C"]),
                "E_JOKER_UNDECLARED.pinned",
            ),
            ("a joker too many", ROBBER, turn([LOW], "JK JK JK", []), "E_TOO_MANY_JOKERS.table"),
            ("a card too many", LUXEMBOURG, turn([LOW], "3H", []), "E_DUPLICATE_CARD.table"),
            ("a joker without jokers", LUXEMBOURG, turn([LOW], "JK", []), "E_JOKER_NOT_IN_DECK"),
            # with robbing
            (
                "a table rebuilt for nothing",
                ROBBER,
                turn(["3H 4H 5H 6H 7H 8H"], "", [LOW, "6H 7H 8H"]),
                "W_NO_HAND_CARD",
            ),
            ("a table left alone", ROBBER, turn([LOW], "", [LOW]), ""),
            (
                "a first meld below the minimum",
                ROBBER,
                turn([LOW], SEVENS, [LOW, SEVENS], has_laid=False),
                "E_FIRST_MIN.turn_together",
            ),
            (
                "a first meld beside what lies",
                ROBBER,
                turn([LOW], "10H 10S 10C 10D", [LOW, "10H 10S 10C 10D"], has_laid=False),
                "",
            ),
            # without robbing: laying off
            ("a lay-off", FAMILY, turn([LOW], "6H 7H AH 2H", ["AH 2H 3H 4H 5H 6H 7H"]), ""),
            (
                "a lay-off before the first meld",
                FAMILY,
                turn([LOW], "6H", [LOW + " 6H"], has_laid=False),
                "E_NOT_LAID.lay_off",
            ),
            (
                "a lay-off where no first meld is needed",
                LUXEMBOURG,
                turn([LOW], "6H", [LOW + " 6H"], has_laid=False),
                "",
            ),
            (
                "a lay-off where there is none",
                preset("knock-rummy"),
                turn([LOW], "6H", [LOW + " 6H"]),
                "E_LAYOFF.none",
            ),
            (
                "a lay-off on one's own meld",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW], "6H", [LOW + " 6H"], own=[0]),
                "E_LAYOFF.others",
            ),
            (
                "a lay-off on the other of two equal melds",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW, LOW], "6H", [LOW, LOW + " 6H"], own=[0]),
                "",
            ),
            (
                "two melds at once",
                LUXEMBOURG,
                turn([], f"{SEVENS} {LOW}", [SEVENS, LOW]),
                "E_MELDS_PER_TURN.turn",
            ),
            (
                "a first meld alone below the minimum",
                FAMILY.override(SINGLE),
                turn([], SEVENS, [SEVENS], has_laid=False),
                "E_FIRST_MIN.turn_single",
            ),
            (
                "a lay-off on the other of two equal melds, the other way round",
                FAMILY.override({"layoff.scope": "others"}),
                turn([LOW, LOW], "6H", [LOW, LOW + " 6H"], own=[1]),
                "",
            ),
            # without robbing: melds stay as they are
            (
                "two runs that become one",
                FAMILY,
                turn([LOW, "6H 7H 8H"], "", [LOW + " 6H 7H 8H"]),
                "E_REARRANGE.merged",
            ),
            (
                "a run cut in two",
                FAMILY,
                turn([LOW + " 6H 7H 8H"], "", [LOW, "6H 7H 8H"]),
                "E_REARRANGE.moved",
            ),
            (
                "a card taken up",
                FAMILY,
                turn([SEVENS], "", ["7S 7D 7C"], "7H"),
                "E_REARRANGE.moved",
            ),
            (
                "a card put down and taken up again",
                FAMILY,
                turn([LOW], "QS", [LOW], "QS"),
                "E_REARRANGE.to_hand",
            ),
            (
                "a joker moved to the other end",
                FAMILY,
                turn([JOKER_TEN], "", ["JK=7H 8H 9H"]),
                "E_REARRANGE.joker_moved",
            ),
            # without robbing: swapping jokers
            (
                "an exchange for another card",
                FAMILY,
                turn([JOKER_TEN], "7H", ["7H 8H 9H"], "JK"),
                "E_SWAP_MISMATCH.other_card",
            ),
            (
                "two jokers for one card",
                FAMILY.override({"joker.min_naturals": 1, "joker.pinned_in_sets": False}),
                turn(["9D JK=9S JK"], "9S JK", ["9D 9S JK"], "JK JK"),
                "E_REARRANGE.to_hand",
            ),
            (
                "an exchange where jokers stay",
                preset("wiener"),
                turn([JOKER_TEN], "10H", ["8H 9H 10H"], "JK"),
                "E_SWAP_NOT_ALLOWED.never",
            ),
            (
                "an exchange before the first meld",
                FAMILY,
                turn([JOKER_TEN], "10H", ["8H 9H 10H"], "JK", has_laid=False),
                "E_NOT_LAID.lay_off",
            ),
            (
                "an unnamed joker exchanged for either suit",
                PALAST,
                turn(["9D JK 9C"], "9H 4C 4S", ["9D 9H 9C", "4C 4S JK"]),
                "",
            ),
            (
                "a gained joker laid off again",
                FAMILY,
                turn([JOKER_TEN], "10H", ["8H 9H 10H JK=JH"]),
                "",
            ),
            (
                "a gained joker laid off where it must be melded",
                PALAST,
                turn([JOKER_TEN], "10H", ["8H 9H 10H JK=JH"]),
                "E_JOKER_TO_HAND.laid_off",
            ),
            (
                "a joker of one's own laid off, the gained one melded",
                PALAST,
                turn([JOKER_TEN], "10H JK QC QD", ["8H 9H 10H JK=JH", "QC QD JK"]),
                "",
            ),
        ]
    ],
)
def test_a_turn_has_the_expected_findings(
    rules: RuleSet, played: TableChange, findings: list[str]
) -> None:
    assert named(check_change(played, rules)) == findings


def test_the_allowed_reading_of_a_turn_counts() -> None:
    """The gained joker is in the new meld only if the old run took the ten."""
    seen = turn(
        ["7H 8H 9H", "5D JK=6D 7D"],
        "7H 8H 9H 10H 6D",
        ["7H 8H 9H JK=10H", "7H 8H 9H 10H", "5D 6D 7D"],
    )

    assert named(check_change(seen, PALAST)) == []


def test_readings_of_one_meld_are_judged_with_all_others() -> None:
    """The player's own joker is laid off on the spades; the gained one is in a new meld."""
    seen = turn(
        ["7H 8H 9H", "7S 8S 9S", "5D JK=6D 7D"],
        "7H 8H 9H 10H 6D JK",
        ["7H 8H 9H JK=10H", "7H 8H 9H 10H", "7S 8S 9S JK=10S", "5D 6D 7D"],
    )

    assert named(check_change(seen, PALAST)) == []


def test_a_refused_swap_names_the_right_card() -> None:
    (problem,) = check_change(turn([JOKER_TEN], "7H", ["7H 8H 9H"], "JK"), FAMILY)

    assert problem.facts["allowed"] == cards("10H")
    assert "10" in language("de").problem(problem)


# --- the turn of the first meld (layoff.first_turn) ----------------------------------------

HEARTS_RUN, KINGS, QUEENS = "7H 8H 9H", "KH KD KS", "QS QC JK"
TOGETHER = PALAST.override({"meld.first_scope": "together", "meld.first_min": 50})
GROWING_ROBBER = ROBBER.override({"layoff.first_turn": True})


@pytest.mark.parametrize(
    ("rules", "played", "findings"),
    [
        # the first meld must be laid, and reach the minimum by itself
        (PALAST, turn([HEARTS_RUN], "6H", ["6H " + HEARTS_RUN]), "E_NOT_LAID.first_turn"),
        (
            PALAST,
            turn([HEARTS_RUN], "6H 9C 9D 9S", ["6H " + HEARTS_RUN, "9C 9D 9S"]),
            "E_FIRST_MIN.turn_single E_NOT_LAID.first_turn",
        ),
        (PALAST, turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]), ""),
        # jokers may be swapped too, and go into a further meld
        (PALAST, turn([JOKER_TEN], "10H 2C 2S " + KINGS, ["8H 9H 10H", KINGS, "2C 2S JK"]), ""),
        # but the first meld consists of own cards, without the gained joker
        (
            PALAST,
            turn([JOKER_TEN], "10H QS QC", ["8H 9H 10H", "QS QC JK"]),
            "E_FIRST_MIN.turn_single E_NOT_LAID.first_turn",
        ),
        (PALAST, turn([JOKER_TEN], "10H QS QC JK KS KC", ["8H 9H 10H", QUEENS, "KS KC JK"]), ""),
        (
            TOGETHER,
            turn([JOKER_TEN], "10H QS QC JK KS KC", ["8H 9H 10H", QUEENS, "KS KC JK"]),
            "E_FIRST_MIN.turn_together E_NOT_LAID.first_turn",
        ),
        (
            TOGETHER,
            turn(
                [JOKER_TEN],
                "10H QS QC JK KS KC 7C 7D 7S",
                ["8H 9H 10H", QUEENS, "KS KC JK", "7C 7D 7S"],
            ),
            "",  # 30 and 21, with either joker
        ),
        # with robbing: cards may be laid off, and nothing else
        (ROBBER, turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]), "E_NOT_LAID.rob"),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN], f"6H {KINGS} 5D 6D 7D", ["6H " + HEARTS_RUN, KINGS, "5D 6D 7D"]),
            "",
        ),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN + " 10H"], "10S 10D " + KINGS, [HEARTS_RUN, "10H 10S 10D", KINGS]),
            "E_NOT_LAID.rob",
        ),
        (
            GROWING_ROBBER,
            turn([HEARTS_RUN], "6H " + KINGS, ["6H " + HEARTS_RUN, KINGS]),
            "E_FIRST_MIN.turn_together E_NOT_LAID.first_turn",
        ),
    ],
)
def test_in_the_turn_of_the_first_meld(rules: RuleSet, played: TableChange, findings: str) -> None:
    assert named(check_change(replace(played, has_laid=False), rules)) == findings.split()


def test_of_two_melds_that_contain_an_old_one_either_may_be_new() -> None:
    """7-8-9 may continue in either; only one assignment makes the other a first meld of 34."""
    for after in (["7H 8H 9H", "7H 8H 9H 10H"], ["7H 8H 9H 10H", "7H 8H 9H"]):
        seen = turn([HEARTS_RUN], "7H 8H 9H 10H", after, has_laid=False)

        assert named(check_change(seen, PALAST)) == []
