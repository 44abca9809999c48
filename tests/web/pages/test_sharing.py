"""Who may see and who may write: links, codes, hand-over."""

from urllib.parse import unquote, urlsplit

import pytest

from web.pages.conftest import codes

READING = ("", "/settlement", "/history", "/rules", "/more", "/round/1", "/sheet.pdf")
WRITING = ("/round", "/round/1/correct", "/share")


@pytest.fixture
def shared(anna) -> tuple[str, str, str]:
    """A game with a round, and its codes to watch and to write."""
    page = anna.send("/new", name=["Anna", "Bernd"], do="start").text
    watch, pen = codes(page)
    game = "/g/" + watch.split(".")[0]
    anna.enter(game, 0, hand__1="12")
    return game, watch, pen


def test_links_are_shown_once(anna, shared):
    game, watch, _ = shared

    assert codes(anna.get(f"{game}/share").text) == []
    assert watch.split(".")[1] not in anna.get(f"{game}/history").text


def test_the_secret_stands_behind_the_hash(anna):
    page = anna.send("/new", name=["Anna", "Bernd"], do="start").text
    watch, _ = codes(page)

    assert f'href="http://localhost/enter#{watch}"' in page
    assert page.count('class="qr"') == 2


def test_a_stranger_sees_a_game_as_if_it_were_not_there(bernd, shared):
    game, *_ = shared
    for path in READING + WRITING:
        assert bernd.get(game + path).status_code == 404


@pytest.mark.parametrize("typed", ["{}", "http://localhost/enter#{}", "  {} "])
def test_a_code_opens_the_game_however_it_is_pasted(bernd, shared, typed):
    game, watch, _ = shared
    answer = bernd.send("/enter", code=typed.format(watch))

    assert (answer.status_code, answer.location) == (303, game)
    assert bernd.get(game).status_code == 200


def test_opening_the_entrance_page_grants_no_right(bernd, shared):
    game, *_ = shared
    bernd.get("/enter")

    assert bernd.get(game).status_code == 404


@pytest.mark.parametrize("typed", ["", "x", "abc.def", "#", "{}x"])
def test_a_wrong_code_comes_back_with_a_reason(bernd, shared, typed):
    answer = bernd.send("/enter", code=typed.format(shared[1]))

    assert answer.status_code == 404
    assert "Geht nicht:" in answer.text


def test_a_watcher_reads_everything_and_finds_nothing_to_press(bernd, shared):
    game, watch, _ = shared
    bernd.send("/enter", code=watch)
    for path in READING:
        page = bernd.get(game + path)

        assert page.status_code == 200
        if path not in ("/more", "/sheet.pdf"):
            assert "<form" not in page.text
    assert "Du liest mit." in bernd.get(game).text


def test_a_watcher_who_tries_to_write_is_refused(bernd, shared):
    game, watch, _ = shared
    bernd.send("/enter", code=watch)
    token = bernd.form("/enter")
    for path in ("/round", "/round/1/strike", "/settlement/0", "/end", "/players", "/share"):
        answer = bernd.post(game + path, {**token, "key": "k", "version": "2"})

        assert answer.status_code == 403, path
    for path in WRITING:
        assert bernd.get(game + path).status_code == 403


def test_the_pen_writes_from_a_second_phone(bernd, shared):
    game, _, pen = shared
    bernd.send("/enter", code=pen)

    assert bernd.enter(game, 1, hand__0="20").status_code == 303


def test_a_replaced_pen_is_gone_at_once_but_not_for_who_replaced_it(anna, bernd, shared):
    game, _, pen = shared
    bernd.send("/enter", code=pen)
    page = anna.send(f"{game}/share", right="pen")

    assert len(codes(page.text)) == 1
    assert bernd.get(game).status_code == 404
    assert anna.get(f"{game}/round").status_code == 200


def test_a_replaced_link_is_shown_once_even_if_sent_twice(anna, shared):
    game, *_ = shared
    form = anna.form(f"{game}/share")
    form["right"] = "watch"

    assert len(codes(anna.post(f"{game}/share", form).text)) == 1
    assert anna.post(f"{game}/share", form).status_code == 303


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example",
        "/\t/evil.example",  # browsers drop tabs and line ends wherever they stand
        "/\r\n/evil.example",
        "/g/x\r\nSet-Cookie: lang=de",
        "\t//evil.example",
        "/g/x\\..\\evil.example",
        "/\x00/evil.example",
        "/" + "x" * 3000,
        "",
    ],
)
def test_choosing_a_language_never_leads_elsewhere(anna, back):
    answer = anna.send("/language", page="/", lang="en", to=back)

    assert (answer.status_code, answer.location) == (303, "/")


@pytest.mark.parametrize("back", ["/rules?preset=robber#top", "/g/x?a=//b", "/ä", "/漢?ß"])
def test_choosing_a_language_leads_back_to_any_page_of_ours(anna, back):
    answer = anna.send("/language", page="/", lang="en", to=back)

    assert answer.status_code == 303
    assert unquote(answer.location) == back


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/..", "/g//evil.example/x"])
def test_a_redirect_of_the_router_never_leads_elsewhere(anna, path):
    answer = anna.client.get(path, base_url="http://localhost")

    assert urlsplit(answer.headers.get("Location", "")).netloc in ("", "localhost")


def test_a_chosen_language_stays(anna, game):
    anna.send("/language", page="/", lang="lb", to=game)

    assert 'lang="lb"' in anna.get(game).text
    assert anna.send("/language", page="/", lang="xx").status_code == 400
