"""How templates become code: with shared globals and fast writing of plain texts."""

import re
from collections.abc import Callable, MutableMapping
from typing import Any

from flask.templating import Environment
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.utils import internalcode
from markupsafe import Markup, escape

SPECIAL = re.compile("[&<>'\"]")


def written(value: object) -> str:
    """Return a value as HTML like ``escape``, which turns even a harmless text into a ``Markup``.

    A page writes some hundred of them, and joins them at once.
    """
    if type(value) is Markup or (type(value) is str and not SPECIAL.search(value)):
        return value
    return str(value) if type(value) is int else escape(value)


class PageCode(CodeGenerator):
    """The code of a template, which writes values by ``written``."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        self.write("environment.written(")


class PageContext(Context):
    """The context of a template, which calls functions directly.

    By default each call looks whether a function wants the context as an argument. None does.
    """

    @internalcode
    def call(
        self, called: Callable[..., Any], /, *args: Any,
        _block_vars: object = None, _loop_vars: object = None, **facts: Any,
    ) -> Any:  # fmt: skip
        return called(*args, **facts)


class PageEnvironment(Environment):
    """An environment whose templates share its globals, and in which ``a if b`` may be nothing.

    By default each template has a ``ChainMap``, and every import of macros compares two of them.
    """

    code_generator_class = PageCode
    context_class = PageContext
    written = staticmethod(written)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return self.globals

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        """Complete ``a if b`` by an empty text; by default it makes an object for its message."""
        for choice in source.find_all(nodes.CondExpr):
            choice.expr2 = choice.expr2 or nodes.Const("")
        return super()._generate(source, *args, **kwargs)
