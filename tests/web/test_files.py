"""Names of files to download."""

import pytest

from scorekeeper.web.files import MOST, content_disposition


def test_a_plain_name_is_sent_as_it_is() -> None:
    assert content_disposition("inline", "Gin 22.11.2026.pdf") == (
        'inline; filename="Gin 22.11.2026.pdf"'
    )


def test_another_name_is_sent_in_both_forms() -> None:
    assert content_disposition("attachment", "Rommé.pdf") == (
        "attachment; filename=\"Romme.pdf\"; filename*=UTF-8''Romm%C3%A9.pdf"
    )


@pytest.mark.parametrize("forbidden", ["/", "\\", '"', "\r\n", "\x00", ":", "<>"])
def test_what_file_systems_forbid_becomes_a_space(forbidden: str) -> None:
    name = content_disposition("attachment", f"Anna{forbidden}Bernd.csv")

    assert name == 'attachment; filename="Anna Bernd.csv"'


def test_a_long_name_keeps_its_end() -> None:
    header = content_disposition("attachment", "Freitag " * 30 + "22.11.2026.pdf")
    name = header.removeprefix('attachment; filename="').removesuffix('"')

    assert len(name) == MOST
    assert name.endswith("Freitag 22.11.2026.pdf")
