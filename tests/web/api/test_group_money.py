"""The money of a group over REST: payments, rates, reversals and statements."""

from random import Random
from typing import Any

import pytest

import short
from rest import Club, Table
from scorekeeper.client import Refused, Server
from web.api.conftest import change, whys


def test_money_is_returned_by_unit(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.pay(0, 1, "9/5", "EUR")

    answer = club.get("/groups/{id}/money")

    assert answer.headers["ETag"] == f'"{club.version}-en"'
    assert answer.json == {
        "units": [
            {
                "unit": "ct",
                "amounts": ["35", "5", "-40"],
                "payable": "1",
                "payments": [
                    {"from": 2, "to": 0, "amount": "35"},
                    {"from": 2, "to": 1, "amount": "5"},
                ],
                "fewest": True,
            },
            {
                "unit": "EUR",
                "amounts": ["9/5", "-9/5", "0"],
                "payable": "1/100",
                "payments": [{"from": 1, "to": 0, "amount": "9/5"}],
                "fewest": True,
            },
        ],
        "rates": [],
    }


NAMELESS = {"preset": "german-family", "options": {"settle.unit": " "}}
STAKE = {"point_value": "1", "unit": ""}


@pytest.mark.parametrize(
    ("method", "path", "body", "place"),
    [
        ("POST", "/payments", {"from": 0, "to": 1, "amount": "5", "unit": ""}, ["unit"]),
        ("POST", "/payments", {"from": 0, "to": 1, "amount": "5", "unit": " "}, ["unit"]),
        ("POST", "/conversions", {"unit": "ct", "in": ""}, ["in"]),
        ("PATCH", "", {"rules": {"preset": "german-family"}, "stake": STAKE}, ["stake", "unit"]),
        ("PATCH", "", {"rules": NAMELESS}, ["rules", "options", "settle.unit"]),
        (
            "POST",
            "/games",
            {
                "players": [{"name": "Anna"}, {"name": "Ben"}],
                "rules": {"preset": "german-family"},
                "stake": STAKE,
            },
            ["stake", "unit"],
        ),
        (
            "POST",
            "/tournament",
            {
                "format": "random",
                "rounds": 2,
                "rules": {"preset": "german-family"},
                "money": {"fee": "5", "unit": ""},
            },
            ["money", "unit"],
        ),
    ],
)
def test_money_has_a_unit(club: Club, method: str, path: str, body: Any, place: list[Any]) -> None:
    answer = change(club, method, path, body, key="once")

    assert whys(answer) == [("E_FORM", "missing", place)]
    assert club.version == "1"


def test_a_payment_larger_than_the_debt_is_a_credit(club: Club) -> None:
    club.evening("Anna", "Ben", points=(0, 10))

    answer = club.pay(1, 0, "500")

    assert answer.status_code == 201
    assert answer.json["units"][0]["amounts"] == ["-490", "490", "0"]
    assert answer.json["units"][0]["payments"] == [{"from": 0, "to": 1, "amount": "490"}]


def test_an_entry_says_who_when_how_much_and_why(club: Club) -> None:
    body = {"from": 2, "to": 0, "amount": "1.5", "unit": "ct", "note": "bar"}
    entry = club.post("/groups/{id}/payments", body, key="k").json["entry"]

    assert entry.pop("at")
    assert entry == {
        "number": 2,
        "kind": "paid",
        "by": "pen",
        "game": None,
        "note": "bar",
        "details": {"from": 2, "to": 0, "amount": "3/2", "unit": "ct"},
        "moves": [
            {"member": 2, "unit": "ct", "amount": "3/2"},
            {"member": 0, "unit": "ct", "amount": "-3/2"},
        ],
        "reversed": False,
    }


@pytest.mark.parametrize(
    ("change", "code", "why", "place"),
    [
        ({"from": 3}, "E_GROUP", "member", ["from"]),
        ({"to": 3}, "E_GROUP", "member", ["to"]),
        ({"to": 0}, "E_GROUP", "same_member", ["to"]),
        ({"from": -1}, "E_FORM", "range", ["from"]),
        ({"from": "Anna"}, "E_FORM", "type", ["from"]),
        ({"amount": "0"}, "E_GROUP", "amount", ["amount"]),
        ({"amount": "-5"}, "E_FORM", "amount", ["amount"]),
        ({"amount": "5 EUR"}, "E_FORM", "amount", ["amount"]),
        ({"amount": 1.5}, "E_FORM", "amount", ["amount"]),
        ({"amount": None}, "E_FORM", "type", ["amount"]),
        ({"amount": "1/1001"}, "E_FORM", "amount_size", ["amount"]),
        ({"amount": "1/0"}, "E_FORM", "amount", ["amount"]),
        ({"amount": "9" * 13}, "E_FORM", "amount_size", ["amount"]),
        ({"unit": "x" * 13}, "E_CONFIG", "range", ["unit"]),
        ({"unit": "\u202e"}, "E_CONFIG", "range", ["unit"]),
        ({"note": "x" * 281}, "E_FORM", "length", ["note"]),
    ],
)
def test_an_invalid_payment_is_refused_with_its_place(
    club: Club, change: Any, code: str, why: str | None, place: list[Any]
) -> None:
    body = {"from": 0, "to": 1, "amount": "5", "unit": "ct", **change}
    answer = club.post("/groups/{id}/payments", body, key="k")

    assert whys(answer) == [(code, why, place)]
    assert club.version == "1"


def why(refused: Any) -> tuple[str, str, tuple[str | int, ...]]:
    """Return code, reason and place of the problems in an answer."""
    return refused.value.code, refused.value.problems[0].facts["why"], refused.value.place


def test_all_open_payments_are_entered_and_reversed_as_one(club: Club, server: Server) -> None:
    club.evening(points=(0, 10, 25))
    group = server.group(club.id, club.pen)

    settled = group.settle_up("ct")
    with pytest.raises(Refused) as nothing:
        group.settle_up("ct")
    with pytest.raises(Refused) as unknown:
        group.settle_up("DM")
    back = group.reverse(settled["entry"]["number"])

    assert settled["entry"]["details"]["transfers"] == [[2, 0, "35"], [2, 1, "5"]]
    assert settled["units"][0]["amounts"] == ["0", "0", "0"]
    assert why(nothing) == why(unknown) == ("E_GROUP", "nothing_open", ("unit",))
    assert back["entry"]["details"]["of"] == "settled"
    assert back["units"][0]["amounts"] == ["35", "5", "-40"]


@pytest.fixture
def stepped(club: Club) -> tuple[Table, Table]:
    """Return an evening that was paid in steps of 50, and a later one in steps of 1."""
    stakes = ({"point_value": "1", "unit": "ct", "payable": step} for step in ("50", "1"))
    older, newer = [
        club.evening(rules={"preset": "german-family"}, stake=stake, points=(0, 10, 35))
        for stake in stakes
    ]
    return older, newer


def steps(club: Club) -> tuple[str, list[str]]:
    """Return the smallest payable amount of a group, and its payments."""
    (money,) = club.get("/groups/{id}/money").json["units"]
    return money["payable"], [payment["amount"] for payment in money["payments"]]


def patch(table: Table, **body: Any) -> None:
    answer = table.call("PATCH", "/games/{id}", body, match=table.version)
    assert answer.status_code == 200, answer.text


def test_payments_go_by_the_last_evening_also_after_an_older_one_was_corrected(
    club: Club, stepped: tuple[Table, Table]
) -> None:
    older, _ = stepped
    assert steps(club) == ("1", ["90", "30"])

    older.call("PUT", "/games/{id}/rounds/1", short.body(0, 11, 35), match=older.version)
    assert steps(club) == ("1", ["91", "28"])
    patch(older, thrown_away=True)
    patch(older, thrown_away=False)
    patch(older, over=False)
    patch(older, over=True)
    assert steps(club)[0] == "1"


def test_an_evening_without_a_result_sets_no_smallest_payment(
    club: Club, stepped: tuple[Table, Table]
) -> None:
    older, newer = stepped
    patch(newer, thrown_away=True)
    assert steps(club) == ("50", ["50"])
    patch(newer, thrown_away=False)
    assert steps(club)[0] == "1"
    change(club, "DELETE", f"/games/{newer.id}")
    assert steps(club)[0] == "50"
    patch(older, over=False)
    club.pay(0, 1, "7")
    assert steps(club) == ("1", ["7"])


def test_the_smallest_payment_of_an_evening_is_that_when_it_was_booked(club: Club) -> None:
    table = club.evening(points=(0, 10, 35))
    patch(table, stake={"payable": "50"})
    assert steps(club)[0] == "1"
    patch(table, over=False)
    patch(table, over=True)
    assert steps(club)[0] == "50"


def test_payments_not_proven_fewest_are_marked(server: Server, club: Club) -> None:
    dice = Random(5)
    club.found(*(f"M{member}" for member in range(40)))
    group = server.group(club.id, club.pen)
    for member in range(1, 4):
        group.pay(member, 0, "5", "EUR")
    for member in range(1, 40):
        group.pay(member, 0, str(dice.randint(1, 10**6)), "ct")

    few, many = sorted(group.money()["units"], key=lambda answer: len(answer["payments"]))
    assert (few["unit"], few["fewest"]) == ("EUR", True)
    assert (many["unit"], many["fewest"]) == ("ct", False)
    assert 30 < len(many["payments"]) < 40
    settled = group.settle_up("ct")
    assert set(next(one for one in settled["units"] if one["unit"] == "ct")["amounts"]) == {"0"}


def test_units_are_converted_at_an_agreed_rate_only(club: Club, server: Server) -> None:
    group = server.group(club.id, club.pen)
    group.pay(1, 0, "200", "ct")

    with pytest.raises(Refused) as early:
        group.convert("ct", "EUR")
    agreed = group.agree_rate("ct", "EUR", "1/100")
    converted = group.convert("ct", "EUR")
    with pytest.raises(Refused) as again:
        group.convert("ct", "EUR")
    with pytest.raises(Refused) as back:
        group.convert("EUR", "ct")

    assert why(early) == ("E_GROUP", "no_rate", ("in",))
    assert agreed["rates"] == [{"unit": "ct", "in": "EUR", "rate": "1/100"}]
    assert [one["amounts"] for one in converted["units"]] == [["0", "0", "0"], ["-2", "2", "0"]]
    assert why(again) == ("E_GROUP", "nothing_open", ("unit",))
    assert why(back) == ("E_GROUP", "no_rate", ("in",))


@pytest.mark.parametrize(
    ("body", "code", "why", "place"),
    [
        ({"in": "ct"}, "E_GROUP", "same_unit", ["in"]),
        ({"rate": "0"}, "E_GROUP", "rate", ["rate"]),
        ({"rate": "x"}, "E_FORM", "amount", ["rate"]),
        ({"rate": "1/1000001"}, "E_FORM", "amount_size", ["rate"]),
    ],
)
def test_an_invalid_rate_is_refused_with_its_place(
    club: Club, body: Any, code: str, why: str, place: list[Any]
) -> None:
    answer = change(club, "PUT", "/rates", {"unit": "ct", "in": "EUR", "rate": "1/100", **body})

    assert whys(answer) == [(code, why, place)]


def test_an_entry_is_reversed_once_and_an_evening_in_its_game(club: Club) -> None:
    paid = club.pay(0, 1, "5").json["entry"]["number"]
    change(club, "POST", "/reversals", {"number": paid})
    club.evening(points=(0, 10, 25))
    booked = int(club.version)

    for number, why in (
        (paid, "reversed"),
        (booked, "not_reversible"),
        (1, "not_reversible"),
        (99, "no_entry"),
    ):
        answer = change(club, "POST", "/reversals", {"number": number})
        assert whys(answer) == [("E_GROUP", why, ["number"])]
    assert club.get("/groups/{id}/statement").json["entries"][0]["reversed"] is True


def test_a_payment_marked_in_the_game_is_in_the_account_book(club: Club) -> None:
    table = club.evening("Anna", "Ben", points=(0, 10))
    table.call("PUT", "/games/{id}/settlement/transfers/0", {"paid": True}, match="3")

    entries = club.get("/groups/{id}/statement").json["entries"]

    assert [(one["kind"], one["game"]) for one in entries] == [
        ("booked", table.id),
        ("paid", table.id),
    ]
    assert club.balances() == ["0", "0", "0"]
    assert whys(change(club, "POST", "/reversals", {"number": entries[1]["number"]})) == [
        ("E_GROUP", "not_reversible", ["number"])
    ]


def test_a_statement_has_the_balance_after_every_entry(club: Club, server: Server) -> None:
    club.evening("Anna", "Ben", points=(0, 10))
    group = server.group(club.id, club.pen)
    group.pay(1, 0, "4", "ct")
    group.pay(1, 2, "1", "EUR")

    own, all_of_it = group.statement(member=1), group.statement()
    with pytest.raises(Refused) as nobodys:
        group.statement(member=3)

    assert [one["balances"] for one in own] == [
        [{"unit": "ct", "amount": "-10"}],
        [{"unit": "ct", "amount": "-6"}],
        [{"unit": "ct", "amount": "-6"}, {"unit": "EUR", "amount": "1"}],
    ]
    assert {move["member"] for one in own for move in one["moves"]} == {1}
    assert [one["balances"] for one in all_of_it] == [[], [], []]
    assert why(nobodys) == ("E_GROUP", "member", ("member",))
