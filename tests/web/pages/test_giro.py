"""Paying by bank: exact euros, a QR code, an account number that only the pen can see."""

from decimal import Decimal
from fractions import Fraction

import pytest
import segno.helpers

from scorekeeper.web.pages.giro import euros, giro_code, giro_text

IBAN = "LU28 0019 4006 4475 0000"
BARE = IBAN.replace(" ", "")


@pytest.mark.parametrize(
    "amount, unit, sum",
    [
        (65, "ct", "0.65"),
        (Fraction(4575), "Cent", "45.75"),
        (Fraction("0.5"), "EUR", "0.50"),
        (Fraction(1, 2), "ct", None),
        (Fraction(1, 3), "EUR", None),
        (0, "ct", None),
        (65, "Pf", None),
    ],
)
def test_only_whole_cents_become_euros(amount, unit, sum):
    assert euros(Fraction(amount), unit) == (sum and Decimal(sum))


def test_the_code_has_the_lines_of_the_standard():
    text = giro_text("Claire Müller", BARE, Decimal("0.65"), "Rommé")

    assert text == f"BCD\n002\n1\nSCT\n\nClaire Müller\n{BARE}\nEUR0.65\n\n\nRommé"


def test_the_code_matches_that_of_another_library():
    ours = giro_code("Claire Müller", BARE, Decimal("0.65"), "Rommé")
    theirs = segno.helpers.make_epc_qr(
        "Claire Müller", BARE, Decimal("0.65"), text="Rommé", encoding="utf-8"
    )

    assert theirs.svg_inline(border=0, omitsize=True, svgclass="qr", lineclass=None) == ours


def test_the_longest_names_still_fit():
    assert len(giro_text("Ü" * 70, BARE, Decimal(1), "Ü" * 140).encode()) == 331


@pytest.fixture
def settled(anna) -> str:
    game = anna.begin(name=["Anna", "Bernd"], point_value="1", unit="ct")
    anna.enter(game, 0, hand__1="65")
    return game


def leave(reader, game: str, **fields: object):
    """Enter the account of the first payee."""
    page = f"{game}/settlement"
    return reader.send(f"{page}/account", page=page, do="keep", side="0", **fields)


def test_the_account_of_a_payee_gives_a_code(anna, settled):
    assert "<svg" not in anna.get(f"{settled}/settlement").text.split("Wer zahlt wem")[1]

    assert leave(anna, settled, holder="Anna Muster", iban=IBAN).status_code == 303

    page = anna.get(f"{settled}/settlement").text

    assert 'class="qr"' in page
    assert "An: Anna Muster, LU28 … 0000, 0,65\u00a0€." in page
    assert BARE not in page


def test_paying_by_bank_is_folded_below_all_payments(anna):
    game = anna.begin(point_value="1", unit="ct")
    anna.enter(game, 0, hand__1="10", hand__2="20", hand__3="30")
    for path in (f"{game}/settlement", f"{game}/end"):
        if path.endswith("end"):
            anna.send(path, page=f"{game}/more")
        payments, fold = anna.get(path).text.split('class="fold joined giro"')

        assert payments.count('class="tick"') == fold.count('name="iban"') > 1
        assert "iban" not in payments
        assert (payments + fold).count("Mit der Bank zahlen") == 1


def test_a_wrong_account_number_is_refused_at_its_field(anna, settled):
    answer = leave(anna, settled, holder="Anna", iban="LU29 0019 4006 4475 0000")

    assert answer.status_code == 422
    assert "Die Prüfziffern 29 passen nicht zum Rest." in answer.text
    assert 'value="LU29 0019 4006 4475 0000"' in answer.text


def test_an_account_is_in_neither_the_history_nor_the_export(anna, app, settled):
    leave(anna, settled, holder="Anna Muster", iban=IBAN)
    ledger = app.extensions["ledger"]
    out = str(ledger.export(settled.removeprefix("/g/")))

    assert "Kontonummer von Anna hinterlegt" in anna.get(f"{settled}/history").text
    for words in (anna.get(f"{settled}/history").text, out):
        assert BARE not in words
        assert "Muster" not in words


def test_an_erased_account_is_gone_from_the_disk(anna, app, settled):
    page = f"{settled}/settlement"
    record = app.extensions["ledger"].store.engine.path

    def stored() -> bytes:
        return b"".join(file.read_bytes() for file in record.parent.glob(f"{record.name}*"))

    leave(anna, settled, holder="Anna Muster", iban=IBAN)
    before = stored()
    anna.send(f"{page}/account", page=page, do="erase", side="0")
    after = stored()

    assert "LU28" not in anna.get(page).text
    for words in (BARE.encode(), b"Anna Muster"):
        assert (words in before, words in after) == (True, False)


def test_a_watcher_sees_the_number_masked_and_no_code(anna, bernd, settled):
    leave(anna, settled, holder="Anna Muster", iban=IBAN)
    bernd.send("/enter", code=anna.code(settled))
    page = bernd.get(f"{settled}/settlement").text

    assert "LU28 … 0000" in page
    assert 'class="qr"' not in page
    assert BARE not in page
    assert bernd.post(f"{settled}/settlement/account", {}).status_code in (400, 403)


def test_an_account_of_an_unknown_player_is_not_found(anna, settled):
    page = f"{settled}/settlement"
    sent = anna.send(f"{page}/account", page=page, side="7", holder="X", iban=IBAN, do="keep")

    assert sent.status_code == 404


def test_the_payments_can_be_copied_as_text(anna, settled):
    page = anna.get(f"{settled}/settlement").text

    assert "\nAnna 0, Bernd 65\nBernd zahlt Anna 0,65\u00a0€</p>" in page


@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_a_payment_or_account_leads_back_to_where_the_payments_are_shown(anna, played, over):
    shown = f"{played}/settlement"
    if over:
        anna.send(f"{played}/end", page=f"{played}/more")
        shown = f"{played}/end"
    account = {"side": "1", "number": "1", "holder": "B", "iban": IBAN, "do": "keep"}
    kept = anna.send(f"{played}/settlement/account", page=shown, **account)
    outdated = anna.filled(shown, paid="yes")
    paid = anna.send(f"{played}/settlement/0", page=shown, paid="yes")
    late = anna.post(f"{played}/settlement/1", {**outdated, "key": "another"})
    nobody = anna.send(f"{played}/settlement/9", page=shown, paid="yes")

    assert [kept.location, paid.location] == [f"{shown}#giro-1", f"{shown}#payments"]
    assert late.location == f"{shown}?notice=stale"
    assert [kept.status_code, paid.status_code, late.status_code] == [303, 303, 303]
    assert nobody.status_code == 404
