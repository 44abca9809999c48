"""Pages write their values as Jinja does, only faster."""

from enum import StrEnum

import pytest
from flask import Flask
from jinja2 import Environment
from markupsafe import Markup

from scorekeeper.web.page_environment import PageEnvironment


class Suit(StrEnum):
    """A text of another type."""

    HEARTS = "<H>"


VALUES = ("Anna", "", """<b title="a" lang='b'> & co""", 12, -3, True, None, 1.5, Suit.HEARTS,
          Markup("<i>&amp;</i>"), ["<", 1], Flask)  # fmt: skip
SOURCE = """{% macro shown(it) %}<i>{{ it }}</i>{{ caller() if caller }}{% endmacro %}
{{ value }} {{ value ~ '&' }} {{ shown(value) }}{% call shown(value) %}{{ value }}{% endcall %}
{{ value | upper }} {% set kept %}{{ value }}<br>{% endset %}{{ kept }} {{ [value] | join("<") }}
{{ value | safe }} {{ 'x' if value }} {{ shown(1 if value) }}
{% if not (1 if value) %}none{% endif %}
{% filter lower %}{{ value }}{% endfilter %}"""


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_written_as_by_jinja(value: object) -> None:
    own = PageEnvironment(Flask("pages"), autoescape=True).from_string(SOURCE)
    usual = Environment(autoescape=True).from_string(SOURCE)

    assert own.render(value=value) == usual.render(value=value)
