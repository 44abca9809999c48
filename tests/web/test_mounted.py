"""An app mounted below a prefix has no links outside it."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from werkzeug.test import Client, create_environ

from rest import ROOT, mounted
from scorekeeper.serving.setup import adapt
from web.pages.conftest import Form

PREFIX = "/cards"
HERE = {"Accept-Language": "en"}
Make = Callable[..., Flask]


@pytest.fixture
def client(app: Flask) -> Client:
    return Client(mounted(app, PREFIX))


def links(page: str) -> set[str]:
    """Return the links of a page and the files it loads."""
    found = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
    return {address.partition("?")[0] for address in found}


def test_every_address_stays_below_the_prefix(client: Client) -> None:
    page = client.get(f"{PREFIX}/", headers=HERE)
    form = Form(page.text).fields
    back = client.post(f"{PREFIX}/language", data={**form, "lang": "de"})

    assert page.status_code == 200
    assert len(links(page.text)) > 5
    assert all(address.startswith(f"{PREFIX}/") for address in links(page.text))
    assert back.location.startswith(f"{PREFIX}/")


def test_links_qr_codes_and_redirects_stay_below_the_prefix(client: Client) -> None:
    form = Form(client.get(f"{PREFIX}/groups/new", headers=HERE).text).fields
    form.setlist("member", ["Anna", "Ben"])
    form["name"] = "Thursday"
    shown = client.post(f"{PREFIX}/groups/new", data=form, headers=HERE)
    members = [{"name": "Anna"}, {"name": "Ben"}]
    answer = client.post(f"{PREFIX}{ROOT}/groups", json={"name": "Thursday", "members": members})

    assert f"http://localhost{PREFIX}/enter#" in shown.text
    assert all(address.startswith(f"{PREFIX}/") for address in links(shown.text))
    assert answer.location == f"{PREFIX}{ROOT}/groups/{answer.json['id']}"


def test_the_description_of_the_interface_leads_below_the_prefix(
    client: Client, app: Flask
) -> None:
    described = client.get(f"{PREFIX}{ROOT}/openapi.json").json
    (server,) = described["servers"]
    paths = {path.partition("{")[0] for path in described["paths"]}
    handbook = client.get(f"{PREFIX}{ROOT}/docs").text

    assert server["url"] == PREFIX
    assert all(path.startswith(ROOT) for path in paths)
    assert client.get(f"{server['url']}{ROOT}/presets").status_code == 200
    assert f"<code>{PREFIX}{ROOT}</code>" in handbook
    assert f"http://localhost:8000{PREFIX}{ROOT}" in handbook
    assert "servers" not in app.test_client().get(f"{ROOT}/openapi.json").json


# ---- published by a proxy ----------------------------------------------------------------


def published(make_app: Make, path: str, **settings: object) -> Flask:
    return make_app(PATH=path, TRUSTED_PROXIES=1, **settings)


@pytest.mark.parametrize("keeps", [True, False], ids=["path kept", "path removed"])
@pytest.mark.parametrize("setting", [PREFIX, "X-Ingress-Path"])
def test_a_proxy_may_keep_or_remove_the_path(make_app: Make, setting: str, keeps: bool) -> None:
    client = published(make_app, setting).test_client()
    headers = {**HERE, "X-Ingress-Path": PREFIX}

    page = client.get(f"{PREFIX}/new" if keeps else "/new", headers=headers)

    assert page.status_code == 200
    assert len(links(page.text)) > 5
    assert all(address.startswith(f"{PREFIX}/") for address in links(page.text))


def test_the_path_without_its_slash_leads_to_home(make_app: Make) -> None:
    answer = published(make_app, PREFIX).test_client().get(PREFIX)

    assert (answer.status_code, answer.headers["Location"]) == (308, f"{PREFIX}/")


def test_cookies_are_for_this_program_only(make_app: Make) -> None:
    client = published(make_app, PREFIX).test_client()
    secure = {"X-Forwarded-Proto": "https"}
    page = client.get(f"{PREFIX}/groups/new", headers={**HERE, **secure})

    cookies = page.headers.getlist("Set-Cookie")

    assert cookies
    for cookie in cookies:
        assert cookie.startswith("__Secure-")
        assert f"Path={PREFIX}/" in cookie


@pytest.mark.parametrize("told", ["//other.example", "/a b", "x", "/" + "a" * 100, "/a/../b//c"])
def test_a_path_that_leads_elsewhere_is_ignored(make_app: Make, told: str) -> None:
    page = published(make_app, "X-Ingress-Path").test_client()
    answer = page.get("/", headers={**HERE, "X-Ingress-Path": told})

    assert answer.status_code == 200
    assert "other.example" not in answer.text
    assert all(not told.startswith("/") or told not in link for link in links(answer.text))


def test_strangers_choose_no_path(make_app: Make) -> None:
    direct = make_app(PATH="X-Ingress-Path").test_client()  # no proxy is trusted
    far = published(make_app, "X-Ingress-Path").test_client()
    headers = {**HERE, "X-Ingress-Path": "/elsewhere"}

    for answer in (
        direct.get("/", headers=headers),
        far.get("/", headers=headers, environ_base={"REMOTE_ADDR": "8.8.8.8"}),
    ):
        assert "/elsewhere" not in answer.text


def test_only_a_proxy_that_chooses_the_path_may_frame_the_pages(make_app: Make) -> None:
    def policy(path: str) -> str:
        return published(make_app, path).test_client().get("/").headers["Content-Security-Policy"]

    assert "frame-ancestors 'self'" in policy("X-Ingress-Path")
    assert "frame-ancestors 'none'" in policy(PREFIX)


def test_the_server_divides_the_path_before_it_limits_the_body(app: Flask) -> None:
    adapter = adapt(app, 0, PREFIX)
    environ = create_environ(f"{PREFIX}{ROOT}/games/import") | {"REMOTE_ADDR": "127.0.0.1"}

    adapter._client_of(environ)

    assert (environ["SCRIPT_NAME"], environ["PATH_INFO"]) == (PREFIX, f"{ROOT}/games/import")
