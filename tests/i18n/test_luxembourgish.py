"""Luxembourgish: the n that a word loses before most consonants (*Eifeler Regel*)."""

from scorekeeper.i18n import language


def test_luxembourgish_drops_the_n_before_most_consonants() -> None:
    lb = language("lb")

    assert lb.all_of(["Anna", "Bernd"]) == "Anna a Bernd"
    assert lb.all_of(["Bernd", "Anna"]) == "Bernd an Anna"
    assert "vu Claire" in lb("E_FIRST_MIN", player="Claire", reached=27, needed=30)
    assert "vun Dieter" in lb("E_FIRST_MIN", player="Dieter", reached=27, needed=30)


def test_luxembourgish_drops_the_n_before_numbers_as_they_are_spoken() -> None:
    """*Vun eelef*, but *vu véierzéng* and *vu véieranzwanzeg*."""
    lb = language("lb")
    kept = {
        number
        for number in (*range(31), 40, 42, 100, 400, 1000, 4000, 14000, 32000)
        if lb("season.of", part=1, whole=number).endswith(f" vun {number}")
    }

    assert kept == {
        *(0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 18, 19, 20, 21, 22, 23, 28, 29, 30),
        *(42, 100, 1000, 32000),
    }
