"""A group on a server."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypedDict, Unpack

from . import shapes
from .books import Book, rules_body
from .games import Game, Language, Size
from .http import without_none
from .tournaments import Tournament


def player_list(names: Iterable[str]) -> list[shapes.Player]:
    """Return the JSON of players, clockwise."""
    return [{"name": name} for name in names]


class EveningOptions(TypedDict, total=False):
    """Options of an evening besides its players and rules."""

    title: str | None
    place: str | None
    stake: shapes.Stake | None
    first_dealer: int | Literal["draw"] | None
    training: bool | None


class Group(Book):
    """A group: its members, evenings, money and season."""

    kind = "groups"

    def read(self) -> shapes.Group:
        """Return the current state."""
        return self._get(shapes.Group, "")

    def links(self) -> shapes.Links:
        """Return the links that open the group; None for one that can only be replaced."""
        return self._get(shapes.Links, "/links")

    def rename(self, name: str) -> shapes.Group:
        """Rename the group."""
        return self._change(shapes.Group, "PATCH", "", {"name": name})

    def keep_house_rules(
        self, rules: shapes.Rules | str, stake: shapes.Stake | None = None
    ) -> shapes.Group:
        """Set the rules and the stake with which an evening begins."""
        body = without_none(rules=rules_body(rules), stake=stake)
        return self._change(shapes.Group, "PATCH", "", body)

    def history(self) -> list[shapes.GroupChangeAnswer]:
        """Return every change of the group, oldest first."""
        return self._get(shapes.GroupHistory, "/history")["changes"]

    def keep_rating(self, on: bool = True) -> shapes.Group:
        """Keep a rating of the members, by which the season can be ordered, or none any more."""
        return self._change(shapes.Group, "PATCH", "", {"rating": on})

    # ---- members -------------------------------------------------------------------------

    def add_member(self, name: str) -> shapes.Group:
        """Add a member."""
        return self._add(shapes.Group, "/members", {"name": name})

    def member(self, member: int, **span: Any) -> shapes.MemberDetails:
        """Return figures, streaks and statement of a member; ``from_``, ``to``, ``family``."""
        return self._get(shapes.MemberDetails, f"/members/{member}", **span)

    def rename_member(
        self, member: int, name: str, *, everywhere: bool | None = None
    ) -> shapes.Group:
        """Rename a member, ``everywhere`` also at all evenings so far."""
        body = without_none(name=name, everywhere=everywhere)
        return self._change(shapes.Group, "PATCH", f"/members/{member}", body)

    def retire_member(self, member: int, retired: bool = True) -> shapes.Group:
        """Retire a member, who is then not offered for new evenings, or let one come back."""
        return self._change(shapes.Group, "PATCH", f"/members/{member}", {"retired": retired})

    def erase_member(self, member: int) -> shapes.Group:
        """Erase a member's name for good; their points and money stay."""
        return self._change(shapes.Group, "DELETE", f"/members/{member}")

    # ---- evenings ------------------------------------------------------------------------

    def open_evening(
        self,
        players: Iterable[str],
        *,
        rules: shapes.Rules | str | None = None,
        **about: Unpack[EveningOptions],
    ) -> Game:
        """Begin a game of the group, with its usual rules and stake unless given."""
        body = without_none(players=player_list(players), rules=rules_body(rules), **about)
        begun = self._add(shapes.NewEveningAnswer, "/games", body)
        self.version = None  # the new evening changed the group
        return self.game(begun["id"])

    def game(self, game_id: str) -> Game:
        """Return one of the group's games, opened with the group's secret."""
        return Game(self.http, game_id, self.secret)

    def evenings(self, **query: Any) -> shapes.Evenings:
        """Return results; ``from_``, ``to``, ``family``, ``member``, ``limit``, ``offset``."""
        return self._get(shapes.Evenings, "/games", **query)

    def evening(self, game_id: str) -> shapes.EveningWithStory:
        """Return the result and the story of an evening."""
        return self._get(shapes.EveningWithStory, f"/games/{game_id}")

    def admit(
        self,
        game_id: str,
        *,
        members: Sequence[int | None] | None = None,
        training: bool | None = None,
        pen: str | None = None,
    ) -> shapes.EveningWithStory:
        """Add a game with its pen, or set its members and whether it was training."""
        body = without_none(members=members, training=training, pen=pen)
        return self._change(shapes.EveningWithStory, "PUT", f"/games/{game_id}", body)

    def release(self, game_id: str) -> shapes.Group:
        """Remove a game and reverse what it added to the balances."""
        return self._change(shapes.Group, "DELETE", f"/games/{game_id}")

    @property
    def tournament(self) -> Tournament:
        """The tournament that the group plays."""
        return Tournament(self.http, self.id, self.secret)

    # ---- money ---------------------------------------------------------------------------

    def money(self) -> shapes.Money:
        """Return balances by unit, and the fewest payments that settle them."""
        return self._get(shapes.Money, "/money")

    def statement(self, member: int | None = None) -> list[shapes.StatementEntry]:
        """Return all entries of money, or a member's."""
        return self._get(shapes.Statement, "/statement", member=member)["entries"]

    def pay(
        self, payer: int, payee: int, amount: str, unit: str, note: str | None = None
    ) -> shapes.EntryAnswer:
        """Record a payment between two members."""
        body = without_none(from_=payer, to=payee, amount=amount, unit=unit, note=note)
        return self._add(shapes.EntryAnswer, "/payments", body)

    def settle_up(self, unit: str) -> shapes.EntryAnswer:
        """Record all open payments of the version last seen as made."""
        return self._change(shapes.EntryAnswer, "POST", "/settlements", {"unit": unit})

    def agree_rate(self, unit: str, into: str, rate: str) -> shapes.Money:
        """Set the value of one unit in another."""
        return self._change(shapes.Money, "PUT", "/rates", {"unit": unit, "in": into, "rate": rate})

    def convert(self, unit: str, into: str) -> shapes.EntryAnswer:
        """Convert all balances into another unit."""
        return self._change(shapes.EntryAnswer, "POST", "/conversions", {"unit": unit, "in": into})

    def reverse(self, number: int) -> shapes.EntryAnswer:
        """Reverse an entry with a new entry."""
        return self._change(shapes.EntryAnswer, "POST", "/reversals", {"number": number})

    # ---- season, paper, files ------------------------------------------------------------

    def season(self, **query: Any) -> shapes.Season:
        """Return the season; ``by``, ``year``, ``from_``, ``to``, ``family``, ``unit``..."""
        return self._get(shapes.Season, "/season", **query)

    def season_pdf(self, size: Size = "A4", lang: Language | None = None, **query: Any) -> bytes:
        """Return the season table as PDF."""
        return self._paper("/season.pdf", size=size, lang=lang, **query)

    def season_csv(self, **query: Any) -> str:
        """Return the season table as CSV."""
        return self._paper("/season.csv", **query).decode("utf-8-sig")

    def encounters(self, **span: Any) -> list[shapes.Encounter]:
        """Return results of each pair of members against each other."""
        return self._get(shapes.Encounters, "/encounters", **span)["encounters"]

    def preview_sheet(
        self, sheet: str, *, rules: shapes.Rules | str | None = None, **about: Any
    ) -> shapes.SheetPreview:
        """Return how a CSV score sheet would be read, without storing it."""
        body = without_none(sheet=sheet, rules=rules_body(rules), **about)
        return self._add(shapes.SheetPreview, "/sheets", body, preview="true")

    def import_sheet(
        self,
        sheet: str,
        *,
        rules: shapes.Rules | str | None = None,
        stake: shapes.Stake | None = None,
        **answers: Any,
    ) -> shapes.Group:
        """Import the evenings of a CSV score sheet.

        ``answers`` are those to the questions of its preview: ``new_members``, ``left_out``,
        ``points``, ``dates``, ``existing``.
        """
        body = without_none(sheet=sheet, rules=rules_body(rules), stake=stake, **answers)
        return self._add(shapes.Group, "/sheets", body)
