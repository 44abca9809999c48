"""Rounds over REST: price, record, repeat, correct, strike, restore."""

import re
from typing import Any

import pytest

from rest import QUICK, Table, codes, described

HANDS = [{}, {"hand": "KH 9C AS JK"}, {"hand": "2D 3D QC"}, {"hand": "5S 5H JK JK"}]
L01 = {"outcome": "out", "winner": 0, "seats": HANDS}


def minus(answer: Any) -> list[int]:
    return [tally["minus"] for tally in answer.json["totals"]]


# ---- without a game ------------------------------------------------------------------


def test_a_round_is_priced_without_a_game(nobody: Table) -> None:  # L01
    body = {"rules": {"preset": "romme-palast"}, "players": 4, "round": L01}

    answer = nobody.post("/rounds/score", body).json

    assert [seat["net"] for seat in answer["scores"]] == [115, -50, -15, -50]
    assert (answer["winner"], answer["mark"]) == (0, "verified")
    assert sum(line["minus"] for line in answer["lines"]) == 115
    assert all(line["message"] for line in answer["lines"])


def test_an_absent_player_has_no_score(nobody: Table) -> None:  # RULES 6.2b
    seats = [{}, {"points": 12}, {"absent": True}]
    played = {"outcome": "out", "winner": 0, "seats": seats}
    body = {"rules": {"preset": "german-family"}, "players": 3, "round": played}

    assert nobody.post("/rounds/score", body).json["scores"][2] is None


def test_a_limit_may_be_named_beside_the_rules(nobody: Table) -> None:
    body = {"rules": {"preset": "romme-palast"}, "players": 4, "round": L01}

    for end_points in (None, 1000):
        assert nobody.post("/rounds/score", {**body, "end_points": end_points}).status_code == 200
    refused = nobody.post("/rounds/score", {**body, "end_points": 0})
    assert codes(refused) == [("E_FORM", ["end_points"])]


CITED = {
    ("luxembourg", "out"): "Everyone else counts what is left in hand when the round is over "
    "(Luxembourgish Rommé).",
    ("wiener", "out"): "Everyone else counts what is left in hand when the round is over (Rasche).",
    ("knock-rummy", "knock"): "Everyone else counts what is left in hand when the round is over "
    "(Klop-Rummy).",
}


@pytest.mark.parametrize(("preset", "outcome"), CITED)
def test_a_refused_round_cites_the_source_of_its_rules(
    nobody: Table, preset: str, outcome: str
) -> None:
    ender = {"out": "winner", "knock": "knocker"}[outcome]
    seats = [{"count": 3} if outcome == "knock" else {}, {}]
    played = {"outcome": outcome, ender: 0, "seats": seats}
    body = {"rules": {"preset": preset}, "players": 2, "round": played}

    (problem,) = nobody.post("/rounds/score", body).json["problems"]

    assert (problem["code"], problem["rule"]) == ("E_HAND_MISSING", CITED[preset, outcome])


@pytest.mark.parametrize(
    ("played", "code", "place"),
    [
        ({"outcome": "out", "winner": 0, "seats": [{}, {}]}, "E_HAND_MISSING", ["seats", 1]),
        ({"outcome": "out", "winner": 0, "seats": [{}, {"hand": "KX"}]}, "E_NOTATION", ["seats"]),
        ({"outcome": "out", "winner": 7, "seats": [{}, {"points": 5}]}, "E_FORM", ["winner"]),
        ({"outcome": "knock", "knocker": 0, "seats": [{}, {}]}, "E_FORM", ["outcome"]),
    ],
)
def test_a_refused_round_names_the_place_in_the_body(
    nobody: Table, played: Any, code: str, place: list[Any]
) -> None:
    body = {"rules": {"preset": "german-family"}, "players": 2, "round": played}

    answer = nobody.post("/rounds/score", body)

    assert answer.status_code == 422
    assert codes(answer)[0][0] == code
    assert codes(answer)[0][1][: 1 + len(place)] == ["round", *place]


# ---- recording -----------------------------------------------------------------------


def test_a_recorded_round_answers_with_its_score_and_the_new_totals(table: Table) -> None:
    answer = table.record(L01)

    assert answer.status_code == 201
    assert answer.headers["Location"].endswith(f"/games/{table.id}/rounds/1")
    assert answer.headers["ETag"] == '"2-en"'
    assert (answer.json["number"], answer.json["score"]["winner"]) == (1, 0)
    assert minus(answer) == [0, 50, 15, 50]
    assert answer.json["ranking"] == [1, 3, 2, 3]


def test_nothing_is_recorded_without_a_key(table: Table) -> None:
    answer = table.record(QUICK, key=None)

    assert answer.status_code == 400
    assert codes(answer) == [("E_FORM", ["Idempotency-Key"])]
    assert table.version == "1"


def test_the_same_key_answers_as_the_first_time_and_records_once(table: Table) -> None:
    first = table.record(QUICK, key="press")
    table.record(QUICK)

    again = table.record(QUICK, key="press")

    assert (again.status_code, again.json) == (first.status_code, first.json)
    assert again.headers["ETag"] == first.headers["ETag"]
    assert len(table.get("/games/{id}").json["rounds"]) == 2


def test_the_same_key_with_another_round_is_refused(table: Table) -> None:
    table.record(QUICK, key="press")

    other = {**QUICK, "seats": [{}, *[{"points": 5}] * 3]}
    answer = table.record(other, key="press")

    assert answer.status_code == 422
    assert codes(answer) == [("E_KEY_REUSED", ["Idempotency-Key"])]
    assert table.version == "2"


@pytest.mark.parametrize("key", ["", "x" * 101, "Schlüssel", "a\tb"])
def test_a_key_is_a_short_plain_text(table: Table, key: str) -> None:
    headers = {"Idempotency-Key": key.encode().decode("latin-1")}

    answer = table.record(QUICK, key=None, headers=headers)

    assert answer.status_code == 400
    assert answer.json["problems"] == [
        {
            "code": "E_FORM",
            "message": "An Idempotency-Key has 1 to 100 printable ASCII characters: no accents,"
            " no line breaks.",
            "path": ["Idempotency-Key"],
            "facts": {"why": "key", "least": 1, "most": 100},
        }
    ]
    assert not re.search(described_key(table)["pattern"], key) or len(key) > 100


@pytest.mark.parametrize("key", ["a b", "~", "x" * 100])
def test_every_key_that_is_described_is_accepted(table: Table, key: str) -> None:
    form = described_key(table)

    assert (form["minLength"], form["maxLength"]) == (1, 100)
    assert re.search(form["pattern"], key)
    assert table.record(QUICK, key=key).status_code == 201


def described_key(table: Table) -> dict[str, Any]:
    """Return the form of an idempotency key in the description."""
    operation = described(table.app).operation("POST", "/api/v1/games/{game_id}/rounds")
    assert operation
    (key,) = (one for one in operation["parameters"] if one["name"] == "Idempotency-Key")
    form: dict[str, Any] = key["schema"]
    return form


def test_a_preview_prices_and_stores_nothing(table: Table) -> None:
    answer = table.post("/games/{id}/rounds/preview", L01)

    assert [seat["minus"] for seat in answer.json["scores"]] == [0, 50, 15, 50]
    assert table.version == "1"


def test_a_refused_round_changes_nothing_and_names_the_player(table: Table) -> None:
    answer = table.record({"outcome": "out", "winner": 0, "seats": [{}, {}, {}, {"points": 5}]})

    assert answer.status_code == 422
    assert codes(answer) == [
        ("E_HAND_MISSING", ["seats", 1]),
        ("E_HAND_MISSING", ["seats", 2]),
    ]
    assert "B" in answer.json["problems"][0]["message"]
    assert table.version == "1"


@pytest.mark.parametrize(
    ("lang", "title"),
    [
        ("de", "So kann es nicht gelten"),
        ("en", "This cannot count"),
        ("lb", "Esou kann et net gëllen"),
        ("fr", "Cela ne peut pas compter"),
    ],
)
def test_refusals_speak_the_readers_language(table: Table, lang: str, title: str) -> None:
    answer = table.record({**QUICK, "winner": None}, lang=lang).json

    assert answer["title"] == title
    assert answer["detail"] == answer["problems"][0]["message"]


def test_a_game_that_is_over_takes_no_more_rounds(table: Table) -> None:
    table.call("PATCH", "/games/{id}", {"over": True}, match="1")

    assert codes(table.record(QUICK)) == [("E_GAME_OVER", [])]


# ---- what is there already -----------------------------------------------------------


def test_a_correction_keeps_the_old_entry_and_updates_all_totals(table: Table) -> None:
    table.record(QUICK)
    right = {"outcome": "out", "winner": 1, "seats": [{"points": 9}, {}, *QUICK["seats"][2:]]}

    answer = table.call("PUT", "/games/{id}/rounds/1", right, match="2")

    assert (answer.status_code, minus(answer)) == (200, [9, 0, 35, 60])
    assert answer.json["corrected_at"]
    before, after = (table.get("/games/{id}/history").json["changes"][-1][k] for k in BEFORE_AFTER)
    assert (before["score"]["winner"], after["score"]["winner"]) == (0, 1)


BEFORE_AFTER = ("before", "after")


def test_a_struck_round_stays_readable_and_does_not_count_until_restored(table: Table) -> None:
    table.record(QUICK)

    struck = table.call("DELETE", "/games/{id}/rounds/1", match="2")

    assert (minus(struck), bool(struck.json["struck_at"])) == ([0, 0, 0, 0], True)
    assert table.get("/games/{id}/rounds/1").json["score"]["scores"][1]["minus"] == 12

    restored = table.call("POST", "/games/{id}/rounds/1/restore", match="3")

    assert (minus(restored), restored.json["struck_at"]) == ([0, 12, 35, 60], None)


def test_a_round_is_read_back_as_it_was_declared_in_canonical_form(table: Table) -> None:
    german = [{}, *({"hand": hand, "notation": "de"} for hand in ("HK Kreuz 9 PA J", "K3", "B"))]
    table.record({"outcome": "out", "winner": 0, "seats": german, "note": "Rotwein"})

    played = table.get("/games/{id}/rounds/1").json["round"]

    assert played["seats"][1] == {"hand": ["KH", "9C", "AS", "JK"]}
    assert played["note"] == "Rotwein"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("number", ["0", "2", "999999999999999999999", "x", "-1"])
def test_an_unknown_round_is_not_found(table: Table, method: str, number: str) -> None:
    table.record(QUICK)
    body = QUICK if method == "PUT" else None

    answer = table.call(method, f"/games/{{id}}/rounds/{number}", body, match="2")

    assert answer.status_code == 404
    assert table.version == "2"


# ---- two people writing --------------------------------------------------------------

CHANGES = [
    ("PATCH", "/games/{id}", {"title": "Neu"}),
    ("PUT", "/games/{id}/rounds/1", QUICK),
    ("DELETE", "/games/{id}/rounds/1", None),
    ("POST", "/games/{id}/rounds/1/restore", None),
    ("PUT", "/games/{id}/settlement/transfers/0", {"paid": True}),
]


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_must_name_the_version_it_is_based_on(
    table: Table, method: str, path: str, body: Any
) -> None:
    table.record(QUICK)

    assert table.call(method, path, body).status_code == 428

    stale = table.call(method, path, body, match="1")

    assert (stale.status_code, stale.headers["ETag"]) == (412, '"2-en"')
    assert table.version == "2"
    assert table.call(method, path, body, match="2").status_code == 200


@pytest.mark.parametrize("preset", ["contract-rummy", "phases", "three-thirteen"])
def test_a_repeated_round_gets_the_first_answer_in_a_game_by_a_plan(app, preset) -> None:
    table = Table(app).begin(preset, "ABC")
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 5}, {"points": 9}]}
    if preset == "phases":
        body["seats"][1:] = [{"points": 5, "laid": True}, {"points": 9, "laid": False}]
    first = table.record(body, key="once")
    assert table.record(body, key="later").json["number"] == 2

    again = table.record(body, key="once")

    assert (first.status_code, again.status_code, again.json) == (201, 201, first.json)
    assert table.version == "3"


@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_repeated_change_gets_the_first_answer_despite_later_changes(
    table: Table, method: str, path: str, body: Any
) -> None:
    table.record(QUICK)
    if path.endswith("restore"):
        table.call("DELETE", "/games/{id}/rounds/1", match="2")
    before = table.version
    first = table.call(method, path, body, match=before, key="once")
    table.record(QUICK)

    again = table.call(method, path, body, match=before, key="once")

    assert (again.status_code, again.json) == (first.status_code, first.json)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("DELETE", "/games/{id}/rounds/1", None),
        ("POST", "/games/{id}/rounds/2/restore", None),
        ("PATCH", "/games/{id}", {"over": True}),
    ],
)
def test_a_change_without_effect_writes_nothing(
    table: Table, method: str, path: str, body: Any
) -> None:
    table.record(QUICK)
    table.record(QUICK)
    table.call("DELETE", "/games/{id}/rounds/1", match="3")
    table.call("PATCH", "/games/{id}", {"over": True}, match="4")
    again = table.call(method, path, body, match="5")

    assert (again.status_code, again.headers["ETag"]) == (200, '"5-en"')
    assert len(table.get("/games/{id}/history").json["changes"]) == 5


def test_reopening_an_unfinished_game_changes_nothing(table: Table) -> None:
    answer = table.call("PATCH", "/games/{id}", {"over": False}, match="1")

    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1-en"')


@pytest.mark.parametrize("path", ["", "/history", "/settlement", "/rounds/1", "/export.json"])
def test_a_known_version_is_answered_304(table: Table, path: str) -> None:
    table.record(QUICK)
    sent = table.get("/games/{id}" + path)

    same = table.get("/games/{id}" + path, headers={"If-None-Match": sent.headers["ETag"]})

    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", '"2-en"')
    table.record(QUICK)
    newer = table.get("/games/{id}" + path, headers={"If-None-Match": sent.headers["ETag"]})
    assert newer.status_code == 200


TAGGED = ("", "/rounds/1", "/settlement", "/history", "/settlement.pdf")
TAGGED += ("/rules-card.pdf", "/export.json", "/export.csv", "/export.csv?table=payments")


@pytest.mark.parametrize("path", TAGGED)
def test_etags_differ_by_language(table: Table, path: str) -> None:  # API 1
    table.record(QUICK)

    def ask(code: str, **headers: str) -> Any:
        return table.get("/games/{id}" + path, headers={"Accept-Language": code, **headers})

    german = ask("de")
    tag = german.headers["ETag"]

    assert tag == '"2-de"'
    assert ask("de", **{"If-None-Match": tag}).status_code == 304
    for code in ("en", "lb", "fr"):
        other = ask(code, **{"If-None-Match": tag})
        assert (other.status_code, other.headers["ETag"]) == (200, f'"2-{code}"')
    unchanged = ask("de", **{"If-None-Match": tag})
    assert unchanged.headers["Vary"] == german.headers["Vary"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/rounds/999", 404),
        ("/rounds/0", 404),
        ("/settlement", 422),
        ("/settlement.pdf", 422),
        ("/export.csv?table=settlements", 422),
        ("/export.csv?table=payments", 422),
        ("/export.csv?table=totals", 304),
    ],
)
@pytest.mark.parametrize("tag", ['"2-en"', "*"])
def test_a_missing_resource_is_never_answered_304(
    nobody: Table, path: str, status: int, tag: str
) -> None:
    nobody.begin(rules={"preset": "german-family", "options": {"settle.mode": "balance"}})
    nobody.record(QUICK)

    assert nobody.get("/games/{id}" + path, headers={"If-None-Match": tag}).status_code == status


def test_a_statement_for_an_unknown_player_is_not_answered_304(table: Table) -> None:
    tag = {"headers": {"If-None-Match": '"1-en"'}}

    assert table.get("/games/{id}/settlement.pdf?side=3", **tag).status_code == 304
    assert table.get("/games/{id}/settlement.pdf?side=4", **tag).status_code == 404


@pytest.mark.parametrize(
    ("seen", "status"),
    [('"2"', 200), ('"2-en"', 200), ('"2-de"', 200), ('"1-en"', 412), ('"2-it"', 412)],
)
def test_if_match_works_with_and_without_the_language(
    table: Table, seen: str, status: int
) -> None:  # API 1
    table.record(QUICK)
    answer = table.client.patch(
        f"/api/v1/games/{table.id}",
        json={"title": "Neu"},
        headers={
            "Authorization": f"Bearer {table.pen}",
            "Accept-Language": "en",
            "If-Match": seen,
        },
    )

    assert answer.status_code == status
    assert answer.headers["ETag"] == ('"3-en"' if status == 200 else '"2-en"')
