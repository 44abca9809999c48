"""A correction keeps all facts that its form does not show."""

import json
from pathlib import Path
from random import Random

import pytest

from examples import ENDS, USUAL, body_of, examples
from random_games import random_game, store
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from scorekeeper.wire.schemas import NewGameSchema
from scorekeeper.wire.strict import load

FILES = sorted((Path(__file__).parents[3] / "examples").glob("*.json"))
EVENINGS = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FILES}
ROUNDS = [
    pytest.param(
        {"preset": example.get("preset", USUAL[family]), "options": example.get("options", {})},
        len(example["seats"]),
        body_of(family, example),
        id=param.id,
    )
    for family in ENDS
    for param in examples(family)
    for example in param.values
    if "errors" not in example
] + [
    pytest.param(evening["rules"], len(evening["players"]), played, id=f"{name}-{number}")
    for name, evening in EVENINGS.items()
    for number, played in enumerate(evening["rounds"], start=1)
]
NO_MINIMUM = {"preset": "german-family", "options": {"meld.first_min": 0}}
FIRST = {"first_meld": ["7H 8H 9H"], "melds": ["4C 4D 4S"], "points": 20}


def rows_of(body):
    """The row of the plan of every seat, or of the table."""
    row = body.get("plan_row", 1)
    return row if isinstance(row, list) else [row]


def rounds_before(players, body):
    """Return the rounds that lead to the row of the plan, which is won by somebody who laid."""
    rows = rows_of(body)
    each = rows * (players // len(rows))
    for nth in range(1, max(rows)):
        winner = each.index(max(rows))
        seats = [{} if seat == winner else {"points": 5} for seat in range(players)]
        if len(rows) > 1:
            for seat in range(players):
                if seat != winner:
                    seats[seat]["laid"] = each[seat] > nth
        yield {"outcome": "out", "winner": winner, "seats": seats}


class Written:
    """A recorded round that a browser opens to correct it."""

    def __init__(self, browser, rules, players, body) -> None:
        self.browser, self.ledger = browser, browser.client.application.extensions["ledger"]
        names = [{"name": name} for name in "ABCDEF"[:players]]
        order = load(NewGameSchema(), {"title": "", "rules": rules, "players": names})
        self.id = games.create_game(self.ledger, order, browser="anna").game.id
        for nth, one in enumerate((*rounds_before(players, body), body)):
            game = self.ledger.game(self.id)
            scored = score_for(game, load_round(one, game.rules).round)
            games.record_round(self.ledger, self.id, scored, Write(key=f"{nth}"))
        browser.client.set_cookie("browser", "anna")
        self.number = max(rows_of(body))
        self.page = f"/g/{self.id}/round/{self.number}/correct"

    @property
    def facts(self):
        return encode_round(self.ledger.game(self.id).sheet.row(self.number).round)

    def correct(self, **fields):
        answer = self.browser.send(self.page, do="save", **fields)
        assert answer.status_code == 303, answer.text


@pytest.mark.parametrize(("rules", "players", "body"), ROUNDS)
def test_an_unchanged_form_gives_the_same_round(anna, rules, players, body):
    written = Written(anna, rules, players, body)
    before = written.facts

    written.correct(note="noch einmal")

    assert written.facts == before
    assert written.ledger.game(written.id).texts[f"note.{written.number}"] == "noch einmal"


def test_the_correction_form_shows_additional_facts(anna):
    written = Written(anna, NO_MINIMUM, 2, {"outcome": "out", "winner": 0, "seats": [{}, FIRST]})
    form = anna.form(written.page)

    assert form["first_meld-1"] == "H7 H8 H9"
    assert "first_meld-1" not in anna.form(f"/g/{written.id}/round")

    written.correct(hand__1="25", first_meld__1="H7 H8 H9 H10")

    assert written.facts["seats"][1] == {
        "points": 25,
        "first_meld": [["7H", "8H", "9H", "10H"]],
        "melds": [["4C", "4D", "4S"]],
    }


def test_facts_the_form_cannot_show_survive_a_correction(anna):
    seats = [{"points": 0, "discard": "KD"}, {"points": 20, "discard": "9H"}]
    written = Written(anna, NO_MINIMUM, 2, {"outcome": "out", "winner": 0, "seats": seats})

    written.correct(hand__1="25")

    assert written.facts["seats"] == [seats[0], {"points": 25, "discard": "9H"}]

    written.correct(winner="1", hand__0="30", discard__1="PK")

    assert written.facts["seats"] == [{"points": 30}, {"discard": "KS"}]


def test_a_round_corrected_to_void_loses_its_other_facts(anna):
    seats = [{}, {"points": 20, "discard": "9H"}]
    written = Written(anna, NO_MINIMUM, 2, {"outcome": "out", "winner": 0, "seats": seats})

    written.correct(outcome="cancelled")

    assert written.facts == {"outcome": "cancelled"}


@pytest.mark.parametrize("preset", PRESETS)
def test_an_unchanged_form_is_saved_whatever_has_happened_since(anna, app, preset):
    """Players have joined, rounds were struck, inserted and corrected, points were given."""
    ledger = app.extensions["ledger"]
    for number in range(3):
        game_id = f"{preset}-{number}"
        pen = store(random_game(preset, Random(f"{preset} {number}")), ledger, game_id)
        ledger.rights.remember("anna's phone", game_id, pen)
        anna.client.set_cookie("browser", "anna's phone")
        before = ledger.game(game_id).sheet

        for row in before.rows:
            answer = anna.send(f"/g/{game_id}/round/{row.number}/correct", do="save")
            assert answer.status_code == 303, (row, answer.text)

        after = ledger.game(game_id).sheet
        assert after.tallies == before.tallies
        assert [row.dealer for row in after.rows] == [row.dealer for row in before.rows]
