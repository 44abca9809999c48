"""The book of money of a group: who stands where, what is paid, every entry in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flask import abort, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from scorekeeper.domain import group_changes
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.group import REVERSIBLE, Group, Move
from scorekeeper.i18n import Language, most_decimals
from scorekeeper.services import groups
from scorekeeper.services.groups import Entry
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import answered, form_page, group_or_404, names_of, page, pages
from scorekeeper.web.pages.forms import whole
from scorekeeper.wire.schemas import PaymentSchema, RateSchema, UnitSchema, UnitsSchema
from scorekeeper.wire.strict import load

Answer = str | tuple[str, int] | Response
MOST_ENTRIES = 30
"""A longer book shows its last entries; those before are one press away."""


# ---- what is typed -------------------------------------------------------------------


def amount_text(text: str, lang: Language) -> str:
    """An amount as players write it, with a point: ``3,20``, ``1.250,50`` in German, ``1/10``."""
    text = "".join(text.split())
    group, decimal = (".", ",") if lang.decimal_sign == "," else (",", ".")
    if re.fullmatch(rf"[1-9]\d{{0,2}}(\{group}\d{{3}})+(\{decimal}\d+)?", text):
        text = text.replace(group, "")
    text = text.replace(",", ".")
    return f"0{text}" if text.startswith(".") else text


def _typed(*names: str) -> dict[str, Any]:
    """What was typed into fields, as a body; an empty field says nothing."""
    said = {name: request.form.get(name, "").strip() for name in names}
    return {name: READ.get(name, str)(text) for name, text in said.items() if text}


READ: Mapping[str, Callable[[str], object]] = {
    "from": whole,
    "to": whole,
    "amount": lambda text: amount_text(text, language()),
    "rate": lambda text: amount_text(text, language()),
}


# ---- what is done --------------------------------------------------------------------


def _pay(group_id: str, **seen: Any) -> None:
    typed = load(PaymentSchema(), _typed("from", "to", "amount", "unit", "note"))
    groups.pay(ledger(), group_id, **typed, **seen)


def _settle(group_id: str, **seen: Any) -> None:
    groups.settle_up(ledger(), group_id, load(UnitSchema(), _typed("unit"))["unit"], **seen)


def _agree(group_id: str, **seen: Any) -> None:
    groups.agree_rate(
        ledger(), group_id, **load(RateSchema(), _typed("unit", "in", "rate")), **seen
    )


def _convert(group_id: str, **seen: Any) -> None:
    typed = load(UnitsSchema(), _typed("unit", "in"))
    groups.convert(ledger(), group_id, **typed, **seen)


def _reverse(group_id: str, **seen: Any) -> None:
    number = whole(request.form.get("number", ""))
    if not isinstance(number, int):
        abort(404)
    try:
        groups.reverse(ledger(), group_id, number, **seen)
    except KeyError:
        abort(404)


DOES: Mapping[str, Callable[..., None]] = {
    "pay": _pay,
    "settle": _settle,
    "agree": _agree,
    "convert": _convert,
    "reverse": _reverse,
}
"""What the buttons of the page do."""


@pages.route("/s/<group_id>/money", methods=["GET", "POST"])
def money(group_id: str) -> Answer:
    """Balances, payments, rates, and the book; every change is one more entry in it."""
    if request.method != "POST":
        return money_page(group_id, MultiDict())
    do = request.form.get("do", "")
    if do not in DOES:
        abort(400)
    return answered(
        lambda version, key: DOES[do](group_id, expect=version, key=key),
        url_for("pages.money", group_id=group_id),
        lambda **wrong: money_page(group_id, request.form, **wrong),
    )


# ---- what is shown -------------------------------------------------------------------


@dataclass(frozen=True)
class Account:
    """Where a member stands in a unit, with sign and in a word."""

    member: int
    name: str
    amount: str
    word: str


@dataclass(frozen=True)
class Purse:
    """All that stands open in a unit; the sum is nothing."""

    unit: str
    accounts: tuple[Account, ...]
    """Those who stand anywhere: who is owed most first."""
    even: int
    """How many others there are."""
    total: Fraction


def accounts(group: Group) -> list[Purse]:
    """The open balances by unit; units are never added up."""
    return [_purse(group, unit) for unit in group.balances if any(group.balance(unit))]


def _purse(group: Group, unit: str) -> Purse:
    lang, names, balance = language(), names_of(group), group.balance(unit)
    open_here = sorted((-amount, member) for member, amount in enumerate(balance) if amount)
    decimals = most_decimals(balance)
    return Purse(
        unit=unit,
        accounts=tuple(
            Account(
                member=member,
                name=names[member],
                amount=lang.money(-debt, unit, signed=True, decimals=decimals),
                word=lang("groups.gets" if debt < 0 else "groups.owes"),
            )
            for debt, member in open_here
        ),
        even=group.members - len(open_here),
        total=sum(balance, Fraction()),
    )


@dataclass(frozen=True)
class Payment:
    """One payment that would help to settle a unit."""

    payer: int
    payee: int
    exact: str
    amount: str


def due(group: Group, unit: str) -> list[Payment]:
    """The fewest payments that settle a unit, as far as it can be paid."""
    lang, decimals = language(), most_decimals([group.payables.get(unit, Fraction(1))])
    return [
        Payment(
            payer=one.payer,
            payee=one.payee,
            exact=str(one.amount),
            amount=lang.money(one.amount, unit, decimals=decimals),
        )
        for one in group_changes.open_payments(group, unit)
    ]


@dataclass(frozen=True)
class Told:
    """One entry of the book in words."""

    number: int
    at: str
    by: str
    words: str
    note: str
    game: str | None
    """The evening it comes from, where that is still the group's."""
    moves: str
    balances: str
    """Where the member stands after it, in a statement."""
    reversed: bool
    reversible: bool


def money_page(
    group_id: str,
    form: MultiDict[str, str],
    problems: Sequence[Problem] = (),
    *,
    stale: bool = False,
) -> str:
    """The page of money, with what was typed where it was typed."""
    group = group_or_404(group_id)
    most = None if request.args.get("all") else MOST_ENTRIES
    return form_page(
        "money.html",
        problems,
        group=group,
        names=names_of(group),
        purses=accounts(group),
        due=due,
        are_fewest=group_changes.are_fewest,
        units=sorted({*group.balances, *(unit for pair in group.rates for unit in pair)}),
        rates=group.rates,
        lines=lines(group, groups.statement(ledger(), group, most=most)),
        most=groups.count_entries(ledger(), group),
        form=form,
        stale=stale,
    )


@pages.get("/s/<group_id>/money/<int:member>")
def group_statement(group_id: str, member: int) -> str:
    """Everything that moved a member's money, and where he stood after it."""
    group = group_or_404(group_id)
    if member >= group.members:
        abort(404)
    entries = groups.statement(ledger(), group, member)
    last = entries if request.args.get("all") else entries[-MOST_ENTRIES:]
    return page(
        "statement.html",
        group=group,
        member=member,
        name=names_of(group)[member],
        lines=lines(group, last),
        most=len(entries),
        now=balances_in_words(entries[-1].balances if entries else {}),
    )


def lines(group: Group, entries: Sequence[Entry]) -> list[Told]:
    """Entries in words, the newest first."""
    games = {str(one.event.payload["game"]) for one in entries if "game" in one.event.payload}
    known = sorted(games & group.evenings.keys())
    titles, days = ledger().names.words_of(known, "title"), ledger().seasons.days_of(known)
    lang, names = language(), names_of(group)
    called = {
        game: titles.get(game) or lang("pages.untitled", date=lang.day(day))
        for game, day in days.items()
    }
    return [_line(one, group, names, called) for one in reversed(entries)]


def _line(entry: Entry, group: Group, names: Sequence[str], called: Mapping[str, str]) -> Told:
    event, lang = entry.event, language()
    game = event.payload.get("game")
    return Told(
        number=event.number,
        at=event.at,
        by=lang(f"pages.right.{event.by}"),
        words=_words(entry, names, called),
        note=group.texts.get(f"note.{event.number}", ""),
        game=game if game in group.evenings else None,
        moves=_details(entry, names),
        balances=balances_in_words(entry.balances) if entry.balances else "",
        reversed=entry.reversed,
        reversible=event.kind in REVERSIBLE and game is None and not entry.reversed,
    )


def _details(entry: Entry, names: Sequence[str]) -> str:
    """What an entry moved, where its sentence does not say it; in a statement the member's own."""
    lang, said = language(), entry.event.payload
    if entry.balances:
        return balances_in_words(_by_unit(entry.moves))
    match entry.event.kind:
        case "paid":
            return ""
        case "settled":
            return "; ".join(_paid(due, said["unit"], names) for due in said["transfers"])
    moved = [
        (names[who], lang.money(amount, unit, signed=True)) for who, unit, amount in entry.moves
    ]
    return lang.all_of(f"{name} {amount}" for name, amount in moved)


def _by_unit(moves: Sequence[Move]) -> dict[str, Fraction]:
    sums: dict[str, Fraction] = {}
    for _, unit, amount in moves:
        sums[unit] = sums.get(unit, Fraction()) + amount
    return sums


def _words(entry: Entry, names: Sequence[str], called: Mapping[str, str]) -> str:
    lang, said = language(), entry.event.payload
    evening = called.get(said.get("game", ""), lang("groups.book.gone"))
    match entry.event.kind:
        case "booked":
            return lang("groups.book.booked", evening=evening)
        case "paid" if "due" in said:
            amount = lang.money(Fraction(said["due"][2]), said["unit"])
            payers, payees = (_side(said["moves"], sign, names) for sign in (1, -1))
            return lang(
                "groups.book.ticked", payer=payers, payee=payees, amount=amount, evening=evening
            )
        case "paid":
            return _paid((said["from"], said["to"], said["amount"]), said["unit"], names)
        case "settled":
            return lang("groups.book.settled", unit=said["unit"])
        case "converted":
            return lang(
                "groups.book.converted", rate=rate_words(said["unit"], said["in"], said["rate"])
            )
    number = said["number"]
    return lang("groups.book.reversed", number=number, what=lang(f"groups.book.of.{said['of']}"))


def _paid(transfer: Sequence[Any], unit: str, names: Sequence[str]) -> str:
    lang, (payer, payee, amount) = language(), transfer
    paid = lang.money(Fraction(amount), unit)
    return lang("groups.book.paid", payer=names[payer], payee=names[payee], amount=paid)


def _side(moves: Sequence[Sequence[Any]], sign: int, names: Sequence[str]) -> str:
    """Who stands on one side of a payment: partners together."""
    return language().all_of(names[who] for who, _, amount in moves if Fraction(amount) * sign > 0)


@pages.app_template_global()
def rate_words(unit: str, into: str, rate: str | Fraction) -> str:
    """``1 DM = 100 Pf``."""
    lang = language()
    return f"{lang.money(Fraction(1), unit)} = {lang.money(Fraction(rate), into)}"


def balances_in_words(balances: Mapping[str, Fraction]) -> str:
    """``+3,20 ct``, unit by unit; nothing open is 0."""
    lang = language()
    told = [lang.money(amount, unit, signed=True) for unit, amount in balances.items() if amount]
    return lang.all_of(told) or "0"
