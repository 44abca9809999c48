"""The generated games for measuring capacity are valid and realistic."""

from contextlib import closing

from bench.crowd import IN_GROUP, Crowd, browser, fill
from scorekeeper.domain.game.changes import score_for
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check

CROWD = Crowd(games=2 * IN_GROUP, rounds=2)


def test_the_sample_games_are_valid_and_different(tmp_path):
    heard: list[int] = []
    with closing(open_ledger(tmp_path / "crowd.sqlite")) as ledger:
        fill(ledger, CROWD, heard.append)
        report = check(ledger, score_for)
        evenings = [ledger.seasons.count_evenings(group) for group in ledger.groups()]
        alone = {game for game, _ in ledger.rights.books_of(browser(0), "game")}
        heads = {ledger.head(game) for game in alone}

    assert report.good
    assert report.line("prices").ok
    assert report.line("prices").facts["rounds"] == 4 * IN_GROUP
    assert sum(heard) == CROWD.games
    assert len(heads) == len(alone) == IN_GROUP
    assert evenings == [IN_GROUP]


def test_the_same_seed_makes_the_same_games(tmp_path):
    heads = []
    for name in ("one", "two"):
        with closing(open_ledger(tmp_path / f"{name}.sqlite")) as ledger:
            fill(ledger, Crowd(games=4, rounds=2))
            games = sorted(game for game, _ in ledger.rights.books_of(browser(0), "game"))
            heads.append([ledger.head(game) for game in games])

    assert heads[0] == heads[1]
