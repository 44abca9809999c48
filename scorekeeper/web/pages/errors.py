"""Error pages, in the reader's language and without tracebacks."""

from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.store.errors import Damaged, KeyReused, NotFound, NotSaved, OutcomeUnknown
from scorekeeper.store.rights import Withdrawn
from scorekeeper.web import observability
from scorekeeper.web.context import find_damage, has_saved, language, visible_book
from scorekeeper.web.errors import Refusal
from scorekeeper.web.pages.blueprint import page, pages, words_of

Answer = tuple[str, int] | tuple[str, int, dict[str, str]]


def error_page(status: int) -> tuple[str, int]:
    """Return the page for a status, with a general message if it has none of its own."""
    own = f"pages.error.{status}"
    words = own if own in language() else "pages.error.other"
    return _page(status, language()(words)), status


def http_error(error: HTTPException) -> Response | Answer:
    """Return the page for an HTTP error; redirects of the router pass through."""
    if isinstance(error, InternalServerError) and (found := find_damage()):
        return damaged(found)
    if error.code is None or error.code < 400:
        return error.get_response()
    if isinstance(error, Refusal):
        message = language()(error.message_key, **error.facts)
        return _page(error.code, message), error.code, error.retry_headers()
    return error_page(error.code)


def damaged(error: Damaged) -> tuple[str, int]:
    """Return the page for a damaged game or group; all others still work."""
    return _page(503, error.problem), 503


def _page(status: int, message: str | Problem) -> str:
    """Render a message or finding; for a server error also the id under which it was logged.

    If the change was saved before the error, the message says that instead. The page leads back
    to the game or group that it is about.
    """
    book, number = visible_book(), observability.request_id() if status >= 500 else ""
    if status >= 500 and has_saved():
        message = Problem("E_SAVED")
    if isinstance(message, Problem):
        message = words_of(message, book.players if isinstance(book, Game) else ())
    return page("error.html", status=status, message=message, number=number, book=book)


@pages.errorhandler(NotFound)
def _not_found(error: NotFound) -> tuple[str, int]:
    return error_page(404)


@pages.errorhandler(Withdrawn)
def _withdrawn(error: Withdrawn) -> tuple[str, int]:
    return error_page(403 if error.left else 404)


@pages.errorhandler(RuleError)
def _refused(error: RuleError) -> tuple[str, int]:
    return _page(422, error.problems[0]), 422


@pages.errorhandler(KeyReused)
def _key_reused(error: KeyReused) -> tuple[str, int]:
    return error_page(422)


@pages.errorhandler(NotSaved)
def _not_saved(error: NotSaved) -> tuple[str, int]:
    observability.report(error)
    if isinstance(error, OutcomeUnknown):
        return _page(503, Problem("E_OUTCOME_UNKNOWN")), 503
    return error_page(507 if error.disk_full else 503)
