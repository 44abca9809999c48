"""The money of a group: balances, payments, rates and statements."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from flask import abort, request, url_for
from werkzeug.datastructures import MultiDict

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.state import REVERSIBLE, Group, sums_by_unit
from scorekeeper.domain.group.units import added_up, in_one_unit
from scorekeeper.domain.rules.coins import parts_of_a_euro
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP, most_decimals
from scorekeeper.services import groups
from scorekeeper.services.groups import AccountEntry
from scorekeeper.store.writes import Write
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.amounts import whole, whole_or_none
from scorekeeper.web.pages.blueprint import (
    Answer,
    form_page,
    group_or_404,
    handle_form,
    names_of,
    page,
    pages,
)
from scorekeeper.wire.groups import PaymentSchema, RateSchema, UnitSchema, UnitsSchema
from scorekeeper.wire.strict import load
from scorekeeper.wording.amounts import amount_format
from scorekeeper.wording.seasons import evening_title

WHOLE = Fraction(1)
MAX_ENTRIES = 30
"""Entries shown at once; a link leads to the earlier ones."""


# ---- input ---------------------------------------------------------------------------


def amount_text(text: str, lang: Language) -> str:
    """Return an amount with a decimal point: ``3,20``, ``1.250,50`` in German, ``1/10``."""
    text = "".join(text.split())
    group, decimal = (".", ",") if lang.decimal_sign == "," else (",", ".")
    if re.fullmatch(rf"[1-9]\d{{0,2}}(\{group}\d{{3}})+(\{decimal}\d+)?", text):
        text = text.replace(group, "")
    text = text.replace(",", ".")
    return f"0{text}" if text.startswith(".") else text


def _typed(*names: str) -> dict[str, Any]:
    """Return the filled-in fields as a body."""
    typed = {name: request.form.get(name, "").strip() for name in names}
    return {name: PARSERS.get(name, str)(text) for name, text in typed.items() if text}


PARSERS: Mapping[str, Callable[[str], object]] = {
    "from": whole,
    "to": whole,
    "amount": lambda text: amount_text(text, language()),
    "rate": lambda text: amount_text(text, language()),
}


# ---- actions -------------------------------------------------------------------------


def _pay(group_id: str, write: Write) -> None:
    typed = load(PaymentSchema(), _typed("from", "to", "amount", "unit", "note"))
    groups.pay(ledger(), group_id, **typed, write=write)


def _settle(group_id: str, write: Write) -> None:
    unit = load(UnitSchema(), {"unit": request.form.get("unit")})["unit"]
    groups.settle_up(ledger(), group_id, unit, net=True, write=write)


def _agree(group_id: str, write: Write) -> None:
    groups.agree_rate(
        ledger(), group_id, **load(RateSchema(), _typed("unit", "in", "rate")), write=write
    )


def _convert(group_id: str, write: Write) -> None:
    typed = load(UnitsSchema(), _typed("unit", "in"))
    groups.convert(ledger(), group_id, **typed, write=write)


def _reverse(group_id: str, write: Write) -> None:
    number = whole_or_none(request.form.get("number", ""))
    if number is None:
        abort(404)
    try:
        groups.reverse(ledger(), group_id, number, write=write)
    except KeyError:
        abort(404)


ACTIONS: Mapping[str, Callable[..., None]] = {
    "pay": _pay,
    "settle": _settle,
    "agree": _agree,
    "convert": _convert,
    "reverse": _reverse,
}
"""The actions of the page."""


@pages.route("/s/<group_id>/money", methods=["GET", "POST"])
def money(group_id: str) -> Answer:
    """Show balances, payments, rates and entries, or add an entry."""
    if request.method != "POST":
        return money_page(group_id, MultiDict())
    do = request.form.get("do", "")
    if do not in ACTIONS:
        abort(400)
    return handle_form(
        lambda write: ACTIONS[do](group_id, write),
        url_for("pages.money", group_id=group_id),
        lambda **wrong: money_page(group_id, request.form, **wrong),
    )


# ---- balances and entries in words ---------------------------------------------------


@dataclass(frozen=True)
class MemberBalance:
    """The balance of a member in a unit."""

    member: int
    name: str
    amount: str
    word: str


@dataclass(frozen=True)
class OpenBalances:
    """The open balances in a unit; their sum is zero."""

    unit: str
    unit_text: str
    """The unit as it is written: euro for whole cents."""
    members: tuple[MemberBalance, ...]
    """Members with an open balance, the greatest credit first."""
    even: int
    """The number of members without one."""
    total: Fraction


def open_balances(group: Group) -> list[OpenBalances]:
    """Return the open balances by unit; only cents and euros are added up."""
    group = in_one_unit(group)
    return [_open_balances(group, unit) for unit in group.balances if any(group.balance(unit))]


@pages.app_template_global()
def money_text(amount: Fraction, unit: str, *, signed: bool = False) -> str:
    """Return an amount as people say it: whole cents in euro."""
    (words,) = money_texts([amount], unit, signed=signed)
    return words


def money_texts(
    amounts: Sequence[Fraction], unit: str, *, signed: bool = False, beside: Fraction = WHOLE
) -> list[str]:
    """Return amounts with the decimals that they need, in one unit, also that of another amount."""
    lang, written = language(), amount_format(unit, finest([*amounts, beside]))
    shares = [amount / written.parts for amount in amounts]
    needed = max(written.decimals if written.parts > 1 else 0, most_decimals(shares))
    in_cents = needed and parts_of_a_euro(written.unit) == 1
    decimals = max(needed, 2) if in_cents else needed
    return [lang.exact(share, signed, decimals) + NBSP + written.unit for share in shares]


def finest(amounts: Iterable[Fraction]) -> Fraction:
    """Return the amount with the most decimals: only whole cents are written in euro."""
    return max(amounts, key=lambda amount: amount.denominator, default=WHOLE)


def _open_balances(group: Group, unit: str) -> OpenBalances:
    lang, names, balance = language(), names_of(group), group.balance(unit)
    open_here = sorted((-amount, member) for member, amount in enumerate(balance) if amount)
    amounts = money_texts(balance, unit, signed=True)
    return OpenBalances(
        unit=unit,
        unit_text=amount_format(unit, finest(balance)).unit,
        members=tuple(
            MemberBalance(
                member=member,
                name=names[member],
                amount=amounts[member],
                word=lang("groups.gets" if debt < 0 else "groups.owes"),
            )
            for debt, member in open_here
        ),
        even=group.members - len(open_here),
        total=sum(balance, Fraction()),
    )


@dataclass(frozen=True)
class Payment:
    """A payment that would settle a debt."""

    payer: int
    payee: int
    exact: str
    amount: str


def due(group: Group, unit: str) -> list[Payment]:
    """Return the fewest payments that settle the payable part of a unit."""
    open_now = group_changes.open_payments(group, unit)
    amounts = money_texts([one.amount for one in open_now], unit)
    return [
        Payment(payer=one.payer, payee=one.payee, exact=str(one.amount), amount=amount)
        for one, amount in zip(open_now, amounts, strict=True)
    ]


@dataclass(frozen=True)
class EntryInWords:
    """An entry of the account book in words."""

    number: int
    at: str
    by: str
    words: str
    note: str
    game: str | None
    """The evening that it comes from, if the group still has it."""
    moves: str
    balances: str
    """The member's balances after it, in a statement."""
    reversed: bool
    reversible: bool


def money_page(
    group_id: str,
    form: MultiDict[str, str],
    problems: Sequence[Problem] = (),
    *,
    stale: bool = False,
) -> str:
    """Render the page with the form's input."""
    group = group_or_404(group_id)
    limit = None if request.args.get("all") else MAX_ENTRIES
    return form_page(
        "money.html",
        problems,
        group=group,
        names=names_of(group),
        balances=open_balances(group),
        shown=in_one_unit(group),
        below=lambda unit: money_text(group.payable(unit), unit),
        due=due,
        are_fewest=group_changes.are_fewest,
        units=sorted({*group.balances, *(unit for pair in group.rates for unit in pair)}),
        rates=group.rates,
        lines=lines(group, groups.statement(ledger(), group, limit=limit)),
        most=groups.count_entries(ledger(), group),
        form=form,
        stale=stale,
    )


@pages.get("/s/<group_id>/money/<int:member>")
def group_statement(group_id: str, member: int) -> str:
    """Show all entries of a member, with the balance after each."""
    group = group_or_404(group_id)
    if member >= group.members:
        abort(404)
    entries = groups.statement(ledger(), group, member)
    last = entries if request.args.get("all") else entries[-MAX_ENTRIES:]
    return page(
        "statement.html",
        group=group,
        member=member,
        name=names_of(group)[member],
        lines=lines(group, last),
        most=len(entries),
        now=balances_in_words(entries[-1].balances if entries else {}, _finest_of(last)),
    )


def lines(group: Group, entries: Sequence[AccountEntry]) -> list[EntryInWords]:
    """Return entries in words, newest first."""
    games = {str(entry.event.payload["game"]) for entry in entries if "game" in entry.event.payload}
    own = sorted(games & group.evenings.keys())
    titles, seasons = ledger().names.words_of(own, "title"), ledger().seasons
    presets, lang, names = seasons.presets_of(own), language(), names_of(group)
    several = len(set(presets.values())) > 1
    titles = {
        game: evening_title(titles.get(game, ""), began, presets[game] * several, lang)
        for game, began in seasons.times_of(own).items()
    }
    beside = _finest_of(entries)
    return [_line(entry, group, names, titles, beside) for entry in reversed(entries)]


def _finest_of(entries: Sequence[AccountEntry]) -> Fraction:
    """Return the amount in cents with the most decimals: a statement is written in its unit."""
    sums = (
        added_up(sums) for entry in entries for sums in (sums_by_unit(entry.moves), entry.balances)
    )
    every = (each for by_unit in sums for each in by_unit.items())
    return finest(amount for unit, amount in every if parts_of_a_euro(unit))


def _line(
    entry: AccountEntry,
    group: Group,
    names: Sequence[str],
    titles: Mapping[str, str],
    beside: Fraction,
) -> EntryInWords:
    event = entry.event
    game = event.payload.get("game")
    return EntryInWords(
        number=event.number,
        at=event.at,
        by=event.by,
        words=_words(entry, names, titles),
        note=group.texts.get(f"note.{event.number}", ""),
        game=game if game in group.evenings else None,
        moves=_details(entry, names, beside),
        balances=balances_in_words(entry.balances, beside) if entry.balances else "",
        reversed=entry.reversed,
        reversible=event.kind in REVERSIBLE and game is None and not entry.reversed,
    )


def _details(entry: AccountEntry, names: Sequence[str], beside: Fraction) -> str:
    """Return the amounts moved, unless the sentence says them; in a statement, the member's own."""
    lang, payload = language(), entry.event.payload
    if entry.balances:
        return balances_in_words(sums_by_unit(entry.moves), beside)
    match entry.event.kind:
        case "paid":
            return ""
        case "settled":
            return lang.clauses(_paid(due, payload["unit"], names) for due in payload["transfers"])
    moved = [
        f"{names[member]} {amount}"
        for unit in dict.fromkeys(unit for _, unit, _ in entry.moves)
        for member, amount in _moved(entry, unit)
    ]
    return lang.all_of(moved)


def _moved(entry: AccountEntry, unit: str) -> Iterable[tuple[int, str]]:
    """Return the amounts that an entry moves in a unit, by member, with the same decimals."""
    moves = [(member, amount) for member, other, amount in entry.moves if other == unit]
    amounts = money_texts([amount for _, amount in moves], unit, signed=True)
    return zip((member for member, _ in moves), amounts, strict=True)


def _words(entry: AccountEntry, names: Sequence[str], titles: Mapping[str, str]) -> str:
    lang, payload = language(), entry.event.payload
    evening = titles.get(payload.get("game", ""), lang("groups.book.gone"))
    match entry.event.kind:
        case "booked":
            return lang("groups.book.booked", evening=evening)
        case "prizes":
            return lang("groups.book.prizes")
        case "paid" if "due" in payload:
            amount = money_text(Fraction(payload["due"][2]), payload["unit"])
            payers, payees = (_side(payload["moves"], sign, names) for sign in (1, -1))
            return lang(
                "groups.book.ticked", payer=payers, payee=payees, amount=amount, evening=evening
            )
        case "paid":
            return _paid(
                (payload["from"], payload["to"], payload["amount"]), payload["unit"], names
            )
        case "settled":
            step = finest(Fraction(amount) for _, _, amount in payload["transfers"])
            return lang("groups.book.settled", unit=amount_format(payload["unit"], step).unit)
        case "converted":
            return lang(
                "groups.book.converted",
                rate=rate_words(payload["unit"], payload["in"], payload["rate"]),
            )
    number = payload["number"]
    return lang("groups.book.reversed", number=number, what=lang(f"groups.book.of.{payload['of']}"))


def _paid(transfer: Sequence[Any], unit: str, names: Sequence[str]) -> str:
    lang, (payer, payee, amount) = language(), transfer
    paid = money_text(Fraction(amount), unit)
    return lang("groups.book.paid", payer=names[payer], payee=names[payee], amount=paid)


def _side(moves: Sequence[Sequence[Any]], sign: int, names: Sequence[str]) -> str:
    """Return the names on one side of a payment; partners are together."""
    return language().all_of(
        names[member] for member, _, amount in moves if Fraction(amount) * sign > 0
    )


@pages.app_template_global()
def rate_words(unit: str, into: str, rate: str | Fraction) -> str:
    """Return a rate as ``1 DM = 100 Pf``."""
    lang = language()
    return f"{lang.money(Fraction(1), unit)} = {lang.money(Fraction(rate), into)}"


def balances_in_words(balances: Mapping[str, Fraction], beside: Fraction) -> str:
    """Return amounts such as ``+3,20 EUR``, unit by unit; 0 if there are none."""
    sums = {unit: sum_ for unit, sum_ in added_up(balances).items() if sum_}
    texts = (money_texts([sum_], unit, signed=True, beside=beside) for unit, sum_ in sums.items())
    return language().all_of(chain.from_iterable(texts)) or "0"
