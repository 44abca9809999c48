"""Erasing a player's name takes two steps; from then on pages show a number."""

import csv
import io

import pytest

NOW_CALLED = {"de": "Spieler 2", "en": "Player 2", "lb": "Spiller 2", "fr": "Joueur 2"}


@pytest.fixture
def game(anna):
    game = anna.begin(point_value="1/10", unit="ct", title="Bei Bernd")
    anna.enter(game, 0, **{f"hand-{seat}": str(10 * seat) for seat in (1, 2, 3)})
    anna.enter(game, 1, **{f"hand-{seat}": str(seat) for seat in (0, 2, 3)}, note="Bernd mischt")
    return game


@pytest.fixture
def erased(anna, game):
    sent = anna.send(f"{game}/names/1")

    assert sent.status_code == 303
    return game


def test_erasing_is_reached_through_more_and_confirmed(anna, game):
    assert f'href="{game}/names"' in anna.get(f"{game}/more").text
    assert f'href="{game}/names/1"' in anna.get(f"{game}/names").text
    page = anna.get(f"{game}/names/1").text

    assert "Den Namen Bernd löschen?" in page
    assert "Das lässt sich nicht rückgängig machen." in page
    assert "Ältere Sicherungen enthalten den Namen noch" in page
    assert "Bernd" in anna.get(game).text


def test_pages_show_an_erased_player_as_a_number(anna, erased):
    anna.send(f"{erased}/end", page=f"{erased}/more")
    ways = ("", "/tv", "/settlement", "/history", "/round/1", "/round/2", "/print", "/rules")
    for way in (*ways, "/more", "/names", "/share", "/round/1/correct"):
        assert "Bernd" not in anna.get(erased + way).text, way
    for way in ("", "/tv", "/settlement", "/print", "/round/1", "/round/1/correct"):
        assert "Spieler 2" in anna.get(erased + way).text, way
    assert "Bernd" not in anna.get("/").text
    assert "Bernd" not in anna.get("/new").text


def test_the_column_of_an_erased_player_has_a_heading(anna, erased):
    board = anna.get(erased).text

    assert '<span class="name">Spieler 2</span>' in board
    assert '<span class="name"></span>' not in board


@pytest.mark.parametrize("language", sorted(NOW_CALLED))
def test_an_erased_player_is_a_number_in_every_language(anna, erased, language):
    anna.headers["Accept-Language"] = language

    assert f'<span class="name">{NOW_CALLED[language]}</span>' in anna.get(erased).text


def test_the_entry_form_shows_an_erased_player_as_a_number(anna, erased):
    assert "Spieler 2" in anna.get(f"{erased}/round").text
    assert anna.enter(erased, 1, **{f"hand-{seat}": "5" for seat in (0, 2, 3)}).status_code == 303


def test_an_evening_like_the_last_one_has_no_erased_name(anna, erased):
    again = anna.send("/new", do=f"again:{erased.removeprefix('/g/')}")

    assert anna.form_in(again).getlist("name")[:3] == ["Anna", "", "Claire"]


@pytest.mark.parametrize("table", ["", "?table=totals", "?table=settlements", "?table=payments"])
def test_tables_show_an_erased_player_as_a_number(anna, erased, table):
    rows = csv.reader(io.StringIO(anna.get(f"{erased}/export.csv{table}").text), delimiter=";")
    cells = [cell for row in rows for cell in row]

    assert any(cell.startswith("Spieler 2") for cell in cells)
    assert not any("Bernd" in cell for cell in cells)


def test_the_history_mentions_the_erasure_without_the_name(anna, erased):
    answer = anna.get(f"{erased}/history").text

    assert "Name von Spieler 2 gelöscht" in answer
    assert "… mischt" in anna.get(f"{erased}/round/2").text


def test_an_erased_player_cannot_be_erased_again(anna, erased):
    for seat in (1, 9):
        assert anna.get(f"{erased}/names/{seat}").status_code == 404
    assert f"{erased}/names/1" not in anna.get(f"{erased}/names").text


def test_an_outdated_confirmation_asks_again(anna, game):
    old = anna.form(f"{game}/names/1")
    anna.enter(game, 0, **{f"hand-{seat}": "9" for seat in (1, 2, 3)})
    answer = anna.post(f"{game}/names/1", old)

    assert answer.status_code == 409
    assert "Den Namen Bernd löschen?" in answer.text
    assert "Bernd" in anna.get(game).text


def test_confirming_twice_erases_once(anna, game):
    form = anna.form(f"{game}/names/1")
    assert anna.post(f"{game}/names/1", form).status_code == 303
    before = anna.get(f"{game}/history").text.count("gelöscht")
    anna.post(f"{game}/names/1", form)

    assert anna.get(f"{game}/history").text.count("gelöscht") == before == 1


def test_the_page_of_a_groups_game_links_to_erasing_the_member(anna):
    group = anna.found("Kegelclub", ("Anna", "Bernd", "Claire"))
    game = anna.next_evening(group)
    page = anna.get(f"{game}/names/1").text

    assert "gehört zum Stammtisch Kegelclub" in page
    assert f'href="{group}/members/1/erase"' in page
