"""The board for watchers: news, changes, and the television page."""

import re

import pytest

from web.pages.conftest import words


def news(html: str) -> str:
    return html.split('id="news"')[1].split("<p>")[1].split("</p>")[0]


def version(html: str) -> str:
    return html.split('data-version="')[1].split('"')[0]


@pytest.fixture
def played(anna, game) -> str:
    """A game with three rounds that Claire won."""
    for _ in range(3):
        anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60")
    return game


def test_the_board_summarises_the_last_round(anna, played):
    assert news(anna.get(played).text) == "Runde 3: Claire hat Rommé gemacht"

    anna.send(f"{played}/round/1/correct", hand__0="43", do="save")

    assert news(anna.get(played).text) == "Runde 1 geändert"

    anna.send(f"{played}/round/2/strike", page=played)

    assert news(anna.get(played).text) == "Runde 2 zurückgenommen"


def test_a_round_without_score_is_marked_as_such(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])

    anna.enter(game, 0, outcome="void")

    assert news(anna.get(game).text).startswith("Runde 1: Ohne Wertung")


def test_the_news_of_a_knock_has_its_result_and_points(anna):
    game = anna.begin(preset="gin-palast", name=["Anna", "Bernd"])
    anna.enter(game, 0, outcome="knock", knocker="0", hand__0="9", hand__1="4")

    assert news(anna.get(game).text).startswith(
        "Runde 1: Bernd – Undercut; Anna\u00a00, Bernd\u00a0"
    )


def test_a_round_changed_since_the_last_visit_shows_its_old_entry(anna, played):
    seen = version(anna.get(played).text)
    anna.send(f"{played}/round/1/correct", hand__0="43", do="save")
    board = anna.get(f"{played}?since={seen}").text

    assert board.count(" fresh") == 1
    assert "vorher: Anna\u00a033, Bernd\u00a012, Claire\u00a00, Dieter\u00a060" in board
    assert " fresh" not in anna.get(played).text
    assert " fresh" not in anna.get(f"{played}?since={version(board)}").text


@pytest.mark.parametrize("since", ["-1", "0", "99", "x", "1e9", ""])
def test_an_unknown_version_marks_no_changes(anna, played, since):
    board = anna.get(f"{played}?since={since}")

    assert board.status_code == 200
    assert " fresh" not in board.text


def test_an_older_etag_is_not_answered_304(anna, played):
    tag = anna.get(played).headers["ETag"]

    assert anna.get(f"{played}?since=2", **{"If-None-Match": tag}).status_code == 200
    assert anna.get(played, **{"If-None-Match": tag}).status_code == 304


def test_the_board_links_to_the_rules_and_counts_house_rules(anna, played):
    assert f'href="{played}/rules">Deutsches Familien-Rommé' in anna.get(played).text

    game = anna.begin(options_of="german-family", **{"joker.hand_value": "50"})

    assert "wenig gewinnt, eine Hausregel</a>" in anna.get(game).text


def test_the_television_shows_the_last_seven_rounds_and_who_deals(anna, played):
    for _ in range(5):
        anna.enter(played, 2, hand__0="33", hand__1="12", hand__3="60")
    page = anna.get(f"{played}/tv").text

    assert re.findall(r'scope="row">(\d+)<', page) == ["2", "3", "4", "5", "6", "7", "8"]
    assert "Runde 9 Anna gibt 13 Karten, Bernd beginnt" in words(page)
    assert "<form" not in page
    assert "<button" not in page


def test_the_television_shows_the_link_that_works_now(anna, bernd, played):
    first = qr(anna.get(f"{played}/tv").text)
    bernd.send("/enter", code=anna.code(played))

    assert qr(bernd.get(f"{played}/tv").text) == first

    anna.new_code(played)

    assert bernd.get(f"{played}/tv").status_code == 404
    assert qr(anna.get(f"{played}/tv").text) not in ("", first)


def qr(html: str) -> str:
    """The code in a page."""
    return re.search(r'<svg[^>]*class="qr".*?</svg>', html, re.DOTALL)[0]


def test_the_link_is_sent_to_the_television_page_only(anna, bernd, played):
    bernd.send("/enter", code=anna.code(played))
    cookie = bernd.client.get_cookie("link", path=f"{played}/tv")

    assert cookie.http_only
    assert 'class="qr"' not in anna.get(played).text


def test_the_service_worker_serves_all_pages_and_is_revalidated(anna):
    script = anna.get("/worker.js")

    assert script.mimetype == "text/javascript"
    assert script.cache_control.no_cache
    script.close()


def test_a_game_can_be_repeated_with_one_button(anna):
    anna.begin(
        name=["Dieter", "Anna", "Bernd"],
        place="Beim Wirt",
        point_value="1/10",
        unit="ct",
        **{"joker.hand_value": "50"},
    )
    page = anna.get("/new").text
    again = "again:" + page.split('value="again:')[1].split('"')[0]
    form = anna.post("/new", {**anna.form("/new"), "do": again})

    assert "Dieter, Anna und Bernd Deutsches Familien-Rommé, Beim Wirt" in words(page)
    for shown in ('value="Dieter"', 'value="1/10"', 'value="Beim Wirt"', "So spielt ihr anders"):
        assert shown in form.text


def test_only_players_of_a_game_can_repeat_it(anna, bernd, played):
    assert "again:" not in bernd.get("/new").text

    form = {**bernd.form("/new"), "do": f"again:{played.removeprefix('/g/')}"}

    assert bernd.post("/new", form).status_code == 404
