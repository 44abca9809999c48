"""The referee over REST: melds with reasons, arranged hands, turns."""

from typing import Any

import pytest
from werkzeug.test import TestResponse

from rest import Table, codes
from scorekeeper.i18n import LANGUAGES
from scorekeeper.web import background
from scorekeeper.web.api import referee


def rules(preset: str, **options: object) -> dict[str, Any]:
    named = {name.replace("__", "."): value for name, value in options.items()}
    return {"preset": preset, "options": named}


def meld(nobody: Table, preset: str, cards: object, lang: str = "en", **more: object) -> Any:
    body = {"rules": rules(preset), "cards": cards, **more}
    return nobody.post("/melds/check", body, lang=lang).json


def hand(nobody: Table, by: dict[str, Any], cards: object, **more: object) -> TestResponse:
    return nobody.post("/hands/arrange", {"rules": by, "cards": cards, **more})


def turn(nobody: Table, preset: str, **answer: object) -> TestResponse:
    return nobody.post("/table/check", {"rules": rules(preset), **answer})


def laid(melds: Any) -> list[list[str]]:
    """Return the cards of melds in order."""
    return [[card["card"] for card in meld["cards"]] for meld in melds]


def fixes(answer: Any) -> list[tuple[str, list[str]]]:
    return [(fix["how"], fix["cards"]) for fix in answer["fixes"]]


# ---- reasons -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "cards", "rule"),
    [
        ("de", "Herz 8, Herz 9, Joker, Joker", "unverwechselbar"),
        ("en", "8 of Hearts, 9 of Hearts, joker, joker", "no doubt"),
        ("lb", "Häerz 8, Häerz 9, Joker, Joker", "keen Zweiwel"),
        ("fr", "8 de cœur, 9 de cœur, joker, joker", "sans aucun doute"),
    ],
)
def test_a_refusal_names_the_readings_and_the_rule_with_its_source(
    nobody: Table, lang: str, cards: str, rule: str
) -> None:  # M08
    (problem,) = meld(nobody, "romme-palast", "8H 9H JK JK", lang)["problems"]

    assert problem["code"] == "E_JOKER_AMBIGUOUS"
    assert problem["facts"]["readings"] == [["10H", "JH"], ["6H", "7H"]]
    assert cards.casefold() in problem["message"].casefold()
    assert rule in problem["rule"]
    assert problem["rule"].endswith("(Rommé Palast).")


def test_a_valid_meld_names_the_rules_that_make_it_one(nobody: Table) -> None:
    answer = meld(nobody, "romme-palast", "8H 9H JK")

    assert [reason["clause"] for reason in answer["reasons"]] == ["5.2", "5.3.3"]
    run, joker = (reason["message"] for reason in answer["reasons"])
    assert run.endswith("(Rommé Palast).")
    assert joker.endswith("(a decision of scorekeeper).")
    assert answer["fixes"] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("preset", "cards", "expected"),
    [
        ("romme-palast", "8H 9H JK JK", [("without", ["JK"]), ("with", ["5H"]), ("with", ["QH"])]),
        ("german-family", "5H 6H 8H", [("with", ["7H"])]),
        ("german-family", "7H 8H 9H QS", [("without", ["QS"])]),
        ("german-family", "7H 7H 7S", [("instead", ["7H", "7C"]), ("instead", ["7H", "7D"])]),
        ("german-family", "2H 9D KS 5C", []),
    ],
)
def test_every_proposed_fix_is_a_meld(
    nobody: Table, lang: str, preset: str, cards: str, expected: list[tuple[str, list[str]]]
) -> None:
    answer = meld(nobody, preset, cards, lang)

    assert fixes(answer) == expected
    assert all(fix["message"] for fix in answer["fixes"])
    for how, changed in fixes(answer):
        held = [*cards.split()]
        if how != "with":
            held.remove(changed[0])
        if how != "without":
            held.append(changed[-1])
        assert meld(nobody, preset, held)["valid"]


def test_an_ambiguous_joker_lists_every_card_it_may_be(nobody: Table) -> None:  # 5.3.6
    answer = meld(nobody, "german-family", "9D JK 9C")

    (remark,) = answer["warnings"]
    assert (remark["code"], remark["path"]) == ("W_JOKER_UNPINNED", ["cards"])
    assert fixes(answer) == [("declare", ["9C", "9D", f"JK=9{suit}"]) for suit in "HS"]
    for _, cards in fixes(answer):
        assert meld(nobody, "german-family", cards)["warnings"] == []


def test_an_undeclared_joker_gets_every_reading(nobody: Table) -> None:  # RULES 5.3.3
    answer = meld(nobody, "german-family", "JK 8H JK 9H JK JK")

    assert [problem["code"] for problem in answer["problems"]] == ["E_JOKER_UNDECLARED"]
    for how, cards in fixes(answer):
        assert how == "declare"
        assert meld(nobody, "german-family", cards)["valid"]


def test_a_first_meld_says_how_far_it_reaches(nobody: Table) -> None:  # M01
    cheap = meld(nobody, "romme-palast", "7H 7S 7C", first=True)
    dear = meld(nobody, "romme-palast", "10H 10S 10C", first=True)

    assert cheap["first_meld"] == {"reached": 21, "needed": 30, "enough": False}
    assert dear["first_meld"] == {"reached": 30, "needed": 30, "enough": True}
    assert meld(nobody, "luxembourg", "7H 7S 7C", first=True)["first_meld"] is None
    assert meld(nobody, "romme-palast", "7H 7S 7C")["first_meld"] is None


def test_more_jokers_than_the_deck_has_are_no_meld(nobody: Table) -> None:
    answer = meld(nobody, "robber", "7H 8H JK JK JK")

    assert [problem["code"] for problem in answer["problems"]] == ["E_TOO_MANY_JOKERS"]
    assert fixes(answer)[0] == ("without", ["JK"])


# ---- hands ---------------------------------------------------------------------------


def test_the_best_arrangement_of_a_wiener_hand(nobody: Table) -> None:  # H01
    answer = hand(nobody, rules("wiener"), "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C").json

    assert answer["points"] == 22
    assert sorted(answer["rest"]) == ["2S", "5C", "5H", "QD"]
    assert {frozenset(cards) for cards in laid(answer["melds"])} == {
        frozenset({"KH", "KD", "KS"}),
        frozenset({"7C", "8C", "9C"}),
        frozenset({"AH", "AD", "JK"}),
    }


def test_lay_offs_on_the_table_are_part_of_the_best_arrangement(nobody: Table) -> None:  # G34
    defender = "10S AD 5H AH 10H 7D 10D QH QD JH"
    gin = rules("gin-palast")

    long_run = hand(nobody, gin, defender, table=["4S 5S 6S 7S 8S 9S", "9H 9D 9C"]).json
    short_run = hand(nobody, gin, defender, table=[{"cards": ["4S..8S"]}, "9H 9S 9D 9C"]).json

    assert (long_run["points"], short_run["points"]) == (34, 44)
    assert long_run["layoffs"] == [{"card": "10S", "meld": 0}]
    assert short_run["layoffs"] == []


def test_a_hand_gets_its_first_melds(nobody: Table) -> None:  # RULES 5.5
    cards = "10H JH QH 4C 4S 4D 4H 2S 3S 5S"
    answer = hand(nobody, rules("romme-palast"), cards).json["first_meld"]

    assert answer["needed"] == 30
    assert (answer["cheapest"]["points"], answer["dearest"]["points"]) == (30, 30)
    assert laid(answer["cheapest"]["melds"]) == [["10H", "JH", "QH"]]
    poor = hand(nobody, rules("romme-palast"), "2H 3H 4H 9S KD").json["first_meld"]
    assert poor == {"needed": 30, "cheapest": None, "dearest": None}
    assert hand(nobody, rules("romme-palast"), cards, has_laid=True).json["first_meld"] is None


def test_a_hand_gets_its_ways_to_go_out(nobody: Table) -> None:  # RULES 6.6.5
    family = rules("german-family")
    answer = hand(nobody, family, "10H JH QH KH 4C 4S 4D 2H").json

    assert [(way["discard"], way["rest"]) for way in answer["ways_out"]] == [("2H", [])]
    assert hand(nobody, family, "10H JH QH KH 4C 4S 2D 2H").json["ways_out"] == []
    free = hand(nobody, rules("luxembourg"), "10H JH QH", has_laid=True).json["ways_out"]
    assert [way["discard"] for way in free] == [None]


def test_going_out_by_laying_off_requires_a_first_meld(nobody: Table) -> None:  # 3.4 allow_layoff
    palast, table = rules("romme-palast"), ["5S 6S 7S"]

    fresh = hand(nobody, palast, "8S KD", table=table).json
    laid_out = hand(nobody, palast, "8S KD", table=table, has_laid=True).json

    assert (fresh["ways_out"], fresh["layoffs"], fresh["points"]) == ([], [], 18)
    assert [way["discard"] for way in laid_out["ways_out"]] == ["KD"]


def test_nothing_is_laid_off_before_the_first_meld(nobody: Table) -> None:  # R18
    family, table = rules("german-family"), ["7H 8H 9H"]

    fresh = hand(nobody, family, "2H 2D 2S 6H 5C", table=table, has_laid=False).json
    laid_out = hand(nobody, family, "2H 2D 2S 6H 5C", table=table, has_laid=True).json

    assert (fresh["points"], fresh["melds"], fresh["layoffs"]) == (17, [], [])
    assert fresh["ways_out"] == []
    assert (laid_out["points"], laid_out["layoffs"]) == (5, [{"card": "6H", "meld": 0}])


@pytest.mark.parametrize(
    ("by", "cards", "more", "found"),
    [
        (rules("wiener"), "AC..KC AD..QD", {}, ("E_HAND_COUNT", ["cards"])),
        (rules("gin-palast"), "7H 7H", {}, ("E_DUPLICATE_CARD", ["cards"])),
        (rules("gin-palast"), "7H JK", {}, ("E_JOKER_NOT_IN_DECK", ["cards"])),
        (rules("robber"), "JK JK JK", {}, ("E_TOO_MANY_JOKERS", ["cards"])),
        (rules("gin-palast"), "7H", {"table": ["5H 6H 7H"]}, ("E_DUPLICATE_CARD", ["cards"])),
        (rules("gin-palast"), "7H", {"table": ["2C 2S 2D", "5H 6S 7D"]}, ("E_RUN", ["table", 1])),
        (rules("gin-palast"), "K 7H", {}, ("E_SUIT_NEEDED", ["cards"])),
        (rules("gin-palast"), "7X", {}, ("E_NOTATION", ["cards"])),
        (rules("gin-palast"), "7H", {"table": [{"meld": "7S"}]}, ("E_FORM", ["table", 0, "meld"])),
        (rules("gin-palast", x__y=1), "7H", {}, ("E_CONFIG", ["rules", "options", "x.y"])),
    ],
)
def test_an_impossible_hand_is_refused(
    nobody: Table, by: dict[str, Any], cards: str, more: dict[str, Any], found: object
) -> None:
    answer = hand(nobody, by, cards, **more)

    assert answer.status_code == 422
    assert found in codes(answer)


JOKERS = "JK JK JK JK JK JK JK JK"


@pytest.mark.parametrize(
    ("cards", "points"),
    [("2H 5S 9C QD 3D 7H JS KC", 22), ("2H 3H 5H 6H 8H 9H JH QH", 0), ("4H..JH", 0)],
)
def test_sixteen_cards_with_eight_jokers_have_their_least_rest(
    nobody: Table, cards: str, points: int
) -> None:
    answer = hand(nobody, rules("german-family", deck__jokers=8), f"{JOKERS} {cards}")

    assert (answer.status_code, answer.json["points"]) == (200, points)


KNOWN = "2H 6C 8C AD JH 9C 2C KC KD 2S JS 2H 7C JK QC 2D"
"""Seven wild cards and a run that can grow at both ends: searches once took seconds here."""


def test_wild_twos_and_lay_offs_are_answered_within_the_budget(nobody: Table) -> None:
    by = rules("romme-palast", wild__twos=True)

    found = hand(nobody, by, KNOWN, table=["3C 4C 5C"], has_laid=True)

    assert (found.status_code, found.json["points"], found.json["rest"]) == (200, 0, [])
    assert len(found.json["ways_out"]) == 13


def test_a_search_beyond_the_budget_is_refused_and_not_guessed(
    nobody: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUICK_STEPS", 100)
    by = rules("romme-palast", wild__twos=True, joker__min_naturals=1, meld__first_min=50)

    answered = hand(nobody, by, KNOWN, table=["3C 4C 5C"], has_laid=True)
    refused = hand(nobody, by, "2C 2C 2D 2D 2H 2H 2S 2S 3C..KC AC JK JK JK JK")

    assert answered.status_code == 200  # in the pool
    assert refused.status_code == 422
    assert codes(refused) == [("E_TOO_MUCH", [])]


# ---- turns ---------------------------------------------------------------------------


def test_a_turn_of_robbing_is_allowed(nobody: Table) -> None:  # R01
    answer = turn(
        nobody,
        "robber",
        before=["4S 5S 6S 7S"],
        hand_used="8S 9S",
        after=["4S 5S 6S", ["7S", "8S", "9S"]],
    ).json

    assert answer == {"allowed": True, "problems": [], "warnings": []}


def test_rearranging_without_robbing_is_refused_with_the_rule(nobody: Table) -> None:  # R07
    before = [{"cards": "2C 2H 2D 2S", "id": 1}, {"cards": "3S 4S 5S", "id": "x"}]
    after = ["2C 2H 2D", "AS 2S 3S 4S 5S"]

    answer = turn(nobody, "luxembourg", before=before, hand_used="AS", after=after).json

    assert not answer["allowed"]
    assert [problem["code"] for problem in answer["problems"]] == ["E_REARRANGE"]
    assert "Luxembourgish Rommé)" in answer["problems"][0]["rule"]


@pytest.mark.parametrize(("own", "allowed"), [(True, False), (False, True)])
def test_the_owner_of_a_meld_decides_about_a_swap(nobody: Table, own: bool, allowed: bool) -> None:
    answer = turn(  # R10, R13
        nobody,
        "romme-palast",
        before=[{"cards": "9H JK=10H JH", "own": own}],
        hand_used="10H 4C 4S",
        after=["9H 10H JH", "4C 4S JK"],
    ).json

    assert answer["allowed"] is allowed
    assert [problem["code"] for problem in answer["problems"]] == ["E_SWAP_NOT_ALLOWED"] * own


def test_a_turn_may_be_described_move_by_move(nobody: Table) -> None:  # RULES 10.2
    steps = [
        {"move": "steal", "meld": 0, "cards": "7S"},
        {"move": "lay", "cards": "7S 8S 9S"},
    ]
    good = turn(nobody, "robber", before=["4S..7S"], hand_used="8S 9S", steps=steps)
    bad = turn(nobody, "robber", before=["7S 7D 7C"], steps=steps[:1])

    assert good.json["allowed"]
    assert codes(bad) == [("E_STEAL_LEAVES_INCOMPLETE", ["steps", 0])]


def test_a_warning_does_not_refuse_the_turn(nobody: Table) -> None:  # 10.1 T5
    answer = turn(nobody, "robber", before=["4S..9S"], after=["4S 5S 6S", "7S 8S 9S"]).json

    assert answer["allowed"]
    assert [remark["code"] for remark in answer["warnings"]] == ["W_NO_HAND_CARD"]


def test_a_turn_is_described_by_its_result_or_its_moves(nobody: Table) -> None:
    neither = turn(nobody, "robber", before=["4S 5S 6S"])
    both = turn(nobody, "robber", before=["4S 5S 6S"], after=["4S 5S 6S"], steps=[])

    for answer, why in ((neither, "missing"), (both, "either")):
        assert answer.status_code == 422
        assert codes(answer) == [("E_FORM", ["after"])]
        assert answer.json["problems"][0]["facts"]["why"] == why


# ---- the examples of the description -------------------------------------------------


@pytest.mark.parametrize(
    ("path", "examples"),
    [
        ("/melds/check", referee.MELDS),
        ("/hands/arrange", referee.HANDS),
        ("/table/check", referee.TURNS),
    ],
)
def test_every_example_is_described_and_answered(nobody: Table, path: str, examples: Any) -> None:
    operation = nobody.get("/openapi.json").json["paths"][f"/api/v1{path}"]["post"]

    assert operation["requestBody"]["content"]["application/json"]["examples"] == examples
    for example in examples.values():
        assert nobody.post(path, example["value"]).status_code == 200


# ---- a whole turn (RULES 10.4) -----------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "facts", "found"),
    [
        (
            "luxembourg",
            {"drawn": [{"from": "discard", "card": "7C"}], "discard": "7C"},
            "E_RETURNED",
        ),
        ("luxembourg", {"drawn": [{"from": "stock"}], "discard": ["7C"]}, ""),
        ("romme-palast", {"drawn": [], "discard": "4C"}, "E_NOT_DRAWN"),
        ("romme-palast", {"drawn": None}, "E_NOT_DRAWN"),  # null says none
        ("romme-palast", {"discard": None, "hand_left": 0}, "E_DISCARD_REQUIRED"),
        ("romme-palast", {"discard": "", "hand_left": 1}, "E_DISCARD_MISSING"),
        ("romme-palast", {"claim": {"card": "7C", "consent": True}}, "E_KLOPFEN_OFF"),
        ("romme-palast", {"claim": None, "in_turn": True}, ""),
        ("gin-palast", {"glass": [{"kind": "group", "rank": "7", "hit": True}]}, "E_RULE_OFF"),
        ("german-family", {"before": ["4S 5S 6S"], "in_turn": False}, ""),
        ("gin-palast", {"in_turn": False, "knock": True}, "E_NOT_IN_TURN"),  # R24
        (
            "luxembourg",  # R27: the melds count even if nothing is said about what became of them
            {"before": ["7H 7D 7S"], "drawn": [{"from": "discard", "card": "7H"}]},
            "E_DUPLICATE_CARD",
        ),
        ("romme-palast", {"discard": None}, "E_DISCARD_MISSING"),  # R28
        ("luxembourg", {"discard": None}, ""),
    ],
)
def test_a_whole_turn_is_checked_as_far_as_it_is_described(
    nobody: Table, by: str, facts: dict[str, Any], found: str
) -> None:  # R15, R17
    answer = turn(nobody, by, **facts).json

    assert " ".join(problem["code"] for problem in answer["problems"]) == found
    assert answer["allowed"] == (not found)


def test_a_refusal_of_laying_in_gin_names_its_sources(nobody: Table) -> None:  # R23
    laid = {"hand_used": "7H 7D 7S", "after": ["7H 7D 7S"]}

    (problem,) = turn(nobody, "gin-palast", **laid).json["problems"]

    assert problem["code"] == "E_NO_LAYING"
    assert "Gin Rommé Palast" in problem["rule"]
    assert [one["how"] for one in problem["fixes"]] == ["keep_cards", "lay_at_end"]
    assert turn(nobody, "gin-palast", **laid, knock=True).json["allowed"]


def test_a_claim_names_its_price(nobody: Table) -> None:  # R26
    rasche = rules("german-family", klopfen__mode="rasche")
    body = {"rules": rasche, "claim": {"card": "7C"}, "drawn": [{"from": "stock"}]}

    (problem,) = nobody.post("/table/check", body).json["problems"]

    assert (problem["code"], problem["facts"]["needed"]) == ("E_CLAIM_PENALTY", 2)
    assert [one["how"] for one in problem["fixes"]] == ["penalty_2"]


def test_the_way_out_that_the_solver_offers_is_allowed(nobody: Table) -> None:  # R21
    held = "AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KC"
    (way,) = hand(nobody, rules("german-family"), held).json["ways_out"]
    melds = laid(way["melds"])

    answer = turn(
        nobody,
        "german-family",
        has_laid=False,
        hand_used=[card for meld in melds for card in meld],
        after=melds,
        discard=way["discard"],
        hand_left=len(way["rest"]),
    ).json

    assert answer == {"allowed": True, "problems": [], "warnings": []}


def test_a_refused_turn_says_what_would_be_allowed(nobody: Table) -> None:  # R16
    answer = turn(
        nobody,
        "robber",
        drawn=[{"from": "discard", "card": "9D"}],
        before=["6D 7D 8D"],
        after=["6D 7D 8D"],
    ).json

    (problem,) = answer["problems"]
    assert problem["code"] == "E_DISCARD_NOT_MELDED"
    assert "Rasche, §\N{NO-BREAK SPACE}8b" in problem["rule"]
    assert [one["how"] for one in problem["fixes"]] == ["lay_off", "meld_it", "draw_stock"]
    assert problem["fixes"][0]["on"] == ["6D", "7D", "8D"]
    assert all(one["message"] for one in problem["fixes"])


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({"drawn": [{"card": "7C"}]}, ["drawn", 0, "from"]),
        ({"drawn": [{"from": "discard", "card": "7C 8C"}]}, ["drawn", 0, "card"]),
        ({"drawn": [{"from": "stock"}] * 21}, ["drawn"]),
        ({"discard": "7C 8C"}, ["discard"]),
        ({"discard": "7X"}, ["discard"]),
        ({"claim": {"consent": True}}, ["claim", "card"]),
        ({"claim": {"card": "7X"}}, ["claim", "card"]),
        ({"glass": [{"kind": "pile"}]}, ["glass", 0, "kind"]),
        ({"hand_left": -1}, ["hand_left"]),
        ({"players": 9}, ["players"]),
        ({"in_turn": "yes"}, ["in_turn"]),
        ({"drawn": [], "hand_used": "7C"}, ["after"]),  # played, but where to?
        ({}, ["after"]),
    ],
)
def test_an_unreadable_turn_is_refused_with_its_place(
    nobody: Table, facts: dict[str, Any], found: list[str | int]
) -> None:
    answer = turn(nobody, "romme-palast", **facts)

    assert answer.status_code == 422
    assert [problem["path"] for problem in answer.json["problems"]] == [found]
