"""The money of a group on the phone: payments, rates and statements."""

from fractions import Fraction
from random import Random

import pytest

from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import groups
from scorekeeper.store.writes import Write
from scorekeeper.web.pages.group.money import amount_text
from web.pages.conftest import does, evening, pays, words


def test_each_of_the_fewest_payments_has_a_button(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get(f"{stammtisch}/money").text
    presses = page.count('class="tick" name="do" value="pay"')

    assert presses == 2
    for left in (1, 0):
        anna.send(f"{stammtisch}/money", **first_press(anna, stammtisch))
        page = anna.get(f"{stammtisch}/money").text

        assert page.count('class="tick" name="do" value="pay"') == left
    assert "Alles ist ausgeglichen" in page


def first_press(reader, group: str) -> dict[str, str]:
    """Return the fields of the first proposed payment."""
    form = reader.form(f"{group}/money")
    return {name: form[name] for name in ("from", "to", "amount", "unit")} | {"do": "pay"}


def test_a_repeated_payment_is_booked_once(anna, stammtisch):
    said = {"from": "0", "to": "1", "amount": "3,20", "unit": "ct", "do": "pay"}
    form = anna.filled(f"{stammtisch}/money", **said)
    for _ in range(2):
        assert anna.post(f"{stammtisch}/money", form).status_code == 303

    assert anna.get(f"{stammtisch}/money").text.count("Anna zahlt Bernd 3,2\xa0ct") == 1


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"amount": "viel"}, "Das ist kein Betrag."),
        ({"amount": "0"}, "größer als 0"),
        ({"amount": ""}, "Hier fehlt etwas."),
        ({"to": "0"}, "Niemand zahlt an sich selbst."),
        ({"to": ""}, "Hier fehlt etwas."),
        ({"unit": ""}, "Hier fehlt etwas."),
        ({"note": "x" * 300}, "zu lang"),
    ],
)
def test_a_refused_payment_keeps_what_was_typed(anna, stammtisch, fields, why):
    typed = {"from": "0", "to": "1", "amount": "3,20", "unit": "ct", "note": "bar", **fields}
    answer = does(anna, stammtisch, "pay", **typed)
    form = anna.form_in(answer)

    assert answer.status_code == 422
    assert why in answer.text
    assert {name: form[name] for name in typed} == typed


def test_money_without_a_unit_can_still_be_settled(anna, stammtisch):
    """Payments of earlier versions could have none."""
    ledger, group_id = anna.client.application.extensions["ledger"], stammtisch.rpartition("/")[2]
    groups.pay(ledger, group_id, Transfer(0, 1, Fraction(5)), "", Write())
    page = anna.get(f"{stammtisch}/money").text

    settled = does(anna, stammtisch, "settle", unit="")

    assert 'name="do" value="pay"><i' not in page  # the button of one payment would be refused
    assert settled.status_code == 303
    assert "Alles ist ausgeglichen" in anna.get(f"{stammtisch}/money").text


def test_units_are_never_mixed(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "3", "ct")
    pays(anna, stammtisch, 0, 1, "1/10", "DM")
    page = anna.get(f"{stammtisch}/money").text

    assert "Kontostände in €" in page
    assert "Kontostände in DM" in page
    assert page.count("Summe 0.") == 2


def test_a_unit_is_converted_at_the_agreed_rate(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "2", "DM")
    refused = does(anna, stammtisch, "convert", **{"unit": "DM", "in": "Pf"})

    assert refused.status_code == 422
    assert "noch kein Kurs" in refused.text

    does(anna, stammtisch, "agree", **{"unit": "DM", "in": "Pf", "rate": "100"})
    assert "1\xa0DM = 100\xa0Pf" in anna.get(f"{stammtisch}/money").text
    does(anna, stammtisch, "convert", **{"unit": "DM", "in": "Pf"})
    page = anna.get(f"{stammtisch}/money").text

    assert "Kontostände in DM" not in page
    assert "+200\xa0Pf" in page
    assert "Umgerechnet: 1\xa0DM = 100\xa0Pf" in page


def test_a_refused_rate_keeps_what_was_typed(anna, stammtisch):
    typed = {"unit": "DM", "in": "DM", "rate": "100"}
    answer = does(anna, stammtisch, "agree", **typed)
    form = anna.form_in(answer)

    assert answer.status_code == 422
    assert "dieselbe Einheit" in answer.text
    assert (form.getlist("unit")[-1], form["rate"], form["in"]) == ("DM", "100", "DM")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_says_if_fewer_payments_may_suffice(anna, code):
    group = anna.found("Club", [f"M{member}" for member in range(40)])
    ledger, dice = anna.client.application.extensions["ledger"], Random(5)
    with ledger.transaction():
        for member in range(1, 40):
            paid = Fraction(dice.randint(1, 10**6))
            groups.pay(ledger, group[3:], Transfer(member, 0, paid), "ct", write=Write())

    page = anna.client.get(f"{group}/money", headers={"Accept-Language": code}).text
    assert language(code)("groups.maybe_fewer") in page


def test_one_button_settles_everything(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    does(anna, stammtisch, "settle", unit="Pf")

    page = anna.get(f"{stammtisch}/money").text
    assert "Alles in Pf ausgeglichen" in page
    assert "Dieter zahlt Anna 6\xa0Pf" in page
    assert "niemand schuldet etwas" in page
    assert does(anna, stammtisch, "settle", unit="Pf").status_code == 422


def test_what_was_settled_has_the_unit_of_its_payments(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, unit="ct", point_value="1")
    does(anna, stammtisch, "settle", unit="ct")

    page = anna.get(f"{stammtisch}/money").text
    assert "Alles in € ausgeglichen" in page
    assert "Dieter zahlt Anna 0,60\xa0€" in page


def test_an_entry_is_reversed_by_another_entry(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "3", "ct", note="bar")
    number = str(anna.newest_entry(f"{stammtisch}/money"))
    form = anna.filled(f"{stammtisch}/money", do="reverse", number=number)
    for _ in range(2):
        assert anna.post(f"{stammtisch}/money", form).status_code == 303
    page = anna.get(f"{stammtisch}/money").text

    assert f"Zurückgenommen: Nr. {number}, eine Zahlung" in page
    assert "Anna zahlt Bernd 0,03\xa0€" in page
    assert "„bar“" in page
    assert f"Nr. {number} zurücknehmen" not in page
    assert "Alles ist ausgeglichen" in page
    again = does(anna, stammtisch, "reverse", number=number)
    assert (again.status_code, "schon zurückgenommen" in again.text) == (422, True)


@pytest.mark.parametrize("number", ["", "x", "0", "999", "9" * 20])
def test_an_unknown_entry_cannot_be_reversed(anna, stammtisch, number):
    assert does(anna, stammtisch, "reverse", number=number).status_code in (404, 422)


def test_bookings_of_an_evening_are_corrected_in_its_game(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30)
    page = anna.get(f"{stammtisch}/money").text

    assert "Ergebnis: Abend vom" in page
    assert "zurücknehmen</button>" not in page


def test_a_payment_marked_in_the_game_is_in_the_account_book(anna, stammtisch):
    game = evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="yes")

    assert "(abgehakt: Erster)" in anna.get(f"{stammtisch}/money").text


def test_the_book_follows_the_payments_of_a_corrected_evening(anna, stammtisch):  # S13
    game = evening(anna, stammtisch, 0, 10, 20, 30, unit="ct", point_value="1")
    anna.send(f"{game}/settlement/0", page=f"{game}/settlement", paid="yes")
    anna.send(f"{game}/round/1/correct", hand__3="50", do="save")
    balances = words(anna.get(f"{stammtisch}/money").text).replace("\xa0", " ")
    for number in (1, 2):
        anna.send(f"{game}/settlement/{number}", page=f"{game}/settlement", paid="yes")
    after = words(anna.get(f"{stammtisch}/money").text).replace("\xa0", " ")

    assert "Dieter zahlt Bernd 0,40 €" in balances
    assert "Dieter zahlt Anna 0,20 €" in balances
    assert "Alles ist ausgeglichen, niemand schuldet etwas." in after
    assert after.count("(abgehakt:") == 3


def test_a_statement_shows_the_balance_after_every_entry(anna, stammtisch):
    evening(anna, stammtisch, 0, 10, 20, 30, title="Erster")
    pays(anna, stammtisch, 3, 0, "2,5")
    page = anna.get(f"{stammtisch}/money/3").text

    assert page.index("Dieter zahlt Anna 2,5\xa0Pf") < page.index("Ergebnis: Erster")
    assert [part.split("</b>")[0] for part in page.split("</small> <b>")[1:]] == [
        "−3,5\xa0Pf",
        "−6\xa0Pf",
    ]
    assert "Bernd" not in page


def test_a_statement_sums_several_moves_of_one_entry(anna, stammtisch):
    evening(anna, stammtisch, 0, 30, 30, name=["Anna", "Bernd", "Claire"])
    does(anna, stammtisch, "settle", unit="Pf")
    page = anna.get(f"{stammtisch}/money/0").text

    assert '<p class="moves">−6\xa0Pf</p>' in page
    assert "Stand jetzt: <b>0</b>" in page


def test_amounts_that_stand_together_are_written_in_one_unit(anna, stammtisch):
    evening(anna, stammtisch, 0, 100, 105, 95, title="Erster", unit="ct", point_value="1/2")
    evening(anna, stammtisch, 0, 10, 20, 31, title="Zweiter", unit="ct", point_value="1/2")
    book = words(anna.get(f"{stammtisch}/money").text)
    statement = words(anna.get(f"{stammtisch}/money/0").text)

    assert "Anna +1,50 €, Bernd −0,50 €, Claire −0,60 € und Dieter −0,40 €" in book
    assert "Anna +30,5 ct, Bernd +10,5 ct, Claire −9,5 ct und Dieter −31,5 ct" in book
    assert "Stand jetzt: +180,5 ct" in statement
    assert "+150 ct" in statement
    assert "EUR" not in statement


def test_an_unknown_button_changes_nothing(anna, stammtisch):
    assert does(anna, stammtisch, "explode").status_code == 400


@pytest.mark.parametrize(
    ("code", "typed", "meant"),
    [
        ("de", "3,20", "3.20"),
        ("de", "3.20", "3.20"),
        ("de", "1.250", "1250"),
        ("de", "1.250,50", "1250.50"),
        ("de", "0.125", "0.125"),
        ("de", ",5", "0.5"),
        ("de", " 1 / 10 ", "1/10"),
        ("lb", "1.250,5", "1250.5"),
        ("fr", "1\u202f250,5", "1250.5"),
        ("fr", "1 250", "1250"),
        ("fr", "3,20", "3.20"),
        ("en", "3.20", "3.20"),
        ("en", "3,20", "3.20"),
        ("en", "1,250.50", "1250.50"),
        ("en", "-5", "-5"),
    ],
)
def test_an_amount_is_read_in_the_readers_format(code, typed, meant):
    assert amount_text(typed, language(code)) == meant


# ---- cents and euros -----------------------------------------------------------------


def test_evenings_in_cents_and_in_euros_are_one_balance(anna, stammtisch):
    evening(anna, stammtisch, 0, 20, 30, 50, unit="ct", point_value="1", payable="1")
    evening(anna, stammtisch, 20, 0, 30, 50, unit="EUR", point_value="1/100", payable="1/100")
    page = words(anna.get(f"{stammtisch}/money").text).partition("Zahlung eintragen")[0]

    # 100 - 4 x 0, 20, 30, 50 cents, and the same in euros with the first two exchanged
    assert "Anna bekommt +1,20 €" in page
    assert "Bernd bekommt +1,20 €" in page
    assert "Claire schuldet −0,40 €" in page
    assert "Dieter schuldet −2,00 €" in page
    assert " ct" not in page.partition("Kontostände")[2]


def test_what_is_owed_in_cents_is_paid_by_what_is_owed_in_euros(anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "568", "ct")
    pays(anna, stammtisch, 1, 0, "5,68", "EUR")

    assert "niemand schuldet etwas" in words(anna.get(f"{stammtisch}/money").text)

    pays(anna, stammtisch, 1, 0, "0,07", "EUR")
    page = words(anna.get(f"{stammtisch}/money").text)

    assert "+0,07 €" in page and "−0,07 €" in page
    assert "5,68 €" in page  # in the entries


def test_settling_nets_cents_and_euros_to_zero(app, anna, stammtisch):
    pays(anna, stammtisch, 0, 1, "568", "ct")
    pays(anna, stammtisch, 1, 2, "4", "EUR")
    does(anna, stammtisch, "settle", unit="ct")
    group = app.extensions["ledger"].group(stammtisch.rpartition("/")[2])

    assert not any(any(group.balance(unit)) for unit in group.balances)
    assert "niemand schuldet etwas" in words(anna.get(f"{stammtisch}/money").text)
