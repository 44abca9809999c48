"""Several phones ask for paper at once."""

import threading
from typing import Any

import pytest
from reportlab.pdfbase.ttfonts import TTFontFace

from scorekeeper.domain.presets import preset
from scorekeeper.i18n import language
from scorekeeper.pdf import blank_pad, rules_card


def test_two_papers_are_never_drawn_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, at_once = TTFontFace.makeSubset, []
    inside: set[int] = set()

    def slowly(*given: Any) -> Any:
        inside.add(threading.get_ident())
        at_once.append(len(inside))
        threading.Event().wait(0.02)
        inside.discard(threading.get_ident())
        return whole(*given)

    monkeypatch.setattr(TTFontFace, "makeSubset", slowly)
    rules, lang = preset("german-family"), language("de")
    drawings = [
        threading.Thread(target=blank_pad, args=(rules, lang, ["Anna", "Bernd"])),
        threading.Thread(target=rules_card, args=(rules, lang)),
        threading.Thread(target=rules_card, args=(rules, lang)),
    ]
    for drawing in drawings:
        drawing.start()
    for drawing in drawings:
        drawing.join()

    assert len(at_once) >= len(drawings)
    assert set(at_once) == {1}
