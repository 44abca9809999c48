"""The PDFs and pictures of games, seasons and rule systems, for REST and pages alike."""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Literal

from scorekeeper import pdf
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.season import Season
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.services.printing import PadOrder, printed_card, printed_pad
from scorekeeper.services.statistics import season_history
from scorekeeper.services.tournaments import tournament_of
from scorekeeper.web import context
from scorekeeper.web.background import in_pool, in_pool_later
from scorekeeper.web.context import ledger
from scorekeeper.web.files import PDF, PNG, File, game_file
from scorekeeper.web.links import current_link, is_only_here, printed_link, public_address
from scorekeeper.web.permissions import group_name
from scorekeeper.wording.seasons import span_words
from scorekeeper.wording.sheet import Words
from scorekeeper.wording.tournament_paper import certificates, standings_words, table_cards

TournamentPaper = Literal["cards", "standings", "certificates"]
TOURNAMENT_PAPERS: Mapping[TournamentPaper, str] = {
    "cards": "tournament.cards",
    "standings": "tournament.now",
    "certificates": "tournament.certificates",
}
"""The paper of a tournament, with its title."""

MOST_KEPT = 128
"""Documents kept: about 30 kB each, the largest 64 kB."""


def score_sheet(game: Game, lang: Language, size: str, *, details: bool) -> File:
    """Return the score sheet; with details, every round is listed with its cards."""
    content = in_pool(
        pdf.score_sheet,
        Words(game, lang, group_name(game.id)),
        size=size,
        details=details,
        head=ledger().head(game.id),
        address=printed_link(game.id),
        found_at=public_address(),
    )
    return _document(content, game_file(game, lang))


def result_picture(game: Game, lang: Language) -> File:
    """Return the result as a picture for a chat: winner, places, chart, payments."""
    title = game.title or group_name(game.id)
    content = in_pool(pdf.evening_picture, game, lang, title=title, found_at=public_address())
    return File(content, f"{game_file(game, lang)}.png", PNG)


def statement(game: Game, settlement: Settlement, lang: Language, side: int | None) -> File:
    """Return the settlement on one page, for everyone or for one side."""
    head = ledger().head(game.id)
    content = in_pool(pdf.settlement_statement, game, settlement, lang, side=side, head=head)
    return _document(content, game_file(game, lang, lang("paper.statement")))


def card_of_game(game: Game, lang: Language) -> File:
    """Return the rules of a table on one page."""
    content = in_pool(pdf.rules_card, game.rules, lang, title=game.title)
    return _card(content, game.rules.preset, lang)


def rules_card(rules: RuleSet, lang: Language, title: str = "") -> File:
    """Return rules that no game is played by yet on one page."""
    content = in_pool_later(pdf.rules_card, rules, lang, title=title)
    return _card(content, rules.preset, lang)


def preset_card(name: str, lang: Language) -> File:
    """Return the rules of a rule system on one page."""
    return _card(_constant(printed_card, name, lang), name, lang, is_constant=True)


def _card(content: bytes, name: str, lang: Language, *, is_constant: bool = False) -> File:
    file = f"{lang.preset(name)} {lang('paper.card.title')}"
    return _document(content, file, is_constant=is_constant)


def pad(name: str, order: PadOrder, lang: Language) -> File:
    """Return a blank pad for a rule system; RuleError if it cannot be played so."""
    has_names = any(order.names)
    print_pad = in_pool_later if has_names else _constant
    content = print_pad(printed_pad, name, order, lang)
    return _document(content, f"{lang.preset(name)} {lang('file.pad')}", is_constant=not has_names)


@lru_cache(MOST_KEPT)
def _constant(job: Callable[..., bytes], *order: Hashable) -> bytes:
    """Return a document that never changes while the app runs; drawn for its first reader."""
    return in_pool_later(job, *order)


def season_table(table: Season, lang: Language, size: str) -> File:
    """Return the season table of a group."""
    history = season_history(ledger(), table.group.id, table.question.span)
    content = in_pool(pdf.season_table, table, lang, size=size, history=history)
    return _document(content, f"{table.group.name} {span_words(table.question.span, lang)}")


def tournament_paper(group: Group, what: TournamentPaper, lang: Language, upto: int) -> File:
    """Return table cards with their links, standings after a round, or certificates.

    Links are printed for holders of the pen, and only where other devices reach this address.
    """
    tournament = tournament_of(group)
    title = f"{group.name} {lang(TOURNAMENT_PAPERS[what])}"
    if what == "standings":
        words = standings_words(group, tournament, upto, lang)
        return _document(in_pool(pdf.tournament_standings, words, lang), title)
    if what == "certificates":
        certified = certificates(group, tournament, lang)
        return _document(in_pool(pdf.tournament_certificates, certified, lang), title)

    def about(game_id: str) -> tuple[int, str | None]:
        prints_link = context.right() == "pen" and not is_only_here()
        link = current_link(game_id, "pen") if prints_link else None
        return ledger().game(game_id).sheet.first_dealer, link

    cards = table_cards(group, tournament, lang, about)
    return _document(in_pool(pdf.tournament_cards, cards, lang), title)


def _document(content: bytes, name: str, *, is_constant: bool = False) -> File:
    return File(content, f"{name}.pdf", PDF, is_constant)
