"""The end of an evening: the winner, the payments, the story; sharing it, and the rematch."""

from collections.abc import Sequence

from flask import redirect, url_for

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.services.rematch import play_again
from scorekeeper.web import context
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import game_file
from scorekeeper.web.pages.blueprint import Answer, form_key, game_or_404, page, pages
from scorekeeper.web.pages.chart import chart
from scorekeeper.web.pages.settlement import settlement_variables
from scorekeeper.web.permissions import request_write, writable_group
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wording import pad
from scorekeeper.wording.endings import highlight_lines, how_won, set_behind, winner_names

LETTER_WIDTHS = {"m": 1.6, "w": 1.6, "M": 1.8, "W": 1.8, **dict.fromkeys("fijlrtI", 0.65)}
"""The widths of letters that differ much from an ordinary small letter."""
CAPITAL = 1.2
SIZES = {"": 5.4, "fit-7": 6.8, "fit-9": 8.4, "fit-11": 10.6, "fit-13": 12.8}
"""The classes of the winner's name, each with the width that fits a phone."""


@pages.get("/g/<game_id>/end")
def evening_end(game_id: str) -> Answer:
    """Show the winner, who pays whom and how it came about; the board while the game goes on."""
    game = game_or_404(game_id)
    if not game.is_over:
        return redirect(url_for("pages.board", game_id=game_id), 303)
    return end_page(game)


def end_page(game: Game, problems: tuple[str, ...] = ()) -> str:
    """Render that page, with why a rematch was refused."""
    lang = language()
    names = winner_names(game)
    return page(
        "end.html",
        game=game,
        names=names,
        size=size_of(names),
        winners=pad.winners(game, lang),
        how=how_won(game, lang),
        heads=pad.heads(game, lang),
        set_behind=tuple(set_behind(game, lang)),
        story=highlight_lines(game, lang),
        chart=chart(game, lang),
        picture_name=f"{game_file(game, lang)}.png",
        refusals=problems,
        **settlement_variables(game),
    )


def size_of(names: Sequence[str]) -> str:
    """Return the class at which each of these names fits one line."""
    widest = max(map(_width, names), default=0)
    return next((size for size, room in SIZES.items() if widest <= room), "fit-17")


def _width(name: str) -> float:
    return sum(LETTER_WIDTHS.get(one, CAPITAL if one.isupper() else 1) for one in name)


@pages.post("/g/<game_id>/rematch")
@limit_creation
def rematch(game_id: str) -> Answer:
    """Begin the next game at the same table: the same players, the next dealer."""
    group_id = writable_group(game_id)  # adds its pen to what the write checks
    write = request_write(key=form_key())
    try:
        again = play_again(
            ledger(),
            ledger().game(game_id),
            write,
            group_id=group_id,
            browser=context.new_browser(),
        )
    except RuleError as error:
        game = game_or_404(game_id)
        words = tuple(language().problem(problem, game.players) for problem in error.problems)
        return end_page(game, words), 422
    return redirect(url_for("pages.board", game_id=again.game.id), 303)
