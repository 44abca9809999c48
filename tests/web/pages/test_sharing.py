"""Links and codes to watch and to write, and handing over the pen."""

from dataclasses import replace
from itertools import count
from urllib.parse import unquote, urlsplit

import pytest

from scorekeeper.store.links import LinkKey
from scorekeeper.web.rate_limits import MINUTE, SHORT_PER_HOUR, TokenBucket
from scorekeeper.web.short_codes import MAX_OF_ONE
from web.pages.conftest import codes

READING = ("", "/settlement", "/history", "/rules", "/more", "/round/1", "/sheet.pdf")
WRITING = ("/round", "/round/1/correct", "/share")


@pytest.fixture
def shared(anna) -> tuple[str, str, str]:
    """A game with a round, and its codes to watch and to write."""
    game = anna.begin(name=["Anna", "Bernd"])
    anna.enter(game, 0, hand__1="12")
    return game, anna.code(game), anna.code(game, "pen")


def short_code(reader, game: str, code: str = "", **more: str):
    """Ask for a short code as the open page does."""
    token = reader.form(f"{game}/share")["csrf_token"]
    return reader.post(f"{game}/share/code", {"csrf_token": token, "code": code, **more})


# ---- links ---------------------------------------------------------------------------


def test_the_holder_of_the_pen_sees_the_link_again_without_replacing_it(anna, bernd, shared):
    game, watch, pen = shared
    bernd.send("/enter", code=pen)

    assert codes(bernd.get(f"{game}/share").text) == [watch]
    assert codes(bernd.get(f"{game}/share?show=pen").text) == [watch, pen]
    assert codes(anna.get(f"{game}/share").text) == [watch]
    assert "secret" not in [event.kind for event in events(anna, game)]


def events(reader, game: str):
    ledger = reader.client.application.extensions["ledger"]
    return ledger.events(game.rpartition("/")[2])


def test_the_link_of_the_pen_is_shown_only_when_asked_for(anna, shared):
    game, _, pen = shared

    assert pen not in anna.get(f"{game}/share").text
    assert "Du schreibst weiter" in anna.get(f"{game}/share").text


def test_links_of_a_group_and_of_its_evenings_are_shown_too(anna, stammtisch):
    evening = anna.next_evening(stammtisch)
    watch = anna.code(evening)

    assert watch.startswith(evening.rpartition("/")[2])
    assert codes(anna.get(f"{stammtisch}/share").text) == [anna.code(stammtisch)]


def test_a_link_that_another_key_made_can_be_replaced_but_not_shown(anna, bernd, shared):
    game, watch, _ = shared
    anna.client.application.extensions["ledger"].links = LinkKey(configured="another key")
    page = anna.get(f"{game}/share").text

    assert codes(page) == []
    assert "Dieser Link lässt sich hier nicht zeigen." in page
    assert bernd.send("/enter", code=watch).status_code == 303

    anna.send(f"{game}/share", right="watch")

    assert len(codes(anna.get(f"{game}/share?show=pen").text)) == 1
    assert watch not in anna.get(f"{game}/share").text


def test_the_secret_is_in_the_fragment_of_the_link(anna, shared):
    game, watch, _ = shared
    page = anna.get(f"{game}/share").text

    assert f'href="http://localhost/enter#{watch}"' in page
    assert page.count('class="qr"') == 1


# ---- short codes ---------------------------------------------------------------------


def test_a_short_code_lets_somebody_watch(anna, bernd, shared):
    game, *_ = shared
    code = short_code(anna, game).text
    answer = bernd.send("/enter", code=f" {code[:2]} {code[2:4].lower()}-{code[4:]}")

    assert len(code) == 6
    assert (answer.status_code, answer.location) == (303, game)
    assert bernd.get(game).status_code == 200
    assert bernd.get(f"{game}/round").status_code == 403


def test_a_short_code_works_while_its_page_is_open(anna, bernd, shared, clock):
    game, *_ = shared
    code = short_code(anna, game).text
    clock[0] += 80

    assert short_code(anna, game, code).text == code

    clock[0] += 80

    assert bernd.send("/enter", code=code).status_code == 303

    clock[0] += 10

    assert bernd.send("/enter", code=code).status_code == 404
    assert short_code(anna, game, code).text != code


def test_a_short_code_ends_when_its_page_is_closed(anna, bernd, shared):
    game, *_ = shared
    kept, code = short_code(anna, game).text, short_code(anna, game).text

    assert short_code(anna, game, code, do="end").status_code == 204
    assert bernd.send("/enter", code=code).status_code == 404
    assert bernd.send("/enter", code=kept).status_code == 303


def test_a_short_code_ends_when_the_link_is_replaced(anna, bernd, shared):
    game, *_ = shared
    code = short_code(anna, game).text
    anna.new_code(game)

    assert bernd.send("/enter", code=code).status_code == 404

    new = short_code(anna, game, code).text

    assert new != code
    assert bernd.send("/enter", code=new).status_code == 303


def test_strangers_can_neither_end_nor_take_over_a_short_code(anna, bernd, shared):
    game, *_ = shared
    code = short_code(anna, game).text
    own = bernd.begin(name=["Bernd", "Claire"])
    token = {"csrf_token": bernd.form(f"{own}/share")["csrf_token"], "code": code}

    assert bernd.post(f"{game}/share/code", {**token, "do": "end"}).status_code == 404
    assert bernd.post(f"{own}/share/code", {**token, "do": "end"}).status_code == 204
    assert bernd.post(f"{own}/share/code", token).text != code
    assert bernd.send("/enter", code=code).status_code == 303


def test_wrong_short_codes_are_limited_for_all_together(app, anna, bernd, shared):
    code = short_code(anna, shared[0]).text
    form = bernd.form("/enter")
    three = TokenBucket(3, MINUTE, clock=count().__next__)
    app.extensions["limits"] = replace(app.extensions["limits"], wrong_short=three)
    answers = [bernd.post("/enter", {**form, "code": "000000"}) for _ in range(3)]

    assert {answer.status_code for answer in answers} == {404}
    assert bernd.post("/enter", {**form, "code": "000000"}).status_code == 429
    assert bernd.post("/enter", {**form, "code": code}).status_code == 429
    assert bernd.post("/enter", {**form, "code": shared[1]}).status_code == 303


def test_a_stranger_with_wrong_short_codes_locks_out_nobody_else(app, anna, bernd, shared):
    code = short_code(anna, shared[0]).text
    form = bernd.form("/enter")
    own, all_together = (TokenBucket(many, MINUTE, clock=count().__next__) for many in (3, 6))
    limits = replace(app.extensions["limits"], wrong=own, wrong_short=all_together)
    app.extensions["limits"] = limits

    def enter(typed: str, address: str) -> int:
        peer = {"REMOTE_ADDR": address}
        sent = bernd.client.post("/enter", data={**form, "code": typed}, environ_overrides=peer)
        return sent.status_code

    stranger, guest = "192.0.2.7", "192.0.2.8"
    assert [enter("000000", stranger) for _ in range(9)] == [404] * 3 + [429] * 6
    assert enter(code, stranger) == 429  # nor does guessing on open anything
    assert enter(code, guest) == 303


def test_a_few_strangers_with_wrong_short_codes_lock_out_nobody_else(app, anna, bernd, shared):
    code = short_code(anna, shared[0]).text
    form = bernd.form("/enter")

    def enter(typed: str, address: str) -> int:
        peer = {"REMOTE_ADDR": address}
        sent = bernd.client.post("/enter", data={**form, "code": typed}, environ_overrides=peer)
        return sent.status_code

    strangers = [f"2001:db8:7:{network}::1" for network in range(4)] + ["192.0.2.7", "192.0.2.9"]
    statuses = [enter("000000", stranger) for _ in range(13) for stranger in strangers]

    assert statuses.count(404) == 3 * SHORT_PER_HOUR  # four of them are one connection
    assert {enter(code, stranger) for stranger in strangers} == {429}
    assert enter(code, "192.0.2.8") == enter(code, "2001:db8:8::1") == 303


def test_a_game_has_few_short_codes_at_once(anna, bernd, shared):
    made = [short_code(anna, shared[0]).text for _ in range(MAX_OF_ONE + 1)]
    opens = [bernd.send("/enter", code=code).status_code for code in made]

    assert opens == [404] + [303] * MAX_OF_ONE


# ---- who may see and who may write -----------------------------------------------------


def test_a_game_is_not_found_without_a_right(bernd, shared):
    game, *_ = shared
    for path in READING + WRITING:
        assert bernd.get(game + path).status_code == 404


@pytest.mark.parametrize("typed", ["{}", "http://localhost/enter#{}", "  {} "])
def test_a_code_or_link_can_be_pasted_in_any_form(bernd, shared, typed):
    game, watch, _ = shared
    answer = bernd.send("/enter", code=typed.format(watch))

    assert (answer.status_code, answer.location) == (303, game)
    assert bernd.get(game).status_code == 200


def test_opening_the_entrance_page_grants_no_right(bernd, shared):
    game, *_ = shared
    bernd.get("/enter")

    assert bernd.get(game).status_code == 404


@pytest.mark.parametrize("typed", ["", "x", "abc.def", "#", "{}x"])
def test_a_wrong_code_is_refused_with_a_reason(bernd, shared, typed):
    answer = bernd.send("/enter", code=typed.format(shared[1]))

    assert answer.status_code == 404
    assert "Geht nicht:" in answer.text


def test_watchers_read_everything_and_see_no_buttons(bernd, shared):
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


def test_replacing_the_pen_removes_it_from_all_other_browsers(anna, bernd, shared):
    game, _, pen = shared
    bernd.send("/enter", code=pen)
    anna.new_code(game, "pen")

    assert bernd.get(game).status_code == 404
    assert anna.get(f"{game}/round").status_code == 200


def test_a_link_is_replaced_once_even_if_it_is_sent_twice(anna, shared):
    game, watch, _ = shared
    form = anna.filled(f"{game}/share", right="watch")
    anna.post(f"{game}/share", form)
    new = anna.code(game)

    assert anna.post(f"{game}/share", form).status_code == 303
    assert watch != new == anna.code(game)


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
def test_choosing_a_language_never_redirects_to_another_site(anna, back):
    answer = anna.send("/language", page="/", lang="en", to=back)

    assert (answer.status_code, answer.location) == (303, "/")


@pytest.mark.parametrize("back", ["/rules?preset=robber#top", "/g/x?a=//b", "/ä", "/漢?ß"])
def test_choosing_a_language_returns_to_the_same_page(anna, back):
    answer = anna.send("/language", page="/", lang="en", to=back)

    assert answer.status_code == 303
    assert unquote(answer.location) == back


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example/..", "/g//evil.example/x"])
def test_a_redirect_of_the_router_stays_on_this_site(anna, path):
    answer = anna.client.get(path, base_url="http://localhost")

    assert urlsplit(answer.headers.get("Location", "")).netloc in ("", "localhost")


def test_the_chosen_language_is_remembered(anna, game):
    anna.send("/language", page="/", lang="lb", to=game)

    assert 'lang="lb"' in anna.get(game).text
    assert anna.send("/language", page="/", lang="xx").status_code == 400
