"""Forms without tokens, writing GET requests, odd methods, static files, headers and cookies."""

import re
from urllib.parse import urlsplit

import pytest

from scorekeeper.web import permissions
from web.pages.walk import addresses

COUNTERS = ("limits",)
"""Tables that requests may change which change nothing else."""
HTTPS = {"base_url": "https://localhost"}


def state(app) -> list[tuple[object, ...]]:
    """Return all rows of the database."""
    store = app.extensions["ledger"].store
    engine = store.engine
    named = "tablename FROM pg_tables WHERE schemaname = current_schema()"
    if not store.is_shared:
        named = "name FROM sqlite_schema WHERE type = 'table'"
    tables = [name for (name,) in engine.rows(f"SELECT {named}") if name not in COUNTERS]
    return [
        row for table in sorted(tables) for row in sorted(engine.rows(f"SELECT * FROM {table}"))
    ]


def place(rule, game: str, group: str) -> str:
    """Return the path of a route with existing ids."""
    known = {"game_id": game.rpartition("/")[2], "group_id": group.rpartition("/")[2]}
    known |= {"preset": "german-family", "name": "german-family", "filename": "base.css"}
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda of: known.get(of[1], "1"), rule.rule)


def rules_for(app, method: str):
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def test_a_form_without_its_token_is_refused(anna, app, played, group):
    before, requested = state(app), 0
    for rule in rules_for(app, "POST"):
        if rule.endpoint.startswith("pages."):
            answer = anna.client.post(place(rule, played, group), data={"key": "k", "version": "1"})
            requested += 1

            assert answer.status_code == 400, rule
    assert requested > 25
    assert state(app) == before


def test_a_token_of_another_browser_is_refused(anna, bernd, app, played):
    foreign = bernd.form("/enter")["csrf_token"]
    form = anna.form(f"{played}/more")
    form["csrf_token"] = foreign
    before = state(app)

    assert anna.post(f"{played}/end", form).status_code == 400
    assert state(app) == before


def test_pages_that_load_at_the_same_moment_have_valid_forms(anna, played):
    """A phone that is opened loads several before any cookie has arrived."""
    forms = []
    for _ in range(2):
        anna.client.delete_cookie("form")  # browsers drop it when they are closed
        forms.append(anna.form(f"{played}/round"))

    for form in forms:
        assert anna.post(f"{played}/round", {**form, "do": "check"}).status_code == 200


def test_a_forged_cookie_is_refused(anna, app, played):
    form = anna.form(f"{played}/more")
    cookie = anna.client.get_cookie("form").value
    anna.client.set_cookie("form", ("a" if cookie[0] != "a" else "b") + cookie[1:])

    assert anna.post(f"{played}/end", form).status_code == 400


def test_get_requests_change_nothing(anna, app, played, group):
    """Chat previews open every link, so a GET must not change anything."""
    before = state(app)
    for rule in rules_for(app, "GET"):
        answer = anna.get(place(rule, played, group))
        answer.close()

        assert answer.status_code < 500, rule
    for path in addresses(played, group).values():
        anna.get(path).close()
    assert state(app) == before


def test_every_answer_has_its_content_type_and_charset(anna, app, played, group):
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
def test_folders_and_files_outside_static_are_not_served(anna, path):
    assert anna.get(path).status_code == 404


def test_every_cookie_is_http_only_and_same_site(app):
    client, seen = app.test_client(), {}
    for base, prefix in ((None, ""), ("https://localhost", "__Host-")):
        base_url = {"base_url": base} if base else {}
        token = re.search(
            r'name="csrf_token"[^>]* value="([^"]+)"', client.get("/new", **base_url).text
        )
        fields = {
            "csrf_token": token[1],
            "key": f"k{prefix}",
            "do": "start",
            "preset": "german-family",
        }
        headers = {"Referer": base} if base else {}
        answers = [
            client.get("/enter", **base_url),
            client.post(
                "/language", data=fields | {"lang": "en", "to": "/"}, headers=headers, **base_url
            ),
            client.post("/new", data=fields | {"name": ["A", "B"]}, headers=headers, **base_url),
        ]
        share = client.get(f"{urlsplit(answers[-1].location).path}/share", **base_url)
        code = re.search(r"/enter#([\w.-]+)", share.text)
        answers.append(
            client.post("/enter", data=fields | {"code": code[1]}, headers=headers, **base_url)
        )
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


def test_every_route_is_in_the_rights_table_and_open_ones_are_listed():
    """Routes without a right are listed here again, so that none is opened by accident."""
    free = {
        endpoint for endpoint, needed in permissions.RIGHTS.items() if needed == permissions.PUBLIC
    }

    assert free == {
        "static", "handbook", "healthz", "metrics", "api-docs.openapi_json", "api.list_presets",
        "api.read_preset", "api.list_options", "api.check_rules", "api.check_meld",
        "api.arrange_hand", "api.check_table", "api.score_without_game", "api.settle_totals",
        "api.create_game", "api.import_game", "api.create_group", "api.import_group",
        "api.enter_code", "api.recognise_cards",
        "api.preset_card_pdf", "api.card_pdf", "api.pad_pdf", "pages.home",
        "pages.evenings", "pages.status", "pages.referee", "pages.new", "pages.new_group",
        "pages.enter", "pages.set_language", "pages.worker", "pages.away", "pages.pads",
        "pages.photo_words", "pages.pad_pdf", "pages.preset_card_pdf", "pages.other_phone",
    }  # fmt: skip
