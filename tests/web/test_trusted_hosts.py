"""Host names, proxies with https, and debug mode."""

import socket
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import create_environ, run_wsgi_app

from scorekeeper.app import create_app, open_database
from scorekeeper.i18n import language
from scorekeeper.serving.setup import adapt
from scorekeeper.web.trusted_hosts import MAX_PATH, is_path, with_trusted_hosts
from web.pages.conftest import Form

PROXY = {"REMOTE_ADDR": "10.88.0.1"}
"""The addresses of a proxy on this machine or next to it."""
OUTSIDE = {"REMOTE_ADDR": "8.8.8.8"}
HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "8.8.4.4"}


@pytest.fixture
def made(app: Flask) -> Any:
    """Return a function that makes the app with other settings."""

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
def test_local_network_names_of_this_machine_need_no_setting(
    made: Any, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kartenkiste")
    client = made().test_client()

    assert client.get("/", headers={"Host": f"kartenkiste{ending}"}).status_code == 200
    assert client.get("/", headers={"Host": "kartenkiste.evil.example"}).status_code == 400


def test_an_unknown_host_name_is_refused_naming_the_setting(made: Any) -> None:
    client = made(HOSTS=("punkte.example.org",)).test_client()
    stranger = {"Host": "evil.example.org", "Accept-Language": "de"}
    page, body = (client.get(path, headers=stranger) for path in ("/", "/api/v1/presets"))

    assert client.get("/", headers={"Host": "Punkte.example.org"}).status_code == 200
    assert (page.status_code, body.status_code) == (400, 400)
    for answer in (page.text, body.json["detail"]):
        assert "evil.example.org" in answer and "SCOREKEEPER_HOSTS" in answer


def test_the_page_for_an_unknown_host_name_has_the_usual_layout(made: Any) -> None:
    client, stranger = made().test_client(), {"Host": "evil.example.org"}
    style = client.get("/", headers=stranger).text.split('rel="stylesheet" href="')[1]
    with client.get(style.split('"')[0], headers=stranger) as sent:
        assert sent.status_code == 200


def test_the_host_name_is_checked_before_a_form_is_read(made: Any) -> None:
    refused = made().test_client().post("/new", headers={"Host": "evil.example.org"})

    assert "SCOREKEEPER_HOSTS" in refused.text


@pytest.mark.parametrize("host", ["8.8.8.8", "<script>", "a" * 300, "[", "", "localhost@evil.org"])
def test_an_invalid_host_name_is_refused_and_not_shown(made: Any, host: str) -> None:
    refused = made().test_client().get("/", headers={"Host": host})

    assert refused.status_code == 400
    assert "<script>" not in refused.text and "a" * 101 not in refused.text


# ---- proxies -------------------------------------------------------------------------


def begin(app: Flask, **about: Any) -> Any:
    """Found a group by its form; the answer sets the cookies and shows the links."""
    client = app.test_client()
    fields = Form(client.get("/groups/new", **about).text).fields.to_dict()
    headers = {"Referer": "https://localhost/groups/new", **about.pop("headers", {})}
    said = fields | {"name": "Runde", "member": ["Anna", "Bernd"], "do": "found"}
    return client.post("/groups/new", data=said, headers=headers, **about)


def test_behind_an_https_proxy_cookies_are_secure_and_links_use_https(made: Any) -> None:
    app = made(TRUSTED_PROXIES=1)
    shown = begin(app, headers=HTTPS, environ_overrides=PROXY)
    cookies = shown.headers.getlist("Set-Cookie")

    assert shown.status_code == 200
    assert "https://localhost/enter#" in shown.text
    assert any(cookie.startswith("__Host-browser=") for cookie in cookies)
    assert all("; Secure;" in cookie and "Path=/" in cookie for cookie in cookies)
    assert shown.headers["Strict-Transport-Security"].startswith("max-age=")


def test_behind_an_https_proxy_the_form_cookie_is_secure(made: Any) -> None:
    page = (
        made(TRUSTED_PROXIES=1)
        .test_client()
        .get("/groups/new", headers=HTTPS, environ_overrides=PROXY)
    )
    (cookie,) = page.headers.getlist("Set-Cookie")

    assert cookie.startswith("__Host-form=") and "; Secure;" in cookie


@pytest.mark.parametrize(("proxies", "peer"), [(0, PROXY), (1, OUTSIDE)])
def test_forwarded_headers_are_accepted_from_trusted_proxies_only(
    made: Any, proxies: int, peer: dict[str, str]
) -> None:
    shown = begin(made(TRUSTED_PROXIES=proxies), headers=HTTPS, environ_overrides=peer)

    assert "http://localhost/enter#" in shown.text
    assert not any("Secure" in cookie for cookie in shown.headers.getlist("Set-Cookie"))
    assert "Strict-Transport-Security" not in shown.headers


def test_a_forwarded_host_is_ignored_if_the_proxy_keeps_the_host(made: Any) -> None:
    forged = {**HTTPS, "X-Forwarded-Host": "evil.example.org"}
    shown = begin(made(TRUSTED_PROXIES=1), headers=forged, environ_overrides=PROXY)

    assert "evil.example.org" not in shown.text


@pytest.mark.parametrize(
    ("host", "forwarded", "hinted"),
    [
        ("localhost", {}, False),
        ("192.168.7.20:8000", {}, True),
        ("192.168.7.20:8000", HTTPS, False),
    ],
)
def test_sharing_over_plain_http_shows_a_warning(
    made: Any, host: str, forwarded: dict[str, str], hinted: bool
) -> None:
    headers = {**forwarded, "Host": host, "Accept-Language": "en", "Referer": f"https://{host}/"}
    shown = begin(made(TRUSTED_PROXIES=1), headers=headers, environ_overrides=PROXY)

    assert shown.status_code == 200
    assert (language("en")("pages.share.readable") in shown.text) is hinted


@pytest.mark.parametrize(
    ("proxies", "peer", "forwarded", "client"),
    [
        (0, "10.0.0.1", "8.8.4.4", "10.0.0.1"),
        (1, "10.0.0.1", "8.8.4.4", "8.8.4.4"),
        (1, "10.0.0.1", "1.1.1.1, 8.8.4.4", "8.8.4.4"),  # the client added the first one
        (2, "10.0.0.1", "1.1.1.1, 8.8.4.4, 10.0.0.2", "8.8.4.4"),
        (2, "10.0.0.1", "8.8.4.4", "10.0.0.1"),
        (1, "10.0.0.1", "", "10.0.0.1"),
        (1, "8.8.8.8", "8.8.4.4", "8.8.8.8"),  # no proxy of ours
    ],
)
def test_the_client_behind_proxies_cannot_choose_its_address(
    proxies: int, peer: str, forwarded: str, client: str
) -> None:
    environ = create_environ("/", headers={"X-Forwarded-For": forwarded}) | {"REMOTE_ADDR": peer}
    seen: list[str] = []

    def app(environ: dict[str, Any], start: Any) -> Any:
        seen.append(environ["REMOTE_ADDR"])
        start("200 OK", [])
        return ()

    settings = {"HOSTS": (), "TRUSTED_PROXIES": proxies, "PATH": ""}
    served = with_trusted_hosts(app, settings)

    run_wsgi_app(served, environ)
    assert adapt(served, proxies)._client_of(environ) == client  # the server asks first
    run_wsgi_app(served, environ)
    assert seen == [client, client]


# ---- debugging -----------------------------------------------------------------------


def test_debug_mode_serves_this_machine_only(tmp_path: Path) -> None:
    app = create_app({"DATA": tmp_path / "games.sqlite", "DEBUG": True})
    client = app.test_client()

    assert client.get("/").status_code == 200
    assert client.get("/", environ_overrides={"REMOTE_ADDR": "::1"}).status_code == 200
    assert client.get("/", environ_overrides={"REMOTE_ADDR": "192.168.7.3"}).status_code == 403
    app.extensions["ledger"].close()


def test_a_path_to_publish_at_has_a_longest_length() -> None:
    assert is_path("/" + "a" * (MAX_PATH - 1))
    assert not is_path("/" + "a" * MAX_PATH)
