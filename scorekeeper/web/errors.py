"""HTTP errors with a message of their own, and what each status says to programs."""

from collections.abc import Mapping

from werkzeug.exceptions import HTTPException

from scorekeeper.domain.errors import Problem, Where

DOCS = "/api/v1/docs"
KIB = 1024
BY_STATUS: Mapping[int, tuple[str, Where]] = {
    400: ("E_BAD_REQUEST", ()),
    403: ("E_READ_ONLY", ()),
    404: ("E_NOT_FOUND", ()),
    405: ("E_METHOD", ()),
    408: ("E_TOO_SLOW", ()),
    409: ("E_CONFLICT", ()),
    412: ("E_STALE", ("If-Match",)),
    413: ("E_TOO_LARGE", ()),
    414: ("E_ADDRESS_LONG", ()),
    415: ("E_CONTENT_TYPE", ("Content-Type",)),
    428: ("E_IF_MATCH", ("If-Match",)),
    429: ("E_TOO_MANY_REQUESTS", ()),
    500: ("E_SERVER", ()),
    501: ("E_NOT_OFFERED", ()),
    503: ("E_NOT_NOW", ()),
    507: ("E_NO_ROOM", ()),
}
"""The code of a refusal that is about the request itself, and the header that it is about."""


def problem_of(status: int, root: str, **facts: object) -> Problem:
    """Return the problem that a status stands for, in an application mounted below ``root``.

    The message of 413 needs the fact ``most``: how many KiB a body may have.
    """
    code, where = BY_STATUS.get(status, BY_STATUS[500 if status >= 500 else 400])
    return Problem(code, facts | ({"docs": root + DOCS} if code == "E_BAD_REQUEST" else {}), where)


class Refusal(HTTPException):
    """An HTTP error with a message key and its facts.

    The fact ``seconds`` says when to try again.
    """

    def __init__(self, code: int, message_key: str, **facts: object) -> None:
        super().__init__(message_key)
        self.code = code
        self.message_key = message_key
        self.facts = facts

    def retry_headers(self) -> dict[str, str]:
        """Return the Retry-After header, if the refusal says when to try again."""
        return {"Retry-After": str(self.facts["seconds"])} if "seconds" in self.facts else {}
