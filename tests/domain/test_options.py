"""House rules as data: RULES 3 and 4."""

import json
import tomllib
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import DATA
from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import APPLIES_IF, OPTIONS
from scorekeeper.domain.rules.presets import PRESETS, deviations, preset, remarks


def table() -> dict[str, dict[str, Any]]:
    """Return RULES 4 as resolved options by preset; inapplicable options are absent."""
    lines = (DATA / "presets.txt").read_text(encoding="utf-8").splitlines()
    header, *rows = ([cell.strip() for cell in line.split("|")] for line in lines[1:])
    return {
        name: {row[0]: json.loads(row[column]) for row in rows if row[column] != "–"}
        for column, name in enumerate(header)
        if column
    }


FURTHER = tomllib.loads((DATA / "systems" / "further.toml").read_text(encoding="utf-8"))
MEANS_NONE = {
    *("end.rejoin_up_to", "settle.rejoin_stake", "settle.hand_stake", "settle.point_value"),
}
"""Options of which ``"none"`` in the data means that they have no value."""


@pytest.mark.parametrize("name", FURTHER)
def test_a_further_system_is_another_one_with_its_differences(name: str) -> None:
    differences = dict(FURTHER[name])
    expected = PRESETS[differences.pop("begins_with")].resolved()
    for option, value in differences.items():
        none = value == "none" and option in MEANS_NONE
        expected[option] = (
            None if none else OPTIONS[option].kind.write(OPTIONS[option].kind.read(value))
        )
    gone = {option for option, value in differences.items() if value == "–"}

    assert PRESETS[name].resolved() == {o: v for o, v in expected.items() if o not in gone}


def test_every_system_is_in_one_of_the_tables() -> None:
    assert sorted([*table(), *FURTHER]) == sorted(PRESETS)


@pytest.mark.parametrize(("name", "expected"), table().items())
def test_a_preset_is_its_column_of_the_table(name: str, expected: dict[str, Any]) -> None:
    assert PRESETS[name].resolved() == expected


def test_klop_is_another_name_for_knock_rummy() -> None:
    assert preset("klop") is PRESETS["knock-rummy"]


def test_every_option_has_range_source_and_families() -> None:
    for option in OPTIONS.values():
        assert option.source, option.name
        assert option.kind.describe(), option.name
        assert set(option.families) <= {"lay", "hand", "gin", "knock"}, option.name
    assert set(APPLIES_IF) <= set(OPTIONS)


def test_no_option_of_the_rules_is_missing() -> None:
    lines = (DATA / "presets.txt").read_text(encoding="utf-8").splitlines()
    named = [line.split("|")[0].strip() for line in lines[2:]]

    assert sorted(OPTIONS) == sorted(named)


REFUSED = {
    "an unknown option": ("german-family", {"joker.colour": 1}, "unknown"),
    "a number as text": ("german-family", {"deck.jokers": "6"}, "range"),
    "a whole number as a float": ("german-family", {"deck.jokers": 6.0}, "range"),
    "yes for a number": ("german-family", {"deck.jokers": True}, "range"),
    "too many jokers": ("german-family", {"deck.jokers": 9}, "range"),
    "an ace of five": ("german-family", {"value.ace_hand": 5}, "range"),
    "a word that is none of the choices": ("german-family", {"joker.swap": "mine"}, "range"),
    "a negative point value": ("german-family", {"settle.point_value": "-1/10"}, "range"),
    "a fraction over nothing": ("german-family", {"settle.point_value": "1/0"}, "range"),
    "nothing as the smallest coin": ("german-family", {"settle.payable": "0"}, "range"),
    "a deal for nine": ("german-family", {"deal.cards": {"9": 10}}, "range"),
    "an option of another family": ("wiener", {"meld.first_min": 40}, "not_applicable"),
    "an option that its document leaves out": (
        "luxembourg",
        {"joker.hand_value": 20},
        "not_applicable",
    ),
    "another family": ("wiener", {"family": "gin"}, "family"),
    "coming back in gin": ("gin-palast", {"end.rejoin": "highest"}, "not_applicable"),
}


@pytest.mark.parametrize(("name", "changes", "why"), REFUSED.values(), ids=REFUSED)
def test_an_option_is_refused_by_name(name: str, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(RuleError) as refused:
        PRESETS[name].override(changes)

    (problem,) = refused.value.problems
    assert (problem.code, problem.facts["why"]) == ("E_CONFIG", why)
    assert problem.facts["option"] in changes


def test_a_stake_for_a_hand_romme_needs_no_stake_for_every_round() -> None:
    rules = PRESETS["kalooki"].override({"settle.hand_stake": "5"})

    assert (rules.settle.round_stake, rules.settle.hand_stake) == (0, 5)
    assert rules.resolved()["settle.hand_stake"] == "5"


def test_a_value_sets_the_options_that_it_implies() -> None:
    gin = PRESETS["gin-palast"]

    assert gin.override({"gin.joker_rule": True}).deck.jokers == 3
    assert gin.override({"gin.cyclic": True}).ace == options.Ace(high=True, corner=True)
    teams = gin.override({"teams": True})
    assert (teams.players.min, teams.players.max, teams.deal.to(4)) == (4, 4, 7)
    rasche = PRESETS["german-family"].override({"klopfen.mode": "rasche"}).klopfen
    assert (rasche.extra_cards, rasche.after_first_meld, rasche.consent) == (2, False, True)
    assert PRESETS["romme-palast"].override({"rank.measure": "net"}).settle.measure == "net"


SCORED: dict[str, tuple[str, dict[str, Any], tuple[str, str, str]]] = {
    "the winner collects": (
        "romme-palast",
        {"score.mode": "winner_collects"},
        ("plus", "plus", "plus"),
    ),
    "laid cards count": ("german-family", {"score.mode": "melded"}, ("net", "net", "net")),
    "the losers write": ("luxembourg", {"score.mode": "minus"}, ("minus", "minus", "minus")),
    "both tallies: as before": (
        "luxembourg",
        {"score.mode": "minus_plus"},
        ("plus", "plus", "plus"),
    ),
    "what is scored already": ("shanghai", {"score.mode": "minus"}, ("net", "net", "minus")),
    "places by another tally": (
        "romme-palast",
        {"score.mode": "winner_collects", "rank.measure": "net"},
        ("net", "net", "plus"),
    ),
    "the same in another order": (
        "romme-palast",
        {"rank.measure": "net", "score.mode": "winner_collects"},
        ("net", "net", "plus"),
    ),
    "a settlement by another tally": (
        "romme-palast",
        {"settle.measure": "net", "score.mode": "melded", "end.measure": "minus"},
        ("net", "net", "minus"),
    ),
}


@pytest.mark.parametrize(("name", "changes", "measures"), SCORED.values(), ids=SCORED)
def test_places_settlement_and_limit_go_by_what_is_scored(
    name: str, changes: dict[str, Any], measures: tuple[str, str, str]
) -> None:
    rules = PRESETS[name].override(changes)

    assert (rules.rank.measure, rules.settle.measure, rules.end.measure) == measures


def test_where_no_points_end_the_game_the_tally_of_a_limit_may_be_any() -> None:
    rules = PRESETS["german-family"].override({"end.measure": "plus"})

    with pytest.raises(RuleError, match="E_CONFIG"):
        rules.override({"end.mode": "points", "end.points": 100})


@pytest.mark.parametrize(
    "changes", [{"rank.measure": "minus"}, {"end.measure": "net", "settle.measure": "minus"}]
)
def test_rules_that_an_earlier_version_accepted_may_be_changed_elsewhere(
    changes: dict[str, Any],
) -> None:
    rules = PRESETS["luxembourg"].unchecked(changes)

    assert rules.override({"deal.first_dealer": 1}) == rules.unchecked({"deal.first_dealer": 1})


def test_jokers_in_luxembourg_bring_their_options() -> None:
    rules = PRESETS["luxembourg"].override({"deck.jokers": 2, "joker.hand_value": 25})

    assert rules.joker.hand_value == 25
    assert "joker.min_naturals" in set(rules.names())


REMARKED = {
    "no jokers to swap": ("german-family", {"deck.jokers": 0}, "W_OPTION_IDLE"),
    "claims as on Rasche's list": ("german-family", {"klopfen.mode": "rasche"}, "W_OPTION_UNUSUAL"),
    "the winner's reduction": (
        "german-family",
        {"score.winner_reduction": 10},
        "W_OPTION_UNUSUAL",
    ),
    "two cards a turn at a large table": (
        "german-family",
        {"draw.two_small_table": True},
        "W_OPTION_IDLE",
    ),
    "Tedesco without cyclic runs": ("gin-palast", {"gin.tedesco": True}, "W_OPTION_UNUSUAL"),
    "laying off where nothing is laid": ("wiener", {"layoff.scope": "all"}, "W_OPTION_IDLE"),
    "melds of losers in family lay": (
        "german-family",
        {"out.opponent_melds": "own"},
        "W_OPTION_IDLE",
    ),
    "a limit where losers write nothing": ("luxembourg", {"score.cap": 20}, "W_OPTION_IDLE"),
    "nothing laid where laid cards count": ("rummy-500", {"score.not_laid": 50}, "W_OPTION_IDLE"),
    "a reduction where the winner collects": (
        "rummy",
        {"score.winner_reduction": 10},
        "W_OPTION_IDLE",
    ),
    "a bonus for a hand rommé that there is not": (
        "shanghai",
        {"hand_romme.enabled": False},
        "W_OPTION_IDLE",
    ),
    "a doubling of what losers do not write": (
        "rummy-500",
        {"hand_romme.enabled": True},
        "W_OPTION_IDLE",
    ),
    "a stake for a hand rommé that there is not": (
        "rummy-500",
        {"settle.hand_stake": "2"},
        "W_OPTION_IDLE",
    ),
    "balances of minus points": ("knock-rummy", {"settle.measure": "minus"}, "W_OPTION_IDLE"),
    "balances that never add up": ("indian-points", {"score.mode": "minus"}, "W_OPTION_IDLE"),
    "balances of the points laid": ("rummy-500", {"settle.mode": "balance"}, "W_OPTION_IDLE"),
    "a limit that nobody asks for": ("german-family", {"end.points": 300}, "W_OPTION_IDLE"),
}


@pytest.mark.parametrize(("name", "changes", "code"), REMARKED.values(), ids=REMARKED)
def test_an_uncommon_option_is_accepted_with_a_remark(
    name: str, changes: dict[str, Any], code: str
) -> None:
    rules = PRESETS[name].override(changes)

    assert code in {remark.code for remark in remarks(rules)}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_itself_causes_no_remarks(name: str) -> None:
    assert list(remarks(PRESETS[name])) == []
    assert deviations(PRESETS[name]) == ()


def test_deviations_name_both_values() -> None:
    rules = PRESETS["german-family"].override({"joker.hand_value": 50})

    assert [(d.name, d.value, d.usual) for d in deviations(rules)] == [("joker.hand_value", 50, 20)]


@given(st.sampled_from(list(PRESETS)), st.data())
def test_any_accepted_rules_are_stored_and_read_back_unchanged(name: str, data: Any) -> None:
    names = list(PRESETS[name].names())
    changes = {
        option: data.draw(st.sampled_from(likely(OPTIONS[option].kind.describe())))
        for option in data.draw(st.lists(st.sampled_from(names), max_size=4, unique=True))
    }
    try:
        rules = PRESETS[name].override(changes)
    except RuleError as error:
        assert {problem.code for problem in error.problems} == {"E_CONFIG"}
        return

    assert options.decode_rules(json.loads(json.dumps(options.encode_rules(rules)))) == rules


def likely(schema: dict[str, Any]) -> list[object]:
    """Return a few values inside and outside a range."""
    if "enum" in schema:
        return list(schema["enum"])
    if schema.get("type") == "boolean":
        return [True, False]
    low, high = schema.get("minimum", 0), schema.get("maximum", 3)
    return [low, high, low - 1, high + 1, None, "1/3", "Pf"]


@pytest.mark.parametrize(
    ("text", "value"), [("0.05", Fraction(1, 20)), ("1/3", Fraction(1, 3)), ("2", Fraction(2))]
)
def test_a_point_value_is_exact(text: str, value: Fraction) -> None:
    assert (
        PRESETS["german-family"].override({"settle.point_value": text}).settle.point_value == value
    )


@pytest.mark.parametrize("text", ["1.2.3", ".5", "5.", "1e3", "1 /3", "1/-3", "½", ""])
def test_other_ways_to_write_a_number_are_refused(text: str) -> None:
    with pytest.raises(RuleError):
        PRESETS["german-family"].override({"settle.point_value": text})


def test_a_unit_has_at_most_twelve_characters() -> None:
    rules = PRESETS["german-family"]

    assert rules.override({"settle.unit": "Streichhölze"}).settle.unit == "Streichhölze"
    with pytest.raises(RuleError, match="E_CONFIG"):
        rules.override({"settle.unit": "Streichhölzer"})


@pytest.mark.parametrize("packs", [{}, {0: 1, 3: 2}, {1: 2}, {9: 2}, {2: 1, 13: 2}])
def test_a_number_by_how_many_play_names_tables_that_there_are(packs: dict[int, int]) -> None:
    with pytest.raises(RuleError, match="E_CONFIG"):
        PRESETS["german-family"].override({"deck.packs": packs})


@pytest.mark.parametrize("packs", [{2: 1, 3: 2}, {2: 2, 3: 2}])
def test_a_number_by_how_many_play_differs_from_a_single_one_and_from_others(packs):
    rules = preset("german-family").override({"deck.packs": packs})
    alike = rules.override({"deck.packs": packs})
    others = rules.override({"deck.packs": {2: 1, 3: 1, 4: 2}})

    assert rules["deck.packs"] == alike["deck.packs"]
    assert rules["deck.packs"] != others["deck.packs"]
    assert [(one.name, one.usual) for one in deviations(rules)] == [("deck.packs", 2)]
