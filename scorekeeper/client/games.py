"""A game on a server."""

from typing import Literal

from scorekeeper.client import shapes
from scorekeeper.client.books import Book
from scorekeeper.client.wire import given

Size = Literal["A4", "A5"]
Language = Literal["de", "en", "lb"]


class Game(Book):
    """A game: write its rounds, correct them, settle it, print it."""

    kind = "games"

    def read(self) -> shapes.Game:
        """How it stands."""
        return self._get(shapes.Game, "")

    def rename(self, title: str | None = None, place: str | None = None) -> shapes.Game:
        """Another title or place."""
        return self._change(shapes.Game, "PATCH", "", given(title=title, place=place))

    def add_player(self, name: str) -> shapes.Game:
        """One more sits down."""
        return self._change(shapes.Game, "PATCH", "", {"player": {"name": name}})

    def erase_player(self, seat: int) -> shapes.Game:
        """Erase a name for good; the numbers stay."""
        return self._change(shapes.Game, "DELETE", f"/players/{seat}")

    def end(self) -> shapes.Game:
        """It is over, whatever the rules say."""
        return self._change(shapes.Game, "PATCH", "", {"over": True})

    def reopen(self) -> shapes.Game:
        """It goes on after all."""
        return self._change(shapes.Game, "PATCH", "", {"over": False})

    # ---- rounds --------------------------------------------------------------------------

    def record(self, played: shapes.Round, key: str | None = None) -> shapes.RoundAnswer:
        """Write a round; a key of one's own lets it be told twice, even by another program."""
        return self._add(shapes.RoundAnswer, "/rounds", played, key)

    def preview(self, played: shapes.Round) -> shapes.Score:
        """What a round would be worth; nothing is stored."""
        return self._call("POST", "/rounds/preview", played, again=True).read(shapes.Score)

    def round(self, number: int) -> shapes.RoundAnswer:
        """One round as it was declared, and what it was worth."""
        return self._get(shapes.RoundAnswer, f"/rounds/{number}")

    def correct(self, number: int, played: shapes.Round) -> shapes.RoundAnswer:
        """Write a round again; what stood there stays in the history."""
        return self._change(shapes.RoundAnswer, "PUT", f"/rounds/{number}", played)

    def strike(self, number: int) -> shapes.RoundAnswer:
        """Strike a round out: it counts for nothing."""
        return self._change(shapes.RoundAnswer, "DELETE", f"/rounds/{number}")

    def restore(self, number: int) -> shapes.RoundAnswer:
        """Let a struck round count again."""
        return self._change(shapes.RoundAnswer, "POST", f"/rounds/{number}/restore")

    def history(self) -> list[shapes.Change]:
        """Every change, oldest first."""
        return self._get(shapes.History, "/history")["changes"]

    # ---- money and paper -----------------------------------------------------------------

    def settlement(self) -> shapes.Settlement:
        """Who pays whom."""
        return self._get(shapes.Settlement, "/settlement")

    def mark_paid(self, number: int, paid: bool = True) -> shapes.Settlement:
        """Tick a payment of the settlement, counted from 0, or take the tick back."""
        path = f"/settlement/transfers/{number}"
        return self._change(shapes.Settlement, "PUT", path, {"paid": paid})

    def sheet_pdf(
        self, size: Size = "A4", *, details: bool = False, lang: Language | None = None
    ) -> bytes:
        """The score sheet; with details every round with its cards."""
        return self._paper("/sheet.pdf", size=size, details=details, lang=lang)

    def settlement_pdf(self, side: int | None = None, *, lang: Language | None = None) -> bytes:
        """The settlement on one page, for all or for one."""
        return self._paper("/settlement.pdf", side=side, lang=lang)

    def rules_card_pdf(self, lang: Language | None = None) -> bytes:
        """The rules of this table on one page."""
        return self._paper("/rules-card.pdf", lang=lang)
