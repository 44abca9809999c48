"""Reading the catalogues only as far as a command needs them."""

import pytest

from scorekeeper.i18n import LANGUAGES, catalogue


@pytest.mark.parametrize("code", LANGUAGES)
def test_areas_are_read_until_one_has_the_key(code: str) -> None:
    sentences = catalogue.Sentences(code)
    first, *_, last = (catalogue.read_area(code, area) for area in catalogue.AREAS)
    key, forms = next(iter(first.items()))

    assert sentences[key] == forms
    assert sentences == first
    assert all(sentences[key] == forms for key, forms in last.items())
    assert sentences == catalogue.read_catalogue(code)
    assert sentences["nowhere"] == ()
