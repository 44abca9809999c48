"""The walk over all pages is complete."""

import re

import pytest

from scorekeeper.i18n import LANGUAGES
from web.pages.walk import addresses, ending

FILES = {"pages.worker", "pages.pad_pdf", "pages.preset_card_pdf", "pages.sheet_pdf",
         "pages.settlement_pdf", "pages.card_pdf", "pages.picture", "pages.tournament_paper",
         "pages.season_pdf", "pages.season_sheet",
         "pages.group_csv", "pages.group_json", "pages.game_csv", "pages.photo_words",
         "pages.missed"}  # fmt: skip
"""Routes that are not pages."""


def test_the_walk_visits_every_page(app, played, group):
    """A new page must be added to the walk, where it is checked, enlarged and attacked."""
    doors = app.url_map.bind("localhost")
    paths = [
        path.partition("?")[0] for path in (addresses(played, group) | ending(app, group)).values()
    ]
    walked = {doors.match(path)[0] for path in paths if path != "/nowhere"}
    rules = [rule for rule in app.url_map.iter_rules() if "GET" in rule.methods]
    pages = {rule.endpoint for rule in rules if rule.endpoint.startswith("pages.")}

    assert pages - FILES == walked


@pytest.mark.parametrize("code", LANGUAGES[-1:])
def test_every_page_opens_in_the_language_added_last(code, app, anna, played, group):
    for path in (addresses(played, group) | ending(app, group)).values():
        answer = anna.get(path, **{"Accept-Language": code})

        assert answer.status_code == (404 if path == "/nowhere" else 200), path
        assert f'<html lang="{code}"' in answer.text, path


INLINE = re.compile(r"</?(?:a|b|em|span|strong)\b[^>]*>")
APART = re.compile(r"<script.*?</script>|<style.*?</style>|<[^>]+>", re.DOTALL)
GLUED = re.compile(r"\w*[a-zà-ÿ][.!?:][A-ZÀ-Ý]\w*")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_space_follows_every_sentence(code, app, anna, played, group):
    found = {}
    for name, path in (addresses(played, group) | ending(app, group)).items():
        page = anna.get(path, **{"Accept-Language": code}).text
        said = APART.sub(" ", INLINE.sub("", page))
        if glued := GLUED.findall(said):
            found[name] = glued

    assert found == {}
