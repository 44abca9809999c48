"""What no page does for a stranger: forms without their token, reading that writes, odd methods."""

import re

import pytest

from scorekeeper.web import permissions
from web.pages.walk import addresses

HTTPS = {"base_url": "https://localhost"}


def state(app) -> list[tuple[object, ...]]:
    """All that is kept, row by row."""
    engine = app.extensions["ledger"].store.engine
    tables = [
        name for (name,) in engine.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
    ]
    return [
        row for table in sorted(tables) for row in sorted(engine.rows(f"SELECT * FROM {table}"))
    ]


def place(rule, game: str, group: str) -> str:
    """The address of a route, with something that is there."""
    known = {"game_id": game.rpartition("/")[2], "group_id": group.rpartition("/")[2]}
    known |= {"preset": "german-family", "name": "german-family", "filename": "style.css"}
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda of: known.get(of[1], "1"), rule.rule)


def rules_for(app, method: str):
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def test_no_form_is_taken_without_its_token(anna, app, played, group):
    before, asked = state(app), 0
    for rule in rules_for(app, "POST"):
        if rule.endpoint.startswith("pages."):
            answer = anna.client.post(place(rule, played, group), data={"key": "k", "version": "1"})
            asked += 1

            assert answer.status_code == 400, rule
    assert asked > 25
    assert state(app) == before


def test_a_token_of_another_browser_is_none(anna, bernd, app, played):
    foreign = bernd.form("/enter")["csrf_token"]
    form = anna.form(f"{played}/more")
    form["csrf_token"] = foreign
    before = state(app)

    assert anna.post(f"{played}/end", form).status_code == 400
    assert state(app) == before


def test_a_cookie_that_was_changed_signs_nothing(anna, app, played):
    form = anna.form(f"{played}/more")
    cookie = anna.client.get_cookie("form").value
    anna.client.set_cookie("form", ("a" if cookie[0] != "a" else "b") + cookie[1:])

    assert anna.post(f"{played}/end", form).status_code == 400


def test_reading_changes_nothing(anna, app, played, group):
    """Chat previews fetch every link; a GET never spends or changes anything."""
    before = state(app)
    for rule in rules_for(app, "GET"):
        answer = anna.get(place(rule, played, group))
        answer.close()

        assert answer.status_code < 500, rule
    for path in addresses(played, group).values():
        anna.get(path).close()
    assert state(app) == before


def test_every_answer_says_what_it_is_and_texts_in_which_letters(anna, app, played, group):
    for rule in rules_for(app, "GET"):
        answer = anna.get(place(rule, played, group))
        kind = answer.headers.get("Content-Type", "")

        assert kind or not answer.data, rule
        if kind.startswith("text/"):
            assert "charset=utf-8" in kind, rule
        assert answer.headers["X-Content-Type-Options"] == "nosniff", rule
        assert "Access-Control-Allow-Origin" not in answer.headers, rule
        answer.close()


def test_an_error_page_does_not_show_the_request(app, anna, played, group):
    for rule in rules_for(app, "GET"):
        assert anna.client.open(place(rule, played, group), method="TRACE").status_code == 405


@pytest.mark.parametrize(
    "path", ["/static/", "/static/../app.py", "/static/%2e%2e/app.py", "/.git"]
)
def test_no_folder_is_listed_and_no_file_beside_it_is_sent(anna, path):
    assert anna.get(path).status_code == 404


def test_every_cookie_is_closed_to_scripts_and_to_other_sites(app):
    client, seen = app.test_client(), {}
    for base, prefix in ((None, ""), ("https://localhost", "__Host-")):
        asked = {"base_url": base} if base else {}
        token = re.search(
            r'name="csrf_token"[^>]* value="([^"]+)"', client.get("/new", **asked).text
        )
        fields = {
            "csrf_token": token[1],
            "key": f"k{prefix}",
            "do": "start",
            "preset": "german-family",
        }
        headers = {"Referer": base} if base else {}
        answers = [
            client.get("/enter", **asked),
            client.post(
                "/language", data=fields | {"lang": "en", "to": "/"}, headers=headers, **asked
            ),
            client.post("/new", data=fields | {"name": ["A", "B"]}, headers=headers, **asked),
        ]
        for answer in answers:
            for cookie in answer.headers.getlist("Set-Cookie"):
                name, *traits = cookie.split("; ")
                seen.setdefault(base, set()).add(name.partition("=")[0])
                assert {"HttpOnly", "SameSite=Lax"} <= set(traits), cookie
                assert ("Secure" in traits) is bool(base), cookie
                assert not any(trait.startswith("Domain") for trait in traits), cookie

    assert {"browser", "lang", "link"} <= seen[None]
    assert {"__Host-browser", "__Host-lang", "__Secure-link"} <= seen["https://localhost"]
    assert all(name.startswith(("__Host-", "__Secure-")) for name in seen["https://localhost"])


def test_every_right_is_named_and_nothing_is_open_by_accident():
    """What needs no right is listed here once more: a new open door is opened twice."""
    free = {
        endpoint for endpoint, needed in permissions.RIGHTS.items() if needed == permissions.PUBLIC
    }

    assert free == {
        "static", "handbook", "healthz", "metrics", "api-docs.openapi_json",
        "api.presets", "api.one_preset", "api.options", "api.check_rules", "api.check_meld",
        "api.arrange_hand", "api.check_table", "api.price_round", "api.settle_totals",
        "api.open_game", "api.import_game", "api.found_group", "api.import_group",
        "api.preset_card_pdf", "api.card_pdf", "api.pad_pdf",
        "pages.home", "pages.status", "pages.referee", "pages.new", "pages.new_group",
        "pages.enter", "pages.set_language", "pages.worker", "pages.pads", "pages.pad_pdf",
        "pages.preset_card_pdf",
    }  # fmt: skip
