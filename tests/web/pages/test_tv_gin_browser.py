"""Whole games of gin on a television: three at once, and their final counts."""

import pytest
from playwright.sync_api import expect

from scorekeeper.domain.game.changes import score_for
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from web.pages.test_further_browser import picture

ROUNDS = ((0, 41), (0, 31), (1, 21), (0, 61), (1, 4), (1, 3), (1, 6), (1, 2))
"""Who knocks with 1, against how much."""


@pytest.mark.parametrize("thumb", [(1280, 720)], indirect=True)
@pytest.mark.parametrize(
    ("hollywood", "last", "said"),
    [(True, (), "Anna +"), (True, ((0, 60),), "Anna wins by"), (False, (), "Anna wins by")],
    ids=["three games", "three games that are over", "a game that is over"],
)
def test_whole_games_of_gin_fit_on_a_television(thumb, anna_plays, table, hollywood, last, said):
    options = {"gin.hollywood": hollywood, "end.points": 100 if hollywood else 130}
    board = anna_plays("gin-american", ("Anna", "Bernd"), **options)
    ledger, game_id = table.app.extensions["ledger"], board.rsplit("/", 1)[1]
    for knocker, against in (*ROUNDS, *last):
        game = ledger.game(game_id)
        if game.is_over:
            break
        seats = [{"deadwood": 1 if seat == knocker else against} for seat in (0, 1)]
        order = {"outcome": "knock", "knocker": knocker, "seats": seats}
        scored = score_for(game, load_round(order).round)
        games.record_round(ledger, game_id, scored, Write(key=str(game.version)))
    thumb.page.goto(f"{board}/tv")
    pad = thumb.page.locator("#pad")
    expect(pad).to_contain_text(said)
    picture(thumb, f"tv-{hollywood}-{len(last)}")

    expect(thumb.page.locator("#head h1")).to_be_in_viewport(ratio=1)
    expect(pad).to_be_in_viewport(ratio=1)
    assert pad.evaluate("(pad) => pad.getBoundingClientRect().bottom - innerHeight") <= 0
