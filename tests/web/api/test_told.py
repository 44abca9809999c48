"""A refusal says what is wrong with what was sent, and what would be right."""

from typing import Any

import pytest

from rest import Club, Table
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.kinds import MOST_SHOWN, shown
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.web.api.games import ONE_AT_A_TIME
from short import FAMILY
from web.api.conftest import change, whys

LAID = [{}, {"points": 5}, {"points": 5}]
CAUGHT = {"by": 0, "kind": "group", "rank": "7", "hit": True}


def told(answer: Any) -> str:
    """Return the message of the only problem."""
    (one,) = answer.json["problems"]
    return str(one["message"])


def option(nobody: Table, preset: str, name: str, value: object, **more: Any) -> Any:
    rules = {"preset": preset, "options": {name: value}}
    answer = nobody.post("/rules/check", {"rules": rules}, **more)
    assert answer.status_code == 422, answer.text
    return answer


def score(nobody: Table, preset: str, round_: object, players: int = 3) -> Any:
    body = {"rules": {"preset": preset}, "players": players, "round": round_}
    return nobody.post("/rounds/score", body)


# ---- types ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "expected", "words"),
    [
        ("first", 1, "boolean", "true or false"),
        ("cards", 7, "cards", "10H 9C"),
        ("cards", None, "cards", "10H 9C"),
        ("rules", "german-family", "object", "an object"),
        ("players", "4", "integer", "a whole number"),
        ("notation", None, "string", "text"),
    ],
)
def test_a_wrong_type_names_the_right_one(
    nobody: Table, name: str, value: object, expected: str, words: str
) -> None:
    body = {"rules": {"preset": "german-family"}, "cards": "KH", name: value}

    answer = nobody.post("/melds/check", body)

    assert whys(answer) == [("E_FORM", "type", [name])]
    assert answer.json["problems"][0]["facts"]["expected"] == expected
    assert words in told(answer)


def test_a_body_that_is_a_list_should_be_an_object(nobody: Table) -> None:
    answer = nobody.post("/melds/check", [{"cards": "KH"}])

    assert whys(answer) == [("E_FORM", "type", [])]
    assert "an object" in told(answer)


def test_the_facts_of_a_round_name_their_types(nobody: Table) -> None:
    answer = score(
        nobody,
        "phases",
        {"outcome": "out", "winner": 0, "rejoin": 1, "plan_row": "1", "seats": [None, *LAID]},
    )

    expected = {one["path"][-1]: one["facts"]["expected"] for one in answer.json["problems"]}
    assert expected == {0: "object", "rejoin": "array", "plan_row": "rows"}


# ---- values --------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("preset", "name", "value", "sent"),
    [
        ("german-family", "deck.packs", "2", "text"),
        ("chinchon", "out.one_run", "25", "text"),
        ("german-family", "ace.corner", "true", "text"),
        ("german-family", "end.min_rounds_to_win", 0, "number"),
        ("german-family", "settle.payable", 1, "number"),
    ],
)
def test_a_number_is_told_from_a_text(
    nobody: Table, preset: str, name: str, value: object, sent: str, lang: str
) -> None:
    answer = option(nobody, preset, name, value, lang=lang)

    facts = answer.json["problems"][0]["facts"]
    assert (facts["value"], facts["sent"]) == (shown(value), sent)
    assert shown(value) in told(answer)
    assert told(answer) != told(option(nobody, "german-family", "deck.packs", "x", lang=lang))


@pytest.mark.parametrize(("name", "value"), [("deck.packs", "99"), ("deck.packs", 99)])
def test_a_value_out_of_range_is_not_said_to_be_of_a_wrong_type(
    nobody: Table, name: str, value: object
) -> None:
    answer = option(nobody, "german-family", name, value)

    assert "sent" not in answer.json["problems"][0]["facts"]
    assert "“99”" in told(answer)


@pytest.mark.parametrize(
    ("value", "told_as"),
    [
        ("S2", "S2"),
        ([], "[]"),
        (None, "null"),
        (True, "true"),
        ({"ä": [1, None]}, '{"ä": [1, null]}'),
        (30 * [10], ("[" + 30 * "10, ")[: MOST_SHOWN - 1] + "…"),
        ("\ud800", "?"),
    ],
)
def test_a_value_is_shown_as_json_and_in_short(value: object, told_as: str) -> None:
    assert shown(value) == told_as
    assert len(shown(value)) <= MOST_SHOWN


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("need", "refused"),
    [("S2", "S2"), ("S9", "S9"), ("R14", "R14"), (" ".join(6 * ["S3"]), " ".join(6 * ["S3"]))],
)
def test_a_contract_that_is_none_is_named_with_its_limits(
    nobody: Table, need: str, refused: str, lang: str
) -> None:
    plan = [{"deal": 10, "need": "S3 S3", "wild": None}, {"deal": 10, "need": need, "wild": None}]

    words = told(option(nobody, "contract-rummy", "round.plan", plan, lang=lang))

    assert refused in words
    assert "None" not in words
    assert all(limit in words for limit in ("S3", "S8", "R3", "R13", "5", "20"))


@pytest.mark.parametrize("value", [[{"deal": 99, "need": None}], {"x": None, "3": 7}])
def test_no_message_shows_a_value_of_python(value: object) -> None:
    for name in OPTIONS:
        with pytest.raises(RuleError) as refused:
            FAMILY.unchecked({name: value})
        words = language("en").problem(refused.value.problems[0])

        assert "None" not in words
        assert "': " not in words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_step_of_payment_is_above_0(nobody: Table, lang: str) -> None:
    body = {"measure": "minus", "totals": [0, 5]}

    zero = nobody.post("/settlements", {**body, "payable": "0"}, lang=lang)
    words = nobody.post("/settlements", {**body, "stake": "x"}, lang=lang)

    assert told(zero).count("0") > told(words).count("0")


# ---- rounds and cards ----------------------------------------------------------------


@pytest.mark.parametrize("preset", ["contract-rummy", "three-thirteen"])
def test_a_row_of_the_plan_that_was_not_stated_is_missing(nobody: Table, preset: str) -> None:
    silent = {"outcome": "out", "winner": 0, "seats": LAID}

    missing, wrong = (
        score(nobody, preset, silent),
        score(nobody, preset, {**silent, "plan_row": 20}),
    )

    assert whys(missing) == [("E_PLAN_ROW", "table", ["round", "plan_row"])]
    assert "missing" in told(missing)
    assert whys(wrong) == [("E_PLAN_ROW", "range", ["round", "plan_row"])]


def test_two_calls_that_clash_are_not_looked_for_in_the_hands(nobody: Table) -> None:
    seats = [{"deadwood": 5}, {"deadwood": 30}]
    round_ = {"outcome": "knock", "knocker": 0, "seats": seats, "glass": [CAUGHT, CAUGHT]}
    rules = {"preset": "gin-palast", "options": {"gin.glass": True}}

    answer = nobody.post("/rounds/score", {"rules": rules, "players": 2, "round": round_})

    assert whys(answer) == [("E_DUPLICATE_CARD", "caught_rank", ["round", "glass", 1])]
    assert "glass" in told(answer)
    assert "hand" not in told(answer)


@pytest.mark.parametrize(
    ("cards", "why"), [("KH=", "declared"), ("=", "declared"), ("4H..", "range"), ("..4H", "range")]
)
def test_half_of_a_card_is_shown_as_it_was_written(nobody: Table, cards: str, why: str) -> None:
    seats = [{}, {"hand": cards}]

    answer = score(nobody, "german-family", {"outcome": "out", "winner": 0, "seats": seats}, 2)

    assert whys(answer) == [("E_NOTATION", why, ["round", "seats", 1, "hand"])]
    assert f"“{cards}”" in told(answer)


@pytest.mark.parametrize(
    ("preset", "ace", "words"),
    [("kalooki", "high", "only ends a run"), ("romme-palast", None, "first or last")],
)
def test_a_run_around_the_corner_hears_where_the_ace_may_be(
    nobody: Table, preset: str, ace: str | None, words: str
) -> None:
    body = {"rules": {"preset": preset}, "cards": "KH AH 2H"}

    alone = nobody.post("/melds/check", body)
    at_table = nobody.post(
        "/table/check", {"rules": {"preset": preset}, "before": [], "after": ["KH AH 2H"]}
    )

    for answer in (alone, at_table):
        found = next(one for one in answer.json["problems"] if one["code"] == "E_RUN")
        assert found["facts"]["why"] == "corner_off"
        assert found["facts"].get("ace") == ace
        assert words in found["message"]


# ---- changes -------------------------------------------------------------------------


def test_two_changes_at_once_are_named(table: Table) -> None:
    body = {"title": "Freitag", "over": True}

    answer = table.call("PATCH", "/games/{id}", body, match="1")

    assert whys(answer) == [("E_FORM", "one_at_a_time", [])]
    assert answer.json["problems"][0]["facts"]["names"] == ["title", "over"]
    assert told(answer) == (
        "This does not go together in one change: title and over. Send one after the other."
    )


def test_a_change_of_nothing_is_told_what_is_possible(table: Table, club: Club) -> None:
    club.evening()
    named = ["title", "place", "began", "players", "order", "dealers", "options", "stake"]
    for answer, allowed in (
        (table.call("PATCH", "/games/{id}", {}, match="1"), [*named, *ONE_AT_A_TIME]),
        (change(club, "PATCH", "", {}), ["name", "rules", "stake", "rating"]),
        (change(club, "PATCH", "/members/0", {}), ["name", "retired"]),
        (change(club, "PUT", "/games/{game}", {}), ["members", "training", "pen"]),
    ):
        assert whys(answer) == [("E_FORM", "no_change", [])]
        assert answer.json["problems"][0]["facts"]["allowed"] == allowed
        assert told(answer).startswith("No change is named here. Possible: ")
