"""A game on a server."""

from typing import Literal, Unpack

from . import shapes
from .books import Book
from .http import headers_of, without_none

Size = Literal["A4", "A5"]
Language = Literal["de", "en", "lb", "fr"]


class Game(Book):
    """A game: record and correct its rounds, settle it, print it."""

    kind = "games"

    def read(self) -> shapes.Game:
        """Return the current state."""
        return self._get(shapes.Game, "")

    def rename(self, title: str | None = None, place: str | None = None) -> shapes.Game:
        """Change title or place."""
        return self._change(shapes.Game, "PATCH", "", without_none(title=title, place=place))

    def correct_frame(self, **changes: Unpack[shapes.GameChange]) -> shapes.Game:
        """Correct names, date, dealers, order, house rules or stake; all of it is one change."""
        return self._change(shapes.Game, "PATCH", "", changes)

    def throw_away(self) -> shapes.Game:
        """Throw the evening away; after 30 days it is erased with its links."""
        return self._change(shapes.Game, "PATCH", "", {"thrown_away": True})

    def bring_back(self) -> shapes.Game:
        """Bring back an evening that was thrown away."""
        return self._change(shapes.Game, "PATCH", "", {"thrown_away": False})

    def give_points(
        self, side: int, *, minus: int = 0, plus: int = 0, start: bool = False, note: str = ""
    ) -> shapes.Game:
        """Give points without a round: a starting score, a penalty, a present."""
        body = {"side": side, "start": start, "minus": minus, "plus": plus, "note": note}
        return self._change(shapes.Game, "POST", "/points", body)

    def take_back_points(self, number: int) -> shapes.Game:
        """Take back points, by the number that the game lists them with."""
        return self._change(shapes.Game, "DELETE", f"/points/{number}")

    def add_player(self, name: str, *, in_place_of: int | None = None) -> shapes.Game:
        """Add a player to the game, perhaps in the place of one who leaves, by seat."""
        player = without_none(name=name, in_place_of=in_place_of)
        return self._change(shapes.Game, "PATCH", "", {"player": player})

    def erase_player(self, seat: int) -> shapes.Game:
        """Erase a player's name for good; their points stay."""
        return self._change(shapes.Game, "DELETE", f"/players/{seat}")

    def end(self) -> shapes.Game:
        """End the game before its limit is reached."""
        return self._change(shapes.Game, "PATCH", "", {"over": True})

    def reopen(self) -> shapes.Game:
        """Continue a game that was ended."""
        return self._change(shapes.Game, "PATCH", "", {"over": False})

    # ---- sharing -------------------------------------------------------------------------

    def links(self) -> shapes.GameLinks:
        """Return the links that open the game; None for one that can only be replaced."""
        return self._get(shapes.GameLinks, "/links")

    def print_code(self) -> str:
        """Print score sheets with a new code from now on, and return its secret to read."""
        return self._replace("paper")

    def withdraw_paper(self) -> shapes.Game:
        """Refuse the codes on printed score sheets, and print no more of them."""
        return self._read(shapes.Game, self._call("DELETE", "/secrets/paper", idempotent=True))

    # ---- rounds --------------------------------------------------------------------------

    def record(self, played: shapes.Round, key: str | None = None) -> shapes.RoundAnswer:
        """Record a round; with a ``key`` of your own, even another process can safely repeat it."""
        return self._add(shapes.RoundAnswer, "/rounds", played, key)

    def preview(self, played: shapes.Round) -> shapes.Score:
        """Return the score that a round would get, without recording it."""
        return self._call("POST", "/rounds/preview", played, idempotent=True).read(shapes.Score)

    def round(self, number: int) -> shapes.RoundAnswer:
        """Return the facts and the score of a round."""
        return self._get(shapes.RoundAnswer, f"/rounds/{number}")

    def correct(self, number: int, played: shapes.Round) -> shapes.RoundAnswer:
        """Correct a round; the previous entry stays in the history."""
        return self._change(shapes.RoundAnswer, "PUT", f"/rounds/{number}", played)

    def insert(self, number: int, played: shapes.Round) -> shapes.RoundAnswer:
        """Insert a missed round before the one of this number."""
        return self._change(shapes.RoundAnswer, "POST", f"/rounds/{number}/insert", played)

    def strike(self, number: int) -> shapes.RoundAnswer:
        """Strike a round out, so that it no longer counts."""
        return self._change(shapes.RoundAnswer, "DELETE", f"/rounds/{number}")

    def restore(self, number: int) -> shapes.RoundAnswer:
        """Make a struck round count again."""
        return self._change(shapes.RoundAnswer, "POST", f"/rounds/{number}/restore")

    def history(self) -> list[shapes.Change]:
        """Return every change, oldest first."""
        return self._get(shapes.History, "/history")["changes"]

    def story(self) -> shapes.Story:
        """Return who has won, or leads, and the moments that decided it."""
        return self._get(shapes.Story, "/story")

    def rematch(self) -> "Game":
        """Begin the next game at the same table; a game of a group is opened by its secret."""
        path, headers = f"/games/{self.id}/rematch", headers_of(self.secret, None, None)
        reply = self.http.call("POST", path, headers=headers)
        begun = reply.read(shapes.Rematch)
        secret, watch = begun["pen"] or self.secret, begun["watch"] or ""
        return Game(self.http, begun["id"], secret, watch, reply.version)

    def recognise(self, photograph: bytes) -> shapes.Photograph:
        """Return the cards in a photograph of cards of this game's deck, row by row."""
        reply = self._call("POST", "/cards/recognise", photograph, idempotent=True)
        return reply.read(shapes.Photograph)

    # ---- money and paper -----------------------------------------------------------------

    def settlement(self) -> shapes.Settlement:
        """Return balances, amounts and payments."""
        return self._get(shapes.Settlement, "/settlement")

    def mark_paid(self, number: int, paid: bool = True) -> shapes.Settlement:
        """Mark a payment of the settlement (counted from 0) as paid or unpaid."""
        path = f"/settlement/transfers/{number}"
        return self._change(shapes.Settlement, "PUT", path, {"paid": paid})

    def sheet_pdf(
        self, size: Size = "A4", *, details: bool = False, lang: Language | None = None
    ) -> bytes:
        """Return the score sheet; ``details`` adds every round with its cards."""
        return self._paper("/sheet.pdf", size=size, details=details, lang=lang)

    def settlement_pdf(self, side: int | None = None, *, lang: Language | None = None) -> bytes:
        """Return the settlement on one page, for everyone or for one side."""
        return self._paper("/settlement.pdf", side=side, lang=lang)

    def picture(self, lang: Language | None = None) -> bytes:
        """Return the result as a picture for a chat, a PNG file."""
        return self._paper("/picture.png", lang=lang)

    def rules_card_pdf(self, lang: Language | None = None) -> bytes:
        """Return the rules of the game on one page."""
        return self._paper("/rules-card.pdf", lang=lang)
