"""A group on a server."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from scorekeeper.client import shapes
from scorekeeper.client.books import Book
from scorekeeper.client.games import Game, Language, Size
from scorekeeper.client.wire import given


def rules_of(rules: shapes.Rules | str | None) -> shapes.Rules | None:
    """A rule system by its name, or with house rules."""
    return {"preset": rules} if isinstance(rules, str) else rules


def people(names: Iterable[str]) -> list[shapes.Player]:
    """Who sits where, clockwise."""
    return [{"name": name} for name in names]


class Group(Book):
    """A group: its members, its evenings, its money, its season."""

    kind = "groups"

    def read(self) -> shapes.Group:
        """How it stands."""
        return self._get(shapes.Group, "")

    def rename(self, name: str) -> shapes.Group:
        """Another name."""
        return self._change(shapes.Group, "PATCH", "", {"name": name})

    def keep_house_rules(
        self, rules: shapes.Rules | str, stake: shapes.Stake | None = None
    ) -> shapes.Group:
        """What an evening begins with."""
        body = given(rules=rules_of(rules), stake=stake)
        return self._change(shapes.Group, "PATCH", "", body)

    def history(self) -> list[shapes.GroupChangeAnswer]:
        """Every change of the group's book, oldest first."""
        return self._get(shapes.GroupHistory, "/history")["changes"]

    # ---- members -------------------------------------------------------------------------

    def add_member(self, name: str) -> shapes.Group:
        """One more belongs to it."""
        return self._add(shapes.Group, "/members", {"name": name})

    def member(self, member: int, **span: Any) -> shapes.OneMember:
        """Figures, streaks, statement of one member; ``from_``, ``to``, ``family``."""
        return self._get(shapes.OneMember, f"/members/{member}", **span)

    def rename_member(self, member: int, name: str) -> shapes.Group:
        """Another name from now on."""
        return self._change(shapes.Group, "PATCH", f"/members/{member}", {"name": name})

    def erase_member(self, member: int) -> shapes.Group:
        """Erase a name for good; the numbers stay."""
        return self._change(shapes.Group, "DELETE", f"/members/{member}")

    # ---- evenings ------------------------------------------------------------------------

    def open_evening(
        self,
        players: Iterable[str],
        *,
        title: str | None = None,
        place: str | None = None,
        rules: shapes.Rules | str | None = None,
        stake: shapes.Stake | None = None,
        first_dealer: int | Literal["draw"] | None = None,
        training: bool | None = None,
    ) -> Game:
        """Begin a game of the group, as usual unless something else is said."""
        words = given(title=title, place=place, rules=rules_of(rules), stake=stake)
        more = given(training=training, first_dealer=first_dealer)
        body = given(players=people(players), **words, **more)
        begun = self._add(shapes.Begun, "/games", body)
        self.version = None  # the evening is an entry of the group's book
        return self.game(begun["id"])

    def game(self, game_id: str) -> Game:
        """One of its games, opened by the group's secret."""
        return Game(self.wire, game_id, self.secret)

    def evenings(self, **asked: Any) -> shapes.Evenings:
        """What they came to: ``from_``, ``to``, ``family``, ``member``, ``limit``, ``offset``."""
        return self._get(shapes.Evenings, "/games", **asked)

    def evening(self, game_id: str) -> shapes.ToldEvening:
        """What an evening came to, and its story."""
        return self._get(shapes.ToldEvening, f"/games/{game_id}")

    def admit(
        self,
        game_id: str,
        *,
        members: Sequence[int | None] | None = None,
        training: bool | None = None,
        pen: str | None = None,
    ) -> shapes.ToldEvening:
        """Put a game in by its own pen, or say who sat where and whether it counts."""
        body = given(members=members, training=training, pen=pen)
        return self._change(shapes.ToldEvening, "PUT", f"/games/{game_id}", body)

    def release(self, game_id: str) -> shapes.Group:
        """Take a game out, and back what it brought to the balances."""
        return self._change(shapes.Group, "DELETE", f"/games/{game_id}")

    # ---- money ---------------------------------------------------------------------------

    def money(self) -> shapes.Money:
        """Balances by unit, and the fewest payments that settle them."""
        return self._get(shapes.Money, "/money")

    def statement(self, member: int | None = None) -> list[shapes.StatementEntry]:
        """The book of money, or one member's part of it."""
        return self._get(shapes.Statement, "/statement", member=member)["entries"]

    def pay(
        self, payer: int, payee: int, amount: str, unit: str, note: str | None = None
    ) -> shapes.Entered:
        """Enter a payment between two members."""
        body = given(from_=payer, to=payee, amount=amount, unit=unit, note=note)
        return self._add(shapes.Entered, "/payments", body)

    def settle_up(self, unit: str) -> shapes.Entered:
        """Enter all open payments of the version that was seen as made."""
        return self._change(shapes.Entered, "POST", "/settlements", {"unit": unit})

    def agree_rate(self, unit: str, into: str, rate: str) -> shapes.Money:
        """What one of a unit is in another."""
        return self._change(shapes.Money, "PUT", "/rates", {"unit": unit, "in": into, "rate": rate})

    def convert(self, unit: str, into: str) -> shapes.Entered:
        """Carry all balances over into another unit."""
        return self._change(shapes.Entered, "POST", "/conversions", {"unit": unit, "in": into})

    def reverse(self, number: int) -> shapes.Entered:
        """Take an entry back by a further entry."""
        return self._change(shapes.Entered, "POST", "/reversals", {"number": number})

    # ---- season, paper, files ------------------------------------------------------------

    def season(self, **asked: Any) -> shapes.Season:
        """Who stands where: ``by``, ``year``, ``from_``, ``to``, ``family``, ``unit``..."""
        return self._get(shapes.Season, "/season", **asked)

    def season_pdf(self, size: Size = "A4", lang: Language | None = None, **asked: Any) -> bytes:
        """The same on paper."""
        return self._paper("/season.pdf", size=size, lang=lang, **asked)

    def season_csv(self, **asked: Any) -> str:
        """The same for a spreadsheet."""
        return self._paper("/season.csv", **asked).decode("utf-8-sig")

    def encounters(self, **span: Any) -> list[shapes.Encounter]:
        """Everybody against everybody."""
        return self._get(shapes.Encounters, "/encounters", **span)["encounters"]

    def preview_sheet(self, sheet: str, **about: Any) -> shapes.Understood:
        """What a typed paper sheet is understood as; nothing is stored."""
        return self._add(shapes.Understood, "/sheets", {"sheet": sheet, **about}, preview="true")

    def import_sheet(
        self,
        sheet: str,
        *,
        rules: shapes.Rules | str | None = None,
        stake: shapes.Stake | None = None,
    ) -> shapes.Group:
        """Take in the evenings of a typed paper sheet."""
        body = given(sheet=sheet, rules=rules_of(rules), stake=stake)
        return self._add(shapes.Group, "/sheets", body)
