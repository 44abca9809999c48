"""The evening of examples/evening.json, from the first round to the last payment ([001] §6)."""

from typing import Any

from rest import Table


def test_the_evening_comes_to_the_table_of_rasche(nobody: Table, evening: Any) -> None:
    """S01 over REST: totals, pairs, balances, amounts, transfers."""
    expected = evening["expected"]
    body = {name: evening[name] for name in ("title", "rules", "stake", "players")}
    begun = nobody.post("/games", body, secret="").json
    nobody.id, nobody.pen = begun["id"], begun["pen"]

    scored = [nobody.record(played).json["score"]["scores"] for played in evening["rounds"]]

    assert [[seat["minus"] for seat in seats] for seats in scored] == expected["minus"]

    game = nobody.get("/games/{id}").json

    assert [tally["minus"] for tally in game["totals"]] == expected["totals"]
    assert (game["ranking"], game["leader"], game["over"]) == ([2, 3, 1, 4], 2, False)

    settlement = nobody.get("/games/{id}/settlement").json

    assert settlement["pairs"][0] == [None, 140, -80, 270]
    assert settlement["balances"] == expected["balances"]
    assert settlement["amounts"] == settlement["payable_amounts"] == expected["amounts"]
    assert settlement["unit"] == "Pf"
    due = [{k: t[k] for k in ("from", "to", "amount")} for t in settlement["transfers"]]
    assert due == expected["transfers"]

    paid = nobody.call(
        "PUT", "/games/{id}/settlement/transfers/0", {"paid": True}, match=nobody.version
    ).json

    assert [bool(transfer["paid_at"]) for transfer in paid["transfers"]] == [True, False, False]


def test_totals_alone_settle_the_same_way(nobody: Table, evening: Any) -> None:
    expected = evening["expected"]
    body = {"measure": "minus", "totals": expected["totals"], "mode": "pairwise"}
    stake = {"point_value": "1/10", "unit": "Pf", "payable": "1"}

    settlement = nobody.post("/settlements", body | stake).json

    assert settlement["balances"] == expected["balances"]
    assert settlement["amounts"] == expected["amounts"]
    assert settlement["transfers"] == expected["transfers"]

    points = nobody.post("/settlements", body).json

    assert points["balances"] == expected["balances"]
    assert points["amounts"] is points["payable_amounts"] is points["transfers"] is None
