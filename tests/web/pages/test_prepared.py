"""Parts that all readers of a version see are prepared once, and never shown to anybody else."""

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from patience import PATIENCE_S
from scorekeeper.web.pages import board as table
from scorekeeper.web.pages import prepared
from scorekeeper.web.pages.prepared import Prepared
from web.pages.conftest import Browser


@pytest.fixture
def drawings(monkeypatch) -> Iterator[list[int]]:
    """Collect the versions of boards that are drawn."""
    drawn: list[int] = []
    draw = table._drawn

    def counted(game, *more):
        drawn.append(game.version)
        return draw(game, *more)

    monkeypatch.setattr(table, "_drawn", counted)
    return drawn


@pytest.fixture
def watched(anna, bernd, game) -> str:
    """A game with a round that Bernd may watch."""
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    bernd.send("/enter", code=anna.code(game))
    return game


def test_a_board_is_drawn_once_for_everybody_and_again_after_each_round(
    anna, bernd, watched, drawings
):
    boards = [reader.get(watched).text for reader in (anna, bernd, anna, bernd)]

    assert len(drawings) == 1
    assert boards[1] == boards[3]
    assert "csrf_token" in boards[0]
    assert "csrf_token" not in boards[1]

    anna.enter(watched, 2, hand__0="33", hand__1="12", hand__3="60")

    assert ">66</span>" in bernd.get(watched).text
    assert ">66</span>" in anna.get(watched).text
    assert len(drawings) == 2


def test_each_form_has_a_key_of_its_own(anna, watched):
    keys = [anna.form(watched)["key"] for _ in range(2)]

    assert keys[0] != keys[1]
    assert anna.form(f"{watched}/round")["key"] != anna.form(f"{watched}/round")["key"]


def test_everybody_reads_a_board_in_their_language(bernd, watched):
    read = [
        bernd.get(watched, **{"Accept-Language": code}).text.split('lang="')[1][:2]
        for code in ("de", "fr", "de", "en")
    ]

    assert read == ["de", "fr", "de", "en"]


def test_only_who_watches_the_group_sees_it_on_a_board(app, anna, bernd, group):
    claire = Browser(app)
    game = anna.next_evening(group)
    bernd.send("/enter", code=anna.code(group))
    claire.send("/enter", code=anna.code(game))
    boards = [reader.get(game).text for reader in (bernd, claire, bernd, claire)]

    assert [f'href="{group}"' in board for board in boards] == [True, False, True, False]


def test_who_lost_the_right_to_watch_does_not_get_what_is_prepared(anna, bernd, watched):
    assert bernd.get(watched).status_code == 200

    anna.new_code(watched)

    assert bernd.get(watched).status_code == 404


def test_a_prepared_page_is_sent_as_the_client_can_read_it(bernd, watched):
    plain = [bernd.get(watched).data for _ in range(2)]
    compressed = bernd.get(watched, **{"Accept-Encoding": "gzip"})

    assert compressed.headers["Content-Encoding"] == "gzip"
    assert [gzip.decompress(compressed.data)] * 2 == plain


def test_the_fields_of_a_round_follow_the_last_one(anna, game):
    first = anna.get(f"{game}/round").text
    anna.enter(game, 2, way__0="cards", hand__0="H9 H10", hand__1="12", absent__3="yes")
    second = anna.form(f"{game}/round")

    assert 'name="absent-3" value="yes">' in first
    assert second["absent-3"] == "yes"


def test_an_erased_name_is_gone_at_once(anna, bernd, watched):
    pages = ((anna, watched), (bernd, watched), (anna, f"{watched}/round"))

    assert ["Claire" in reader.get(page).text for reader, page in pages] == [True] * 3

    anna.send(f"{watched}/names/2")

    assert ["Claire" in reader.get(page).text for reader, page in pages] == [False] * 3


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(prepared, "MAX_BYTES", 100)
    kept = Prepared()
    for number in range(50):
        kept.once(("page", number), "1", lambda: ("x" * 10,))
        kept.once(("page", 49), str(number), lambda: ("x" * 10,))

    assert len(kept) == 10
    assert kept.once(("page", 49), "49", lambda: ("y",)) == ("x" * 10,)
    assert kept.once(("page", 0), "1", lambda: ("y",)) == ("y",)


def test_what_is_used_is_kept(monkeypatch):
    monkeypatch.setattr(prepared, "MAX_BYTES", 100)
    kept = Prepared()
    for number in range(50):
        kept.once(("page", number), "1", lambda: ("x" * 10,))
        kept.once(("page", 0), "1", lambda: ("y" * 10,))

    assert kept.once(("page", 0), "1", lambda: ("y" * 10,)) == ("x" * 10,)


def test_a_part_that_is_too_long_is_not_kept(monkeypatch):
    monkeypatch.setattr(prepared, "MAX_TEXT", 100)
    kept = Prepared()
    kept.once(("part",), "1", lambda: ("x",))

    assert kept.once(("page",), "1", lambda: ("x" * 101,)) == ("x" * 101,)
    assert len(kept) == 1


def test_threads_that_want_the_same_wait_for_one_drawing_and_delay_nobody_else():
    kept, begun, go_on = Prepared(), Event(), Event()
    drawn: list[str] = []

    def slow() -> tuple[str]:
        drawn.append("slow")
        begun.set()

        assert go_on.wait(PATIENCE_S)
        return ("slow",)

    with ThreadPoolExecutor(3) as pool:
        same = [pool.submit(kept.once, ("long board",), "1", slow) for _ in range(2)]

        assert begun.wait(PATIENCE_S)
        assert pool.submit(kept.once, ("board",), "1", lambda: ("fast",)).result(PATIENCE_S)

        go_on.set()

        assert [one.result(PATIENCE_S) for one in same] == [("slow",)] * 2
    assert drawn == ["slow"]
