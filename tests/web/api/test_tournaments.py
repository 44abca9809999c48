"""Tournaments over REST: a club night, its rights, and what is refused."""

from typing import Any

import pytest

from club_nights import NAMES
from rest import Club
from scorekeeper.client import Refused, Server, Stale, Unknown
from scorekeeper.client.tournaments import Tournament
from web.api.conftest import change, whys

RULES = {"preset": "german-family", "options": {"end.mode": "rounds", "end.rounds": 1}}
ROUNDS = "/api/v1/groups/{group_id}/tournament/rounds"
PLAN: dict[str, Any] = {"format": "danish", "rounds": 3, "rules": RULES}


@pytest.fixture
def night(server: Server) -> Tournament:
    night = server.new_group("Café Zentral").tournament
    night.create(**PLAN, money={"fee": "5", "unit": "EUR", "kept": "5"})
    night.enter([{"names": [name]} for name in NAMES])
    return night


def record(night: Tournament, game: str, *left: int) -> None:
    seats: list[Any] = [{"points": points} if points else {} for points in left]
    body: Any = {"outcome": "out", "winner": left.index(0), "seats": seats}
    night.table(game).record(body)


def play(night: Tournament) -> None:
    for table in night.read()["rounds"][-1]["tables"]:
        record(night, table["game"], *(10 * seat for seat in range(len(table["entrants"]))))


def test_fourteen_play_a_danish_evening_of_three_rounds(night: Tournament) -> None:
    """One comes late, one leaves, one table is typed, one draw is taken back."""
    night.draw()
    night.undraw()
    night.draw()
    play(night)
    night.read()
    assert night.close()["rounds"][0]["closed"]
    entered = night.enter([{"names": ["Nadia"], "club": "SC Trier"}])["entrants"][-1]
    assert (entered["number"], entered["since"], entered["club"]) == (14, 2, "SC Trier")

    second = night.draw()["rounds"][1]
    assert [len(table["entrants"]) for table in second["tables"]] == [4, 4, 3, 3]
    first_four = [one["entrant"] for one in night.standings(after=1)["standings"]][:4]
    assert set(second["tables"][0]["entrants"]) == set(first_four)
    night.withdraw(5)
    night.state_result(2, 1, [{"points": points} for points in (92, 89, 86, 161)])
    for table in second["tables"][1:]:
        record(night, table["game"], *(7 * seat for seat in range(len(table["entrants"]))))
    typed = night.read()["rounds"][1]["tables"][0]
    assert typed["source"] == "stated"
    assert [(one["points"], one["place"]) for one in typed["scores"]] == [
        (92, 3), (89, 2), (86, 1), (161, 4),
    ]  # fmt: skip
    night.close()

    third = night.draw()["rounds"][2]
    assert 5 not in [entrant for table in third["tables"] for entrant in table["entrants"]]
    play(night)
    night.read()
    assert night.close()["over"]
    assert [night.check_draw(number)["confirmed"] for number in (1, 2, 3)] == [True] * 3
    found = night.standings()
    assert [one["rank"] for one in found["standings"]] == list(range(1, 15))
    money = found["money"]
    assert (money["fees"], money["kept"]) == ("70", "5")
    assert [one["amount"] for one in money["prizes"]] == ["65/2", "39/2", "13"]


def test_every_point_has_its_reason(night: Tournament) -> None:
    game = night.draw()["rounds"][0]["tables"][0]["game"]
    record(night, game, 0, 5, 9, 30)
    best = night.standings()["standings"][0]

    assert best["points"] == best["rounds"][0]["earned"] == 4
    (line,) = best["rounds"][0]["lines"]
    assert (line["reason"], line["points"], line["facts"]) == ("place", 4, {"place": 1})
    assert line["message"] == "place 1 at the table"


def test_the_links_of_a_table_write_there_and_nowhere_else(
    server: Server, night: Tournament
) -> None:
    one, other = night.draw()["rounds"][0]["tables"][:2]
    pen = night.table(one["game"]).links()["pen"]
    assert pen
    secret = pen.rpartition(".")[2]

    table = server.game(one["game"], secret)
    seats: list[Any] = [{}, {"points": 5}, {"points": 9}, {"points": 30}]
    table.record({"outcome": "out", "winner": 0, "seats": seats})
    with pytest.raises(Unknown):
        server.game(other["game"], secret).read()
    with pytest.raises(Unknown):
        server.group(night.id, secret).tournament.read()


def test_the_watch_secret_reads_and_does_not_write(server: Server, night: Tournament) -> None:
    guest = server.group(night.id, night.watch or _watch(night)).tournament

    assert guest.read()["name"] == "Café Zentral"
    with pytest.raises(Refused) as refused:
        guest.draw()
    assert refused.value.status == 403


def _watch(night: Tournament) -> str:
    return night.replace_secret("watch")


def test_a_change_on_an_old_version_is_refused(night: Tournament) -> None:
    night.read()
    version = night.version
    night.draw()
    night.version = version
    with pytest.raises(Stale):
        night.undraw()


def refusal(call: Any) -> tuple[int, str, Any]:
    with pytest.raises(Refused) as refused:
        call()
    (problem,) = refused.value.problems
    return refused.value.status, problem.facts["why"], list(problem.place)


def test_what_cannot_be_is_refused_and_nothing_is_lost(night: Tournament) -> None:
    night.draw()
    before = night.read()
    scores: Any = [{"points": 1}] * 4
    guests: Any = [{"names": [f"Gast {number}"]} for number in range(500)]
    for call, expected in (
        (lambda: night.enter([{"names": ["Anna"]}]), (422, "twice", ["entrants", 0])),
        (lambda: night.enter(guests), (422, "many", ["entrants"])),
        (lambda: night.enter([{"names": ["A", "B"]}]), (422, "names", ["entrants", 0])),
        (lambda: night.state_result(2, 1, scores), (422, "no_round", ["round"])),
        (lambda: night.state_result(1, 5, scores), (422, "no_table", ["table"])),
        (lambda: night.state_result(1, 0, scores), (422, "no_table", ["table"])),
        (lambda: night.state_result(1, 2, scores), (422, "scores", ["scores"])),
        (lambda: night.close(), (422, "missing", [])),
        (lambda: night.withdraw(99), (422, "entrant", [])),
        (lambda: night.create(**PLAN), (422, "exists", [])),
        (lambda: night.draw(), (422, "open", [])),
    ):
        assert refusal(call) == expected
    assert night.read() == before


def test_a_draw_over_rest_does_not_close_the_round_before_and_says_so(
    night: Tournament, club: Club
) -> None:
    night.draw()
    play(night)
    night.read()
    with pytest.raises(Refused) as refused:
        night.draw()
    described = club.get("/openapi.json").json["paths"][ROUNDS]["post"]["description"]

    assert [one.facts["why"] for one in refused.value.problems] == ["open"]
    assert not night.read()["rounds"][0]["closed"]
    assert "The round before must be closed" in described


def test_a_table_is_not_removed_from_the_group(server: Server, night: Tournament) -> None:
    table = night.draw()["rounds"][0]["tables"][0]["game"]
    group = server.group(night.id, night.secret)

    assert refusal(lambda: group.release(table)) == (422, "table", ["game"])
    with pytest.raises(Unknown):
        group.release("nobody")
    assert group.evening(table)["id"] == table


@pytest.mark.parametrize(
    ("wrong", "code", "why", "place"),
    [
        ({"format": "russian"}, "E_FORM", "choice", ["format"]),
        ({"rounds": 0}, "E_FORM", "range", ["rounds"]),
        ({"size": 5}, "E_FORM", "range", ["size"]),
        ({"format": "mitchell"}, "E_TOURNAMENT", "fixed", ["size"]),
        ({"partners": 2}, "E_TOURNAMENT", "pairs", ["size"]),
        ({"advance": 4}, "E_TOURNAMENT", "advance", ["advance"]),
        ({"rules": {"preset": "gin-palast"}}, "E_TOURNAMENT", "seats", ["size"]),
        ({"scale": {"win": 0}}, "E_TOURNAMENT", "scale_no_points", ["scale"]),
        ({"scale": {"places": [2, 1]}}, "E_TOURNAMENT", "scale_places", ["scale", "places"]),
        ({"scale": {"tie_breaks": ["coin"]}}, "E_FORM", "choice", ["scale", "tie_breaks", 0]),
        ({"money": {"fee": "1/3", "unit": "EUR"}}, "E_TOURNAMENT", "coin", ["money", "fee"]),
        ({"money": {"fee": "100001", "unit": "EUR"}}, "E_TOURNAMENT", "fee", ["money", "fee"]),
        ({"money": {"fee": "1", "unit": "EUR", "shares": [1, 2]}},
         "E_TOURNAMENT", "shares", ["money", "shares"]),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_be_played_is_refused(
    club: Club, wrong: Any, code: str, why: str, place: list[Any]
) -> None:
    answer = club.post("/groups/{id}/tournament", {**PLAN, **wrong})

    assert whys(answer)[0] == (code, why, place)


def test_a_group_without_a_tournament_has_none_at_its_address(club: Club) -> None:
    for path in ("", "/standings", "/rounds/1/draw"):
        assert club.get("/groups/{id}/tournament" + path).status_code == 404
    assert change(club, "POST", "/tournament/rounds").status_code == 404


def test_a_tournament_is_read_again_only_if_it_changed(night: Tournament, club: Club) -> None:
    club.post("/groups/{id}/tournament", PLAN)
    first = club.get("/groups/{id}/tournament")
    match = first.headers["ETag"]

    again = club.call("GET", "/groups/{id}/tournament", headers={"If-None-Match": match})
    assert again.status_code == 304


def test_the_tables_of_every_plan_play_for_nothing(night: Tournament) -> None:
    """German Family is played for a tenth of a Pfennig elsewhere."""
    options = night.read()["plan"]["rules"]["options"]

    assert options["settle.point_value"] is None
    assert options["settle.stake"] == "0"


def test_the_paper_is_fetched_in_any_language(night: Tournament) -> None:
    with pytest.raises(Unknown):
        night.table_cards_pdf()
    night.draw()
    with pytest.raises(Unknown):
        night.certificates_pdf()
    play(night)
    for pdf in (
        night.table_cards_pdf("fr"), night.standings_pdf(after=1), night.certificates_pdf("lb")
    ):  # fmt: skip
        assert pdf.startswith(b"%PDF")
