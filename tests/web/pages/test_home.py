"""Home: tonight's pad, the next table, earlier evenings; an explanation for strangers."""

import re

import pytest

from scorekeeper.services.clock import set_clock
from web.pages.conftest import NAMES, evening, words


def test_a_stranger_learns_what_this_is_and_begins_with_one_button(anna):
    page = anna.get("/").text

    assert "Der Spielzettel, der rechnet." in page
    assert page.count('class="btn main') == 1
    assert "SQLite" not in page
    assert "/status" not in page


def test_the_running_evening_is_continued_with_one_button(anna):
    with set_clock("2026-11-20T19:05:00Z"):
        game = anna.begin(title="Freitagsrunde")
        anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    with set_clock("2026-11-21T10:00:00Z"):
        page = anna.get("/").text

    assert "Abend vom Freitag fortsetzen" in page
    assert f'class="btn main big" href="{game}"' in page
    assert "Freitagsrunde" in page
    assert '<span class="place">führt</span>' in page
    assert "Bernd gibt 13 Karten" in words(page)


def test_watchers_are_not_asked_to_continue(anna, bernd, game):
    shared = re.search(r"/enter#([\w.-]+)", anna.get(f"{game}/share").text)
    assert shared
    code = shared[1]
    bernd.send("/enter", code=code)
    page = bernd.get("/").text

    assert "Zuschauen" in page
    assert "Weiterspielen" not in page


@pytest.mark.parametrize(
    ("hour", "said"),
    [
        ("04:59", "Guten Abend"),
        ("05:00", "Guten Morgen"),
        ("11:00", "Guten Tag"),
        ("16:59", "Guten Tag"),
        ("17:00", "Guten Abend"),
    ],
)
def test_the_greeting_follows_the_hour(anna, app, game, monkeypatch, hour, said):
    app.config["TIMEZONE"] = "UTC"
    with set_clock(f"2026-11-20T{hour}:00Z"):
        page = anna.get("/").text

    assert f"<h1>{said}</h1><p>Freitag, 20. November</p>" in page


def test_the_group_begins_its_next_evening_with_one_press(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get("/")

    assert "Kegelclub" in page.text
    assert "Anna, Bernd, Claire und Dieter. Anna gibt." in words(page.text)

    begun = anna.post(f"{stammtisch}/new", anna.form_in(page))

    assert begun.status_code == 303
    assert "Anna gibt 13 Karten" in words(anna.get(begun.location).text)
    assert "Weiterspielen" in anna.get("/").text


def test_pressing_twice_begins_one_evening(anna, stammtisch):
    form = anna.form_in(anna.get("/"))
    first, second = anna.post(f"{stammtisch}/new", form), anna.post(f"{stammtisch}/new", form)

    assert first.location == second.location


def test_players_without_a_group_begin_again_with_one_press(anna):
    game = anna.begin(point_value="1/5", unit="ct", place="Küche")
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    anna.send(f"{game}/end", page=f"{game}/more")
    page = anna.get("/")
    begun = anna.post("/new", anna.form_in(page))

    assert "Wie beim letzten Mal" in page.text
    assert begun.status_code == 303
    assert begun.location != game
    assert anna.form(f"{begun.location}/more")["place"] == "Küche"


def test_nobody_begins_again_with_the_game_of_others(anna, bernd, game):
    form = bernd.filled("/new", do=f"rematch:{game.removeprefix('/g/')}")

    assert bernd.post("/new", form).status_code == 404


def test_a_group_without_members_is_not_offered(anna):
    anna.found("Leer", [])

    assert 'value="repeat"' not in anna.get("/").text


def test_earlier_evenings_name_who_won(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = words(anna.get("/").text)

    assert "Anna gewann gegen Bernd, Claire und Dieter" in page
    assert "Ein Abend und die Saison" in page


@pytest.mark.parametrize(
    ("points", "ends", "said"),
    [
        ((0, 10, 20), True, "Anna gewinnt"),
        ((0, 10, 20), False, "Anna führt"),
        ((), True, "ohne Runde"),
    ],
)
def test_the_list_names_the_players_and_who_won(anna, points, ends, said):
    game = anna.begin(name=["Anna", "Bernd", "Claire"], title="Freitagsrunde")
    if points:
        anna.enter(game, 0, hand__1=str(points[1]), hand__2=str(points[2]))
    if ends:
        anna.send(f"{game}/end", page=f"{game}/more")
    page = anna.get("/evenings").text

    assert "<b>Anna, Bernd und Claire</b>" in page
    assert "Freitagsrunde, " in words(page)
    assert said in words(page)


def test_all_winners_of_a_tie_are_named(anna):
    game = anna.begin(name=["Anna", "Bernd", "Claire"])
    anna.enter(game, 0, hand__1="10", hand__2="20")
    anna.enter(game, 1, hand__0="10", hand__2="20")
    anna.send(f"{game}/end", page=f"{game}/more")

    assert "Anna und Bernd gewannen gegen Claire" in words(anna.get("/").text)


def test_all_evenings_are_one_press_away(anna, game, stammtisch):
    assert 'href="/evenings"' in anna.get("/").text

    page = anna.get("/evenings").text

    assert game in page
    assert stammtisch in page


def test_a_game_unchanged_for_two_weeks_is_no_longer_shown_first(anna):
    with set_clock("2026-11-01T19:05:00Z"):
        game = anna.begin()
    with set_clock("2026-11-15T19:04:59Z"):
        recent = anna.get("/").text
    with set_clock("2026-11-15T19:05:00Z"):
        old = anna.get("/").text

    assert "Abend vom Sonntag fortsetzen" in recent
    assert "fortsetzen" not in old
    assert "Läuft auch noch" in old
    assert game in old


def test_home_names_the_pages_to_keep_for_times_without_a_connection(anna, stammtisch):
    with set_clock("2026-11-01T19:05:00Z"):
        old, over = anna.begin(), anna.begin()
        anna.send(f"{over}/end", page=f"{over}/more")
    with set_clock("2026-11-15T19:05:00Z"):
        new = anna.next_evening(stammtisch)
        page = anna.get("/").text

    kept = re.findall(r'<template data-keep="([^"]+)">', page)
    assert kept == [new.partition("?")[0], old, "/offline"]


def test_other_running_evenings_are_told_apart_by_their_players(anna):
    with set_clock("2026-11-01T19:05:00Z"):
        anna.begin(name=["Emil", "Frieda"])
        anna.begin(name=["Emil", "Frieda"], title="Zum Üben")
    with set_clock("2026-11-01T19:06:00Z"):  # the evening that is shown first
        anna.begin()
        page = words(anna.get("/").text)

    assert page.count("Abend vom") == 1
    assert "Emil und Frieda" in page
    assert "Zum Üben" in page


def test_running_evenings_of_the_same_players_on_one_day_are_told_apart_by_their_time(anna, app):
    app.config["TIMEZONE"] = "UTC"
    for time in ("2026-11-19T20:10", "2026-11-20T18:05", "2026-11-20T19:40", "2026-11-20T20:30"):
        with set_clock(f"{time}:00Z"):
            anna.begin(name=["Emil", "Frieda"])
    with set_clock("2026-11-20T21:00:00Z"):
        home, listed = words(anna.get("/").text), words(anna.get("/evenings").text)

    assert "seit 20:30" in home
    assert "Fr. 20. Nov. 18:05 Emil und Frieda" in home
    assert "Fr. 20. Nov. 19:40 Emil und Frieda" in home
    assert "Do. 19. Nov. Emil und Frieda" in home
    assert "Emil und Frieda 20. November 2026, 18:05, " in listed
    assert "Emil und Frieda 20. November 2026, 19:40, " in listed


def test_home_has_room_for_six_players(anna):
    anna.begin(name=[*NAMES, "Emil", "Frieda"])

    assert 'class="pad many"' in anna.get("/").text
