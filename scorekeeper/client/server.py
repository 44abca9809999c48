"""A server: its games and groups, and the calls that need neither."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, TypeVar, Unpack

from . import shapes
from .books import rules_body
from .games import Game, Language
from .groups import Group, player_list
from .http import WAITS, HttpClient, Transport, http_transport, quote_path, without_none

T = TypeVar("T")
Cards = str | list[str]
Measure = Literal["minus", "plus", "net"]
Mode = Literal["none", "pairwise", "balance", "winner"]


class Terms(TypedDict, total=False):
    """The terms of a settlement; points are worth nothing without ``point_value``."""

    mode: Mode | None
    point_value: str | None
    unit: str | None
    payable: str | None
    stake: str | None


class Server:
    """A scorekeeper server: ``Server("http://127.0.0.1:8000", language="de")``.

    A request without an answer is sent again if it is idempotent. Creating a game or a group
    is not, so such requests are sent only once.
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
        self.http = HttpClient(transport or http_transport(address), language, waits)

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
        """Begin a game; only the returned object knows its secrets."""
        optional = without_none(place=place, stake=stake, first_dealer=first_dealer)
        body = {"title": title, "rules": rules_body(rules), "players": player_list(players)}
        return self._new_game("/games", body | optional)

    def game(self, game_id: str, secret: str) -> Game:
        """Return an existing game, opened with its pen or watch."""
        return Game(self.http, game_id, secret)

    def import_game(self, exported: Mapping[str, Any]) -> Game:
        """Import an exported game under new secrets."""
        return self._new_game("/games/import", exported)

    def new_group(
        self,
        name: str,
        members: Iterable[str] = (),
        *,
        rules: shapes.Rules | str | None = None,
        stake: shapes.Stake | None = None,
    ) -> Group:
        """Found a group; only the returned object knows its secrets.

        A stake needs rules beside it.
        """
        optional = without_none(rules=rules_body(rules), stake=stake)
        body = {"name": name, "members": player_list(members), **optional}
        return self._new_group("/groups", body)

    def group(self, group_id: str, secret: str) -> Group:
        """Return an existing group, opened with its pen or watch."""
        return Group(self.http, group_id, secret)

    def import_group(self, exported: Mapping[str, Any]) -> Group:
        """Import an exported group with all its games under new secrets."""
        return self._new_group("/groups/import", exported)

    # ---- rules ---------------------------------------------------------------------------

    def presets(self) -> list[shapes.Preset]:
        """Return all rule systems."""
        return self._get(shapes.Presets, "/presets")["presets"]

    def preset(self, name: str) -> shapes.Preset:
        """Return one rule system."""
        return self._get(shapes.Preset, f"/presets/{quote_path(name)}")

    def options(self) -> list[shapes.Option]:
        """Return all options of the rules."""
        return self._get(shapes.Options, "/options")["options"]

    def check_rules(self, rules: shapes.Rules | str) -> shapes.RulesCheck:
        """Return the resolved rules and how they differ from their preset."""
        return self._ask(shapes.RulesCheck, "/rules/check", rules=rules_body(rules))

    # ---- the referee ---------------------------------------------------------------------

    def check_meld(
        self, cards: Cards, rules: shapes.Rules | str, *, first: bool | None = None, **about: Any
    ) -> shapes.MeldCheck:
        """Return whether cards are a meld, and which."""
        about |= without_none(rules=rules_body(rules), cards=cards, first=first)
        return self._ask(shapes.MeldCheck, "/melds/check", **about)

    def arrange(
        self,
        cards: Cards,
        rules: shapes.Rules | str,
        table: Sequence[shapes.Laid | Cards] | None = None,
        **about: Any,
    ) -> shapes.Hand:
        """Return the arrangement of a hand with the fewest points left."""
        about |= without_none(rules=rules_body(rules), cards=cards, table=table)
        return self._ask(shapes.Hand, "/hands/arrange", **about)

    def check_table(self, rules: shapes.Rules | str, **turn: Any) -> shapes.Turn:
        """Return whether a turn was allowed, given before and after or move by move."""
        return self._ask(shapes.Turn, "/table/check", rules=rules_body(rules), **turn)

    def recognise(
        self, photograph: bytes, *, packs: int | None = None, jokers: int | None = None
    ) -> shapes.Photograph:
        """Return the cards in a photograph, a JPEG, PNG or WebP file, row by row."""
        deck = without_none(packs=packs, jokers=jokers)
        reply = self.http.call("POST", "/cards/recognise", photograph, idempotent=True, **deck)
        return reply.read(shapes.Photograph)

    def score_round(
        self, played: shapes.Round, rules: shapes.Rules | str, players: int, **end: int | None
    ) -> shapes.Score:
        """Return the score of a round; ``end_points=None`` means no limit."""
        body = {"rules": rules_body(rules), "players": players, "round": played, **end}
        return self._ask(shapes.Score, "/rounds/score", **body)

    def settle(
        self,
        totals: Sequence[int],
        measure: Measure,
        *,
        winners: Sequence[int] | None = None,
        **terms: Unpack[Terms],
    ) -> shapes.Settlement:
        """Return the settlement of bare totals.

        ``winners`` share the stake of the table, and the others pay them in the mode ``winner``;
        if none are named, they are those with the best total.
        """
        optional = without_none(**terms, winners=list(winners or ()) or None)
        body = {"totals": list(totals), "measure": measure, **optional}
        return self._ask(shapes.Settlement, "/settlements", **body)

    def enter_code(self, code: str) -> shapes.CodeAnswer:
        """Return what a short code opens: a game or group, its id, and its secret to watch."""
        return self._ask(shapes.CodeAnswer, "/codes", code=code)

    # ---- paper ---------------------------------------------------------------------------

    def pad_pdf(self, preset: str, **options: Any) -> bytes:
        """Return a blank pad; ``options`` are the query parameters of ``GET /pads``."""
        return self.http.call("GET", f"/pads/{quote_path(preset)}.pdf", **options).body

    def rules_card_pdf(self, rules: shapes.Rules | str, lang: Language | None = None) -> bytes:
        """Return rules on one page; house rules are in the language of the client."""
        if isinstance(rules, str):
            return self.http.call("GET", "/rules-card.pdf", preset=rules, lang=lang).body
        return self.http.call("POST", "/rules-card.pdf", {"rules": rules}, idempotent=True).body

    # ---- calls ---------------------------------------------------------------------------

    def _get(self, kind: type[T], path: str) -> T:
        return self.http.call("GET", path).read(kind)

    def _ask(self, kind: type[T], path: str, **body: Any) -> T:
        return self.http.call("POST", path, body, idempotent=True).read(kind)

    def _new_game(self, path: str, body: Any) -> Game:
        reply = self.http.call("POST", path, body)
        answer = reply.read(shapes.NewGameAnswer)
        return Game(self.http, answer["id"], answer["pen"], answer["watch"], reply.version)

    def _new_group(self, path: str, body: Any) -> Group:
        reply = self.http.call("POST", path, body)
        answer = reply.read(shapes.NewGroupAnswer)
        return Group(self.http, answer["id"], answer["pen"], answer["watch"], reply.version)
