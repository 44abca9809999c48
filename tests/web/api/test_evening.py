"""The evening of examples/evening.json, from the first round to the last payment ([001] §6)."""

from typing import Any

from scorekeeper.client import Server


def test_the_reference_evening_settles_as_in_the_source(server: Server, evening: Any) -> None:
    """S01 over REST: totals, pairs, balances, amounts, transfers."""
    expected = evening["expected"]
    names = [player["name"] for player in evening["players"]]
    game = server.new_game(evening["title"], evening["rules"], names, stake=evening["stake"])

    scored = [game.record(played)["score"]["scores"] for played in evening["rounds"]]

    assert [[seat and seat["minus"] for seat in seats] for seats in scored] == expected["minus"]

    stands = game.read()

    assert [tally["minus"] for tally in stands["totals"]] == expected["totals"]
    assert (stands["ranking"], stands["leader"], stands["over"]) == ([2, 3, 1, 4], 2, False)

    settlement = game.settlement()

    assert settlement["pairs"][0] == [None, 140, -80, 270]
    assert settlement["balances"] == expected["balances"]
    assert settlement["amounts"] == settlement["payable_amounts"] == expected["amounts"]
    assert settlement["unit"] == "Pf"
    due = [{k: t[k] for k in ("from", "to", "amount")} for t in settlement["transfers"]]
    assert due == expected["transfers"]

    paid = game.mark_paid(0)

    assert [bool(transfer["paid_at"]) for transfer in paid["transfers"]] == [True, False, False]


def test_totals_alone_settle_the_same_way(server: Server, evening: Any) -> None:
    expected = evening["expected"]

    settlement = server.settle(
        expected["totals"], "minus", mode="pairwise", point_value="1/10", unit="Pf", payable="1"
    )

    assert settlement["balances"] == expected["balances"]
    assert settlement["amounts"] == expected["amounts"]
    assert settlement["transfers"] == expected["transfers"]

    points = server.settle(expected["totals"], "minus", mode="pairwise")

    assert points["balances"] == expected["balances"]
    assert points["amounts"] is points["payable_amounts"] is points["transfers"] is None
