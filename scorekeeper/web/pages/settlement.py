"""The settlement of a game: who pays whom, what was paid, and how to pay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flask import abort, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import state as domain
from scorekeeper.domain.game.state import Account, Game
from scorekeeper.domain.money.iban import masked, read_iban
from scorekeeper.services import games
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages.blueprint import (
    faults_of,
    form_write,
    game_or_404,
    page,
    pages,
    was_stale,
)
from scorekeeper.web.pages.chart import standing
from scorekeeper.web.pages.giro import euros, giro_code
from scorekeeper.wire.schemas import AccountSchema
from scorekeeper.wire.strict import load
from scorekeeper.wording import pad
from scorekeeper.wording.amounts import amounts_of
from scorekeeper.wording.endings import people
from scorekeeper.wording.finale import finale
from scorekeeper.wording.settlement import settlement_rows
from scorekeeper.wording.sheet import Words


@dataclass(frozen=True)
class Payment:
    """A payment of the settlement, made or to be made."""

    number: int
    """Its index in ``Game.numbered_payments``."""
    payer: str
    payee: str
    side: int
    """The side whose account it goes to."""
    sum: str
    """The amount without its unit."""
    amount: str
    paid: str
    """When it was made, in words; empty if it is still to be made."""
    euros: str
    """The sum to transfer; empty if the unit is no currency or the amount has parts of a cent."""
    account: Account | None
    """The account to pay to, with a masked IBAN."""
    code: Markup | None
    """A QR code for banking apps, shown only to the pen."""


@dataclass(frozen=True)
class Progress:
    """How much is still to be paid, and how much was."""

    sum: str
    """What is still open, or the whole if nothing is; without its unit."""
    paid: str
    all: str
    percent: int
    """Of the whole, rounded down; 100 only if nothing is open."""


@pages.get("/g/<game_id>/settlement")
def settlement(game_id: str) -> str:
    """Show who pays whom, in the table of [001] §6, and why."""
    return settlement_page(game_or_404(game_id))


def settlement_page(
    game: Game, number: int | None = None, faults: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Render the settlement, with what is wrong with the account entered at a payment."""
    return page("settlement.html", game=game, **settlement_variables(game, number, faults))


def settlement_variables(
    game: Game, number: int | None = None, faults: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Return the variables of a page with the settlement."""
    settled, refused = None, ""
    try:
        settled = game.settlement()
    except RuleError as error:
        refused = language().problem(error.problems[0], game.players)
    due = payments(game)
    return {
        "settled": settled,
        "finale": finale(game, language()) if game.is_over else None,
        "words": Words(game, language()),
        "refused": refused,
        "payments": due,
        "progress": progress_of(game),
        "message": in_one_message(game, due),
        "working": list(settlement_rows(game, settled, language(), "·")) if settled else [],
        "cents": settled is not None and settled.amounts != settled.payable_amounts,
        "amounts": amounts_of(game.rules),
        "typed_at": number,
        "form": request.form,
        "faults": faults or {},
    }


def in_one_message(game: Game, due: Sequence[Payment]) -> str:
    """Return the payments as a text message, those that are still to be made first."""
    lang = language()
    paid = f" ({lang('pages.settlement.done')})"
    pays = lang("pages.settlement.pays", n=people(game, game.sides[:1]))
    lines = [
        f"{one.payer} {pays} {one.payee} {one.amount}" + (paid if one.paid else "")
        for one in sorted(due, key=lambda one: bool(one.paid))
    ]
    won = [pad.winners(game, lang)] if game.is_over else []
    return "\n".join([pad.title_of(game, lang), *won, standing(game, lang), *lines])


def payments(game: Game) -> list[Payment]:
    """Return all payments; none if no point value was agreed."""
    return [_payment(game, number, one) for number, one in enumerate(game.numbered_payments)]


def progress_of(game: Game) -> Progress | None:
    """Return how much of the payments was made; None if there are none."""
    made = sum((one.amount for one in game.paid), Fraction())
    whole = sum((payment.amount for payment in game.payments), Fraction())
    if not whole:
        return None
    written, lang = amounts_of(game.rules), language()
    return Progress(
        sum=written.number(whole - made or whole, lang, signed=False),
        paid=written.words(made, lang),
        all=written.words(whole, lang),
        percent=int(100 * made / whole),
    )


def payable_amount(game: Game, amount: Fraction) -> str:
    """Return an amount to pay as people say it."""
    return amounts_of(game.rules).words(amount, language())


def _payment(game: Game, number: int, due: domain.Payment) -> Payment:
    lang, unit = language(), game.rules.settle.unit
    account, amount = game.account(due.payee), euros(due.amount, unit)
    code = None
    if account and amount and right() == "pen":
        code = giro_code(account.holder, account.iban, amount, pad.title_of(game, lang))
    return Payment(
        number=number,
        payer=game.sides[due.payer],
        payee=game.sides[due.payee],
        side=due.payee,
        sum=amounts_of(game.rules).number(due.amount, lang, signed=False),
        amount=payable_amount(game, due.amount),
        paid=_when_paid(game, due.paid_at) if due.paid_at else "",
        euros=lang.cents(amount) if amount else "",
        account=replace(account, iban=masked(account.iban)) if account else None,
        code=code,
    )


def _when_paid(game: Game, at: str) -> str:
    """Return when a payment was made: the time, on another day also the date."""
    lang = language()
    if lang.numeric_date(at) == lang.numeric_date(game.created_at):
        return lang("pages.settlement.paid", time=lang.time(at))
    return lang("paper.paid", date=lang.date(at), time=lang.time(at))


@pages.post("/g/<game_id>/settlement/account")
def account(game_id: str) -> AnyResponse | tuple[str, int]:
    """Store or erase the account of a side."""
    write = form_write()
    side, number = (request.form.get(name, 0, type=int) for name in ("side", "number"))
    try:
        left = None if request.form.get("do") == "erase" else _typed_account()
        stale = was_stale(lambda: games.store_account(ledger(), game_id, side, left, write=write))
    except RuleError as error:
        faults = faults_of(error.problems, lambda place: str(place[-1]))
        return settlement_page(game_or_404(game_id), number, faults), 422
    except KeyError:
        abort(404)
    return _after_payment(game_id, stale, anchor=f"giro-{number}")


def _typed_account() -> Account:
    typed = {name: request.form.get(name, "") for name in ("holder", "iban")}
    fields = load(AccountSchema(), typed)
    return Account(fields["holder"], read_iban(fields["iban"]))


@pages.post("/g/<game_id>/settlement/<int:number>")
def pay(game_id: str, number: int) -> AnyResponse:
    """Mark a payment as made, or take it back."""
    write = form_write()
    paid = request.form.get("paid") == "yes"
    try:
        stale = was_stale(lambda: games.mark_paid(ledger(), game_id, number, paid, write=write))
    except KeyError:
        abort(404)
    return _after_payment(game_id, stale, anchor="payments")


def _after_payment(game_id: str, stale: bool, anchor: str) -> AnyResponse:
    """Return to the page that shows the payments: the end of the evening, once it is over."""
    over = ledger().game(game_id).is_over
    endpoint = "pages.evening_end" if over else "pages.settlement"
    notice = "stale" if stale else None
    then = url_for(endpoint, game_id=game_id, notice=notice, _anchor=None if stale else anchor)
    return redirect(then, 303)
