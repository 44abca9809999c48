"""Templates are compiled with the words of a language."""

from jinja2 import DictLoader, Environment

from scorekeeper.i18n import language
from scorekeeper.web.word_loader import WordLoader

SOURCE = """
<b title="{{ lang('pages.more') }}">{{ lang("list.none") if empty else lang(key) }}</b>
<i data-words="{{ lang('pages.round', number='{number}') }}"></i>
"""


def test_constant_words_need_no_look_up_when_a_page_is_shown() -> None:
    said: list[str] = []
    lang = language("fr")
    loader = WordLoader(DictLoader({"page": SOURCE}), lang)
    page = Environment(loader=loader, autoescape=True).get_template("page")

    shown = page.render(lang=said.append, empty=True)

    assert said == []
    assert f'<b title="{lang("pages.more")}">{lang("list.none")}</b>' in shown
    assert f'<i data-words="{lang("pages.round", number="{number}")}"></i>' in shown
    assert ">said</b>" in page.render(lang=lambda key: key, key="said")


def test_words_are_escaped_like_all_text() -> None:
    def odd(key: str, **facts: str) -> str:
        return f"""\\ "{key}" & 'l’été' <i>"""

    loader = WordLoader(DictLoader({"page": "{{ lang('a.b') }}"}), odd)  # type: ignore[arg-type]
    own = Environment(loader=loader, autoescape=True).get_template("page").render()
    usual = Environment(autoescape=True).from_string("{{ lang('a.b') }}").render(lang=odd)

    assert own == usual
