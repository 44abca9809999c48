"""What cannot be in a round of the further systems, typed into the form: what would be right."""

import html

import pytest

from scorekeeper.i18n import LANGUAGES, language
from web.pages.conftest import Browser, words

THREE = ["Anna", "Bernd", "Claire"]
CASES = {
    "too late": (
        "kalooki",
        [{"hand__1": "10", "hand__2": "160"}, {"hand__1": "5", "absent__2": "yes"}],
        {"hand__1": "5", "hand__2": "5", "rejoin__2": "yes"},
        "E_REJOIN.too_late",
    ),
    "contract": (
        "contract-rummy",
        [],
        {"melds__0": "4H 4D 4S", "hand__1": "10", "hand__2": "5"},
        "E_CONTRACT.melds",
    ),
    "two out": (
        "scala-40",
        [],
        {"way__1": "ranks", "hand__1": "-", "hand__2": "5"},
        "E_TWO_OUT",
    ),
}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_a_sentence_says_what_would_be_right_and_nothing_is_lost(app, name, code):
    preset, good, bad, key = CASES[name]
    reader, lang = Browser(app, code), language(code)
    game = reader.begin(preset=preset, name=THREE)
    for one in good:
        assert reader.enter(game, 0, **one).status_code == 303

    refused = reader.enter(game, 0, notation="en", **bad)

    assert refused.status_code == 422
    sentence = lang(key, player="#", number=1, n=2, need="#").split("#")[-1].strip()
    assert sentence in words(html.unescape(refused.text))
    form = reader.form_in(refused)
    typed = {name.replace("__", "-"): value for name, value in bad.items()}
    typed.pop("rejoin-2", None)  # it is no longer offered
    assert {name: form.get(name) for name in typed} == typed
