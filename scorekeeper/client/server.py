"""A server: games and groups on it, and questions that need neither."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from scorekeeper.client import shapes
from scorekeeper.client.games import Game, Language
from scorekeeper.client.groups import Group, people, rules_of
from scorekeeper.client.wire import WAITS, Transport, Wire, given, over_http, part

T = TypeVar("T")
Cards = str | list[str]
Measure = Literal["minus", "plus", "net"]
Mode = Literal["pairwise", "balance", "none"]


class Server:
    """Where games are kept: ``Server("http://127.0.0.1:8000", language="de")``.

    A request without an answer is sent again where that does no harm; what begins a game or
    founds a group is not, since nobody could tell two of them apart.
    """

    def __init__(
        self,
        address: str,
        *,
        language: Language = "en",
        waits: Sequence[float] = WAITS,
        transport: Transport | None = None,
    ) -> None:
        self.address = address
        self.wire = Wire(transport or over_http(address), language, waits)

    def __repr__(self) -> str:
        return f"Server({self.address!r})"

    # ---- games and groups ----------------------------------------------------------------

    def new_game(
        self,
        title: str,
        rules: shapes.Rules | str,
        players: Iterable[str],
        *,
        place: str | None = None,
        stake: shapes.Stake | None = None,
        first_dealer: int | Literal["draw"] | None = None,
    ) -> Game:
        """Begin a game; its pen and watch are known to this object alone."""
        words = given(place=place, stake=stake, first_dealer=first_dealer)
        body = given(title=title, rules=rules_of(rules), players=people(players), **words)
        return self._began("/games", body)

    def game(self, game_id: str, secret: str) -> Game:
        """A game that is there, by its pen or watch."""
        return Game(self.wire, game_id, secret)

    def import_game(self, whole: Mapping[str, Any]) -> Game:
        """Take in an exported game under new secrets."""
        return self._began("/games/import", whole)

    def found_group(
        self,
        name: str,
        members: Iterable[str] = (),
        *,
        rules: shapes.Rules | str | None = None,
        stake: shapes.Stake | None = None,
    ) -> Group:
        """Found a group; its pen and watch are known to this object alone."""
        words = given(rules=rules_of(rules), stake=stake)
        body = {"name": name, "members": people(members), **words}
        return self._founded("/groups", body)

    def group(self, group_id: str, secret: str) -> Group:
        """A group that is there, by its pen or watch."""
        return Group(self.wire, group_id, secret)

    def import_group(self, whole: Mapping[str, Any]) -> Group:
        """Take in an exported group with all its games under new secrets."""
        return self._founded("/groups/import", whole)

    # ---- rules ---------------------------------------------------------------------------

    def presets(self) -> list[shapes.Preset]:
        """All rule systems."""
        return self._get(shapes.Presets, "/presets")["presets"]

    def preset(self, name: str) -> shapes.Preset:
        """One rule system."""
        return self._get(shapes.Preset, f"/presets/{part(name)}")

    def options(self) -> list[shapes.Option]:
        """All options of the rules."""
        return self._get(shapes.Options, "/options")["options"]

    def check_rules(self, rules: shapes.Rules | str) -> shapes.RulesCheck:
        """House rules resolved, and what is different about them."""
        return self._ask(shapes.RulesCheck, "/rules/check", rules=rules_of(rules))

    # ---- the referee ---------------------------------------------------------------------

    def check_meld(
        self, cards: Cards, rules: shapes.Rules | str, *, first: bool | None = None, **about: Any
    ) -> shapes.MeldCheck:
        """Is that a meld, and which?"""
        about |= given(rules=rules_of(rules), cards=cards, first=first)
        return self._ask(shapes.MeldCheck, "/melds/check", **about)

    def arrange(
        self,
        cards: Cards,
        rules: shapes.Rules | str,
        table: Sequence[shapes.Laid | Cards] | None = None,
        **about: Any,
    ) -> shapes.Hand:
        """Set out a hand so that least is left."""
        about |= given(rules=rules_of(rules), cards=cards, table=table)
        return self._ask(shapes.Hand, "/hands/arrange", **about)

    def check_table(self, rules: shapes.Rules | str, **turn: Any) -> shapes.Turn:
        """Was that turn allowed? As before and after, or move by move."""
        return self._ask(shapes.Turn, "/table/check", rules=rules_of(rules), **turn)

    def score_round(
        self, played: shapes.Round, rules: shapes.Rules | str, players: int, **end: int | None
    ) -> shapes.Score:
        """What a round is worth; ``end_points=None``: there is no limit."""
        body = {"rules": rules_of(rules), "players": players, "round": played, **end}
        return self._ask(shapes.Score, "/rounds/score", **body)

    def settle(
        self,
        totals: Sequence[int],
        measure: Measure,
        *,
        mode: Mode | None = None,
        point_value: str | None = None,
        unit: str | None = None,
        payable: str | None = None,
        stake: str | None = None,
        winners: Sequence[int] | None = None,
    ) -> shapes.Settlement:
        """Who pays whom, from totals alone; ``winners`` share the stake of the table."""
        terms = given(mode=mode, point_value=point_value, unit=unit, payable=payable, stake=stake)
        won = given(winners=winners and list(winners))
        body = {"totals": list(totals), "measure": measure, **terms, **won}
        return self._ask(shapes.Settlement, "/settlements", **body)

    # ---- paper ---------------------------------------------------------------------------

    def pad_pdf(self, preset: str, **wishes: Any) -> bytes:
        """A blank pad: ``size``, ``up``, ``pages``, ``players``, ``names``, ``teams``, ``lang``."""
        return self.wire.call("GET", f"/pads/{part(preset)}.pdf", **wishes).body

    def rules_card_pdf(self, rules: shapes.Rules | str, lang: Language | None = None) -> bytes:
        """Rules on one page; house rules in the language of the client."""
        if isinstance(rules, str):
            return self.wire.call("GET", "/rules-card.pdf", preset=rules, lang=lang).body
        return self.wire.call("POST", "/rules-card.pdf", {"rules": rules}, again=True).body

    # ---- asking --------------------------------------------------------------------------

    def _get(self, kind: type[T], path: str) -> T:
        return self.wire.call("GET", path).read(kind)

    def _ask(self, kind: type[T], path: str, **body: Any) -> T:
        return self.wire.call("POST", path, body, again=True).read(kind)

    def _began(self, path: str, body: Any) -> Game:
        reply = self.wire.call("POST", path, body)
        told = reply.read(shapes.Opened)
        return Game(self.wire, told["id"], told["pen"], told["watch"], reply.version)

    def _founded(self, path: str, body: Any) -> Group:
        reply = self.wire.call("POST", path, body)
        told = reply.read(shapes.Founded)
        return Group(self.wire, told["id"], told["pen"], told["watch"], reply.version)
