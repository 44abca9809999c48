"""The referee in Chromium: tapped cards, typed cards without scripts, and the keyboard."""

import re

import pytest

from web.pages.walk import PHONE, silent_page


@pytest.fixture
def page(chromium, address, request):
    """A phone; an error message of the browser fails the test."""
    phone = chromium.new_context(
        viewport=PHONE,
        locale="de-DE",
        base_url=address,
        java_script_enabled=getattr(request, "param", True),
        has_touch=True,
        service_workers="block",
    )
    with silent_page(phone) as opened:
        opened.goto("/referee")
        yield opened


def key(page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def test_tapped_cards_are_checked_at_once(page):
    page.get_by_label("Nach welchen Regeln").select_option("romme-palast")
    for name in ("Herz 8", "Herz 9", "Joker", "Joker"):
        key(page, name).tap()

    assert page.locator("[name=cards]").input_value() == "H8 H9 JK JK"
    page.locator("#ruling", has_text="unverwechselbar").wait_for()
    assert "Gilt nicht." in page.locator("#short").inner_text()

    key(page, "Letzte Karte löschen").tap()
    page.locator("#short", has_text="Gilt: Reihe.").wait_for()
    assert "Beim Melden 27 Punkte." in page.locator("#ruling").inner_text()


def test_keys_follow_the_cards_left_in_the_packs_of_the_rules(page):
    for _ in range(2):
        key(page, "Herz 8").tap()

    assert key(page, "Herz 8").is_disabled()
    page.get_by_label("Nach welchen Regeln").select_option("luxembourg")
    page.locator("#limits[data-packs='1']").wait_for(state="attached")
    assert key(page, "Joker").is_disabled()


def test_a_table_can_be_entered_by_tapping(page):
    page.get_by_text("Ein Zug auf dem Tisch").tap()
    page.locator(":has(> label [name=after]) > .drawn").tap()
    for name in ("Pik 4", "von bis", "Pik 5", "Pik 7", "neue Figur", "Pik 8"):
        key(page, name).tap()

    assert page.locator("[name=after]").input_value() == "P4 P5 P6 P7\nP8"
    key(page, "Pik 5 entfernen").tap()
    assert page.locator("[name=after]").input_value() == "P4 P6 P7\nP8"


def test_the_keys_come_to_the_field_in_use(page):
    page.get_by_text("Ein Zug auf dem Tisch").tap()
    field = page.locator(":has(> label [name=to_hand]) > .drawn")
    field.tap()
    seen, last = field.bounding_box(), key(page, "Karo-König").bounding_box()
    assert 0 <= seen["y"] < last["y"] < PHONE["height"] - last["height"]
    key(page, "Joker").tap()

    assert page.locator("[name=to_hand]").input_value() == "JK"
    assert field.get_by_role("button").count() == 1


def test_a_hand_can_be_arranged_with_the_keyboard_alone(page):
    page.get_by_text("Beste Auslage").click()
    for name in ("Herz 10", "Herz-Bube", "Herz-Dame", "Herz-König"):
        key(page, name).focus()
        page.keyboard.press("Enter")

    page.locator("#short", has_text="Es bleibt nichts übrig.").wait_for()
    assert page.locator("#ruling .meld .card").count() >= 3


@pytest.mark.parametrize("page", [False], ids=["without script"], indirect=True)
def test_typed_cards_are_checked_without_scripts(page):
    page.locator("[name=cards]").fill("H8 H9 Joker")
    page.get_by_role("button", name="Prüfen").click()

    assert re.search("Gilt: Reihe", page.locator("#ruling").inner_text())
    assert page.locator(".deck").is_hidden()
