"""The plan of a tournament: its format, its tables, its rounds, rules, scale and money.

A plan is data. ``FORMATS`` says how each format orders the entrants for a draw; ``draw`` reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, get_args

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.history.book import exact
from scorekeeper.domain.rules import RuleSet, Settling
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.rules.presets import decode_rules
from scorekeeper.domain.tournament.scale import Scale, check_scale, decode_scale, encode_scale

Format = Literal["random", "danish", "swiss", "series", "round_robin", "mitchell", "knockout"]
FORMAT_NAMES: tuple[Format, ...] = get_args(Format)
Order = Literal["lot", "standing", "folded", "circle", "lines"]
Remainder = Literal["smaller", "sit_out"]
REMAINDERS: tuple[Remainder, ...] = get_args(Remainder)

MAX_ENTRANTS = 256
MAX_ROUNDS = 60
MAX_MINUTES = 600
SIZES = (2, 3, 4)
MAX_PRIZES = 40
MAX_SHARE = 1_000
MAX_FEE = 100_000


@dataclass(frozen=True)
class Pairing:
    """How a format draws its rounds."""

    order: Order
    """By lot; by standing; by standing, with the halves of those on equal points folded together;
    or a fixed schedule for tables of two: everybody meets everybody, or one line moves past the
    other."""
    last: Order | None = None
    """The order of the last round, if it differs."""
    keeps_apart: bool = True
    """Whether entrants who have met are kept apart unless the plan says otherwise."""
    seats: Literal["lot", "standing"] = "lot"
    """The order of the seats at a table."""
    winners_only: bool = False
    """Whether only those play on who did well enough at their last table."""

    @property
    def is_fixed(self) -> bool:
        """Whether the first draw settles all rounds."""
        return self.order in ("circle", "lines")


FORMATS: Mapping[Format, Pairing] = {
    "random": Pairing("lot"),
    "danish": Pairing("standing", keeps_apart=False),
    "swiss": Pairing("folded"),
    "series": Pairing("lot", last="standing", seats="standing"),
    "round_robin": Pairing("circle"),
    "mitchell": Pairing("lines"),
    "knockout": Pairing("lot", winners_only=True),
}


@dataclass(frozen=True, kw_only=True)
class Money:
    """Entry fee and prizes."""

    fee: Fraction
    """What each entrant pays; a pair pays once."""
    unit: str
    kept: Fraction = Fraction()
    """What the club keeps of all fees, for the room or the cards; it is printed."""
    shares: tuple[int, ...] = (50, 30, 20)
    """The parts of the rest by place."""
    booked: bool = False
    """Whether the account book of the group gets fees and prizes once the tournament is over."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a tournament is played; it does not change once the first round is drawn."""

    format: Format
    rounds: int
    rules: RuleSet
    """The rules of every table."""
    size: int = 4
    """Entrants at a full table."""
    partners: int = 1
    """1: people enter; 2: pairs, two of them at a table."""
    remainder: Remainder = "smaller"
    """Where the tables do not divide: some with one entrant less, or somebody sits out."""
    keep_apart: bool = True
    """Whether those who have met are kept apart as far as possible."""
    split_clubs: bool = False
    """Whether entrants of one club are kept apart as far as possible."""
    advance: int = 1
    """Knockout: how many of a table play on."""
    minutes: int = 0
    """How long a round lasts; 0: not limited."""
    scale: Scale = field(default_factory=lambda: Scale(places=(4, 3, 2, 1)))
    money: Money | None = None

    @property
    def pairing(self) -> Pairing:
        return FORMATS[self.format]


def without_stakes(rules: RuleSet) -> RuleSet:
    """Return rules by which the tables play for nothing: a tournament has fees and prizes [dec].

    Of the settlement, only what is no money stays.
    """
    told = rules.settle
    unpaid = Settling(mode=told.mode, measure=told.measure, unit=told.unit, payable=told.payable)
    return replace(rules, settle=unpaid)


def check_plan(plan: Plan) -> None:
    """Raise RuleError E_TOURNAMENT for a plan that cannot be played, E_CONFIG for its rules."""
    if not 1 <= plan.rounds <= MAX_ROUNDS:
        raise refused("rounds", "rounds", most=MAX_ROUNDS)
    if plan.size not in SIZES:
        raise refused("size", "size")
    if plan.partners not in (1, 2) or (plan.partners == 2 and plan.size != 2):
        raise refused("pairs", "size")
    if plan.rules.teams and plan.partners != 2:
        raise refused("teams", "partners")
    if plan.pairing.is_fixed and plan.size != 2:
        raise refused("fixed", "size")
    if not 1 <= plan.advance < plan.size:
        raise refused("advance", "advance", most=plan.size - 1)
    if not 0 <= plan.minutes <= MAX_MINUTES:
        raise refused("minutes", "minutes", most=MAX_MINUTES)
    smallest = plan.size - 1 if plan.remainder == "smaller" and plan.size > 2 else plan.size
    players = plan.rules.players
    for seats in {smallest * plan.partners, plan.size * plan.partners}:
        if not players.min <= seats <= players.max:
            facts = {"seats": seats, "least": players.min, "most": players.max}
            raise refused("seats", "size", **facts)
    check_scale(plan.scale, plan.size)
    if plan.money:
        _check_money(plan.money)


def _check_money(money: Money) -> None:
    if not 0 <= money.fee <= MAX_FEE:
        raise refused("fee", "money", "fee", most=MAX_FEE)
    if not 0 <= money.kept <= MAX_FEE * MAX_ENTRANTS:
        raise refused("kept", "money", "kept", most=MAX_FEE * MAX_ENTRANTS)
    coin = smallest_coin(money.unit)
    for name in ("fee", "kept"):
        if getattr(money, name) % coin:
            raise refused("coin", "money", name, coin=coin)
    if money.booked and money.kept:  # what the club keeps is owed to no member
        raise refused("booked", "money", "kept")
    shares = money.shares
    falling = all(later <= earlier for earlier, later in pairwise(shares))
    if not (
        1 <= len(shares) <= MAX_PRIZES and falling and 1 <= shares[-1] <= shares[0] <= MAX_SHARE
    ):
        raise refused("shares", "money", "shares", most=MAX_PRIZES)


def refused(why: str, *path: str | int, **facts: object) -> RuleError:
    """Return the refusal of a tournament or of a change of it, with its reason."""
    return RuleError("E_TOURNAMENT", path, why=why, **facts)


# ---- stored form ---------------------------------------------------------------------

_PLAIN: Mapping[str, type] = {
    "format": str,
    "rounds": int,
    "size": int,
    "partners": int,
    "remainder": str,
    "keep_apart": bool,
    "split_clubs": bool,
    "advance": int,
    "minutes": int,
}


def encode_plan(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON values."""
    money = plan.money
    return {
        **{name: getattr(plan, name) for name in _PLAIN},
        "rules": options.encode_rules(plan.rules),
        "scale": encode_scale(plan.scale),
        "money": money
        and {
            "fee": str(money.fee),
            "unit": money.unit,
            "kept": str(money.kept),
            "shares": list(money.shares),
            "booked": money.booked,
        },
    }


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(f"no flag: {value!r:.40}")
    return value


def decode_plan(values: Mapping[str, Any]) -> Plan:
    """Return the plan of ``encode_plan``; raise ValueError for values of another kind."""
    money = values["money"]
    for name, kind in _PLAIN.items():
        if type(values[name]) is not kind:
            raise ValueError(f"{name}: {values[name]!r:.40}")
    if values["format"] not in FORMATS or values["remainder"] not in REMAINDERS:
        raise ValueError("no such format")
    return Plan(
        **{name: values[name] for name in _PLAIN},
        rules=decode_rules(values["rules"]),
        scale=decode_scale(values["scale"]),
        money=money
        and Money(
            fee=exact(money["fee"]),
            unit=money["unit"],
            kept=exact(money["kept"]),
            shares=tuple(money["shares"]),
            booked=_flag(money["booked"]),
        ),
    )
