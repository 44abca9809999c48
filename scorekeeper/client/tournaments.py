"""A tournament on a server."""

from collections.abc import Sequence
from typing import Any

from . import shapes
from .books import Book, rules_body
from .games import Game, Language


class Tournament(Book):
    """The tournament of a group; entrants, rounds and tables count from 1."""

    kind = "groups"

    def create(self, **plan: Any) -> shapes.Tournament:
        """Plan it: ``format``, ``rounds``, ``rules``, ``size``, ``scale``, ``money`` ..."""
        return self._add(shapes.Tournament, "/tournament", _body(plan))

    def change(self, **plan: Any) -> shapes.Tournament:
        """Replace the plan, which is possible until the first draw."""
        return self._change(shapes.Tournament, "PUT", "/tournament", _body(plan))

    def read(self) -> shapes.Tournament:
        """Return the current state."""
        return self._get(shapes.Tournament, "/tournament")

    def standings(self, after: int | None = None) -> shapes.Standings:
        """Return the standings after a round, or with all results so far."""
        return self._get(shapes.Standings, "/tournament/standings", after=after)

    def standings_pdf(self, after: int | None = None, lang: Language | None = None) -> bytes:
        """Return the standings with all rounds on paper."""
        return self._paper("/tournament/standings.pdf", after=after, lang=lang)

    def table_cards_pdf(self, lang: Language | None = None) -> bytes:
        """Return a card for each table of the last round, with the link that writes there."""
        return self._paper("/tournament/cards.pdf", lang=lang)

    def certificates_pdf(self, lang: Language | None = None) -> bytes:
        """Return a certificate for each of the first three."""
        return self._paper("/tournament/certificates.pdf", lang=lang)

    # ---- entrants ------------------------------------------------------------------------

    def enter(self, entrants: Sequence[shapes.Entrant]) -> shapes.Tournament:
        """Let people or pairs enter."""
        return self._add(shapes.Tournament, "/tournament/entrants", {"entrants": list(entrants)})

    def withdraw(self, entrant: int) -> shapes.Tournament:
        """Let somebody leave after the round that is being played."""
        return self._change(shapes.Tournament, "DELETE", f"/tournament/entrants/{entrant}")

    def bring_back(self, entrant: int) -> shapes.Tournament:
        """Let somebody who left play on from the next round."""
        path = f"/tournament/entrants/{entrant}/return"
        return self._change(shapes.Tournament, "POST", path)

    # ---- rounds --------------------------------------------------------------------------

    def draw(self) -> shapes.Tournament:
        """Draw the next round, if the one before is closed, and begin a game at each table."""
        return self._change(shapes.Tournament, "POST", "/tournament/rounds")

    def undraw(self) -> shapes.Tournament:
        """Take back the last draw before anything was played."""
        return self._change(shapes.Tournament, "DELETE", "/tournament/rounds")

    def check_draw(self, number: int) -> shapes.DrawCheck:
        """Draw a round again from its seed, and compare."""
        return self._get(shapes.DrawCheck, f"/tournament/rounds/{number}/draw")

    def table(self, game_id: str) -> Game:
        """Return the game of a table, opened with the group's secret."""
        return Game(self.http, game_id, self.secret)

    def state_result(
        self, number: int, table: int, scores: Sequence[shapes.Stated]
    ) -> shapes.Tournament:
        """Enter or correct the final totals of a table, in the order of its entrants."""
        body = {"scores": list(scores)}
        return self._change(shapes.Tournament, "PUT", _result(number, table), body)

    def unstate_result(self, number: int, table: int) -> shapes.Tournament:
        """Remove typed totals, so that the table's game counts again."""
        return self._change(shapes.Tournament, "DELETE", _result(number, table))

    def close(self, late: bool = False) -> shapes.Tournament:
        """Close the round; late tables may hand in their results later."""
        return self._change(shapes.Tournament, "POST", "/tournament/close", {"late": late})

    def end(self) -> shapes.Tournament:
        """End the tournament before its last planned round."""
        return self._change(shapes.Tournament, "POST", "/tournament/end")


def _body(plan: dict[str, Any]) -> dict[str, Any]:
    return {**plan, "rules": rules_body(plan["rules"])} if "rules" in plan else plan


def _result(number: int, table: int) -> str:
    return f"/tournament/rounds/{number}/tables/{table}/result"
