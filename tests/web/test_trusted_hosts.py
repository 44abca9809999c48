"""By which names the server is called, who says that it is https, and who may debug."""

import socket
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorekeeper.app import create_app, open_database
from scorekeeper.i18n import language
from web.pages.conftest import Form

PROXY = {"REMOTE_ADDR": "10.88.0.1"}
"""Where a proxy on the same machine or next to it asks from."""
OUTSIDE = {"REMOTE_ADDR": "8.8.8.8"}
HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "8.8.4.4"}


@pytest.fixture
def made(app: Flask) -> Any:
    """Make the app with settings of its own."""

    def make(**settings: Any) -> Flask:
        app.extensions["ledger"].close()
        app.config |= settings
        open_database(app)
        return app

    return make


# ---- names ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    ["localhost", "127.0.0.1:8000", "[::1]:8000", "192.168.7.20:8000", "10.0.0.4", "100.64.3.2"],
)
def test_bare_addresses_of_a_home_network_need_no_setting(made: Any, host: str) -> None:
    assert made().test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("ending", ["", ".local", ".fritz.box", ".lan:8000", ".local."])
def test_the_machine_is_found_by_the_name_that_its_network_gives_it(
    made: Any, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kartenkiste")
    client = made().test_client()

    assert client.get("/", headers={"Host": f"kartenkiste{ending}"}).status_code == 200
    assert client.get("/", headers={"Host": "kartenkiste.evil.example"}).status_code == 400


def test_a_name_that_nobody_set_is_refused_in_words_that_name_the_setting(made: Any) -> None:
    client = made(HOSTS=("punkte.example.org",)).test_client()
    stranger = {"Host": "evil.example.org", "Accept-Language": "de"}
    page, body = (client.get(path, headers=stranger) for path in ("/", "/api/v1/presets"))

    assert client.get("/", headers={"Host": "Punkte.example.org"}).status_code == 200
    assert (page.status_code, body.status_code) == (400, 400)
    for told in (page.text, body.json["detail"]):
        assert "evil.example.org" in told and "SCOREKEEPER_HOSTS" in told


def test_the_page_that_refuses_a_name_looks_like_all_others(made: Any) -> None:
    client, stranger = made().test_client(), {"Host": "evil.example.org"}
    style = client.get("/", headers=stranger).text.split('rel="stylesheet" href="')[1]
    with client.get(style.split('"')[0], headers=stranger) as sent:
        assert sent.status_code == 200


def test_the_host_name_is_checked_before_a_form_is_read(made: Any) -> None:
    refused = made().test_client().post("/new", headers={"Host": "evil.example.org"})

    assert "SCOREKEEPER_HOSTS" in refused.text


@pytest.mark.parametrize("host", ["8.8.8.8", "<script>", "a" * 300, "[", "", "localhost@evil.org"])
def test_what_is_no_name_of_ours_is_refused_and_not_written_into_the_page(
    made: Any, host: str
) -> None:
    refused = made().test_client().get("/", headers={"Host": host})

    assert refused.status_code == 400
    assert "<script>" not in refused.text and "a" * 101 not in refused.text


# ---- proxies -------------------------------------------------------------------------


def begin(app: Flask, **about: Any) -> Any:
    """Found a group by its form: the answer sets the cookies and shows the links."""
    client = app.test_client()
    fields = Form(client.get("/groups/new", **about).text).fields.to_dict()
    headers = {"Referer": "https://localhost/groups/new", **about.pop("headers", {})}
    said = fields | {"name": "Runde", "member": ["Anna", "Bernd"], "do": "found"}
    return client.post("/groups/new", data=said, headers=headers, **about)


def test_behind_a_proxy_with_https_cookies_are_secure_and_links_say_https(made: Any) -> None:
    app = made(TRUSTED_PROXIES=1)
    shown = begin(app, headers=HTTPS, environ_overrides=PROXY)
    cookies = shown.headers.getlist("Set-Cookie")

    assert shown.status_code == 200
    assert "https://localhost/enter#" in shown.text
    assert any(cookie.startswith("__Host-browser=") for cookie in cookies)
    assert all("; Secure;" in cookie and "Path=/" in cookie for cookie in cookies)
    assert shown.headers["Strict-Transport-Security"].startswith("max-age=")


def test_the_cookie_of_the_forms_is_secure_behind_https_too(made: Any) -> None:
    page = (
        made(TRUSTED_PROXIES=1)
        .test_client()
        .get("/groups/new", headers=HTTPS, environ_overrides=PROXY)
    )
    (cookie,) = page.headers.getlist("Set-Cookie")

    assert cookie.startswith("__Host-form=") and "; Secure;" in cookie


@pytest.mark.parametrize(("proxies", "peer"), [(0, PROXY), (1, OUTSIDE)])
def test_forwarded_headers_of_others_than_the_proxies_are_ignored(
    made: Any, proxies: int, peer: dict[str, str]
) -> None:
    shown = begin(made(TRUSTED_PROXIES=proxies), headers=HTTPS, environ_overrides=peer)

    assert "http://localhost/enter#" in shown.text
    assert not any("Secure" in cookie for cookie in shown.headers.getlist("Set-Cookie"))
    assert "Strict-Transport-Security" not in shown.headers


def test_a_forwarded_name_is_ignored_where_the_name_itself_is_passed_on(made: Any) -> None:
    forged = {**HTTPS, "X-Forwarded-Host": "evil.example.org"}
    shown = begin(made(TRUSTED_PROXIES=1), headers=forged, environ_overrides=PROXY)

    assert "evil.example.org" not in shown.text


@pytest.mark.parametrize(
    ("host", "told", "hinted"),
    [
        ("localhost", {}, False),
        ("192.168.7.20:8000", {}, True),
        ("192.168.7.20:8000", HTTPS, False),
    ],
)
def test_a_page_with_links_says_where_others_can_read_them_on_the_way(
    made: Any, host: str, told: dict[str, str], hinted: bool
) -> None:
    headers = {**told, "Host": host, "Accept-Language": "en", "Referer": f"https://{host}/"}
    shown = begin(made(TRUSTED_PROXIES=1), headers=headers, environ_overrides=PROXY)

    assert shown.status_code == 200
    assert (language("en")("pages.share.readable") in shown.text) is hinted


# ---- debugging -----------------------------------------------------------------------


def test_in_debug_mode_only_this_machine_is_answered(tmp_path: Path) -> None:
    app = create_app({"DATA": tmp_path / "games.sqlite", "DEBUG": True})
    client = app.test_client()

    assert client.get("/").status_code == 200
    assert client.get("/", environ_overrides={"REMOTE_ADDR": "::1"}).status_code == 200
    assert client.get("/", environ_overrides={"REMOTE_ADDR": "192.168.7.3"}).status_code == 403
    app.extensions["ledger"].close()
