"""An app mounted below a prefix has no links outside it."""

import re

import pytest
from flask import Flask
from werkzeug.test import Client

from rest import ROOT, mounted
from web.pages.conftest import Form

PREFIX = "/cards"
HERE = {"Accept-Language": "en"}


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
