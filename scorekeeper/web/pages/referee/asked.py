"""The round that the referee is asked about: its row of the plan, and the rank that was cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from scorekeeper.domain.cards.card import Rank, card_named
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import PlanRow
from scorekeeper.i18n import Language
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.entry.fields import Fields, wild_ranks


@dataclass(frozen=True)
class AskedRound:
    """What a form says about the round, and what it may say."""

    rules: RuleSet
    """The rules of the round."""
    facts: Mapping[str, Any]
    """What a question says about the round (wire/referee.py)."""
    rows: Sequence[tuple[int, str]] = ()
    """The rows of the plan, with their words."""
    wilds: Sequence[tuple[Rank | None, str]] = ()
    """The ranks that may have been cut, each with its name in the form."""
    open_row: str = ""
    """The catalogue key of the option for no row; empty if a row is always chosen."""
    chosen: Mapping[str, str] = field(default_factory=dict)
    """What was chosen, for the form of the next question."""

    @property
    def row(self) -> int | None:
        """The row of the plan, if it is known."""
        return self.facts.get("plan_row")

    @property
    def planned(self) -> PlanRow | None:
        """That row itself, if the plan has it."""
        plan, row = self.rules.round.plan, self.row
        return plan[row - 1] if row and row <= len(plan) else None

    @property
    def query(self) -> str:
        """What was chosen, to be added to the address of another question."""
        return f"&{urlencode(self.chosen)}" if self.chosen else ""


def asked_round(rules: RuleSet, form: Fields, game: Game | None, lang: Language) -> AskedRound:
    """Return the round of a question: in a running game the coming one, unless another is chosen.

    A wild rank is asked for only where it is cut, since a plan says it by itself.
    """
    facts: dict[str, Any] = {}
    chosen = {} if game else {"preset": rules.preset}
    if game:
        facts["players"] = len(game.sheet.expected)
    row, wild = whole_or_none(form.get("plan_row", "")), form.get("wild", "")
    plan, wilds = rules.round.plan, wild_ranks() if rules.wild.rank == "cut" else []
    coming = _coming(game, form) if game else None
    if plan and row:
        facts["plan_row"] = row
        chosen |= {"plan_row": str(row)} if row != coming else {}
    elif coming:
        facts["plan_row"] = coming
    if wild in [letter for _, letter in wilds]:
        facts["wild"] = chosen["wild"] = wild
    asked = AskedRound(rules, facts)
    cut = card_named(wild) if "wild" in facts else None
    return AskedRound(
        rules.for_round(facts.get("players", rules.players.max), asked.planned, cut),
        facts,
        list(_rows(rules, game, lang)),
        wilds,
        _open(rules, game, form),
        chosen,
    )


def _coming(game: Game, form: Fields) -> int | None:
    """Return the row of the next round; where everybody has their own, that of the player."""
    row, seat = game.sheet.next_deal.plan_row, whole_or_none(form.get("who", ""))
    if isinstance(row, tuple):
        return row[seat] if seat is not None and seat < len(row) else None
    return row


def _open(rules: RuleSet, game: Game | None, form: Fields) -> str:
    if game and rules.round.plan_by == "table" and _coming(game, form):
        return ""
    by_player = game and rules.round.plan_by == "player" and form.get("ask") == "turn"
    return "referee.round.own" if by_player else "pages.entry.not_said"


def _rows(rules: RuleSet, game: Game | None, lang: Language) -> Sequence[tuple[int, str]]:
    """Return the rows of the plan in words, with the players whose own row it is."""
    own = game.sheet.next_deal.plan_row if game else None
    rows = []
    for number, row in enumerate(rules.round.plan, 1):
        words = f"{number}{lang.sign(':')} {lang.plan_row(row._replace(deal=None))}"
        seats = own if isinstance(own, tuple) else ()
        names = [game.players[seat] for seat, one in enumerate(seats) if game and one == number]
        rows.append((number, f"{words} ({', '.join(names)})" if names else words))
    return rows
