"""Erasing the name of a player over REST; the numbers stay."""

from rest import QUICK, Table, codes


def erase(table: Table, seat: int = 1, **more):
    more.setdefault("match", table.version)
    return table.call("DELETE", f"/games/{{id}}/players/{seat}", **more)


def test_an_erased_player_has_an_empty_name_and_the_points_stay(table: Table) -> None:
    table.record(QUICK)
    before = table.get("/games/{id}").json
    answer = erase(table)

    assert answer.status_code == 200
    assert [one["name"] for one in answer.json["players"]] == ["A", "", "C", "D"]
    assert answer.json["totals"] == before["totals"]
    assert answer.headers["ETag"] == f'"{before["version"] + 1}-en"'


def test_sentences_about_an_erased_player_name_the_seat(table: Table) -> None:
    erase(table)
    seats = [{}, {"deadwood": 8}, {"points": 1}, {"points": 1}]
    refused = table.record({"outcome": "out", "winner": 0, "seats": seats})

    assert refused.status_code == 422
    assert "Player 2" in refused.json["detail"]


def test_erasing_is_in_the_history(table: Table) -> None:
    erase(table)
    last = table.get("/games/{id}/history").json["changes"][-1]

    assert (last["kind"], last["details"], last["words"]) == ("erased", {"seat": 1}, {"name.1": ""})


def test_a_change_needs_if_match_with_the_current_version(table: Table) -> None:
    assert erase(table, match=None).status_code == 428
    assert erase(table, match="9").status_code == 412
    assert table.get("/games/{id}").json["players"][1]["name"] == "B"


def test_a_repeated_request_gets_the_first_answer(table: Table) -> None:
    first = erase(table, key="once")
    again = erase(table, key="once", match="1")

    assert (again.status_code, again.json) == (200, first.json)
    assert codes(erase(table, seat=2, key="once")) == [("E_KEY_REUSED", ["Idempotency-Key"])]


def test_an_unknown_seat_is_not_found(table: Table) -> None:
    assert erase(table, seat=4).status_code == 404


def test_watchers_cannot_erase(table: Table) -> None:
    assert erase(table, secret=table.watch).status_code == 403
