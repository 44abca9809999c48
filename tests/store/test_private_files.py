"""The private files of a SQLite database: its keys, and who may read them."""

import pytest

from scorekeeper.store import open_ledger
from scorekeeper.store.links import LinkKey


def test_the_key_for_cookies_survives_a_restart_in_a_private_file(tmp_path):
    file = tmp_path / "games.sqlite"
    keys = []
    for _ in range(2):
        ledger = open_ledger(file)
        keys.append(ledger.secret_key())
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        ledger.close()

        assert set(modes.values()) == {0o600}, modes
    assert keys[0] == keys[1]


def test_the_key_of_the_links_is_in_a_file_of_its_own(path):
    ledger = open_ledger(path)
    secret = ledger.links.secret("evening", "pen", (1, "now"))
    ledger.close()
    file = path.with_name(f"{path.name}.key")
    key = file.read_text("ascii")
    again = open_ledger(path)

    assert again.links.secret("evening", "pen", (1, "now")) == secret
    assert len(key) >= 43
    assert file.stat().st_mode & 0o077 == 0
    assert key.encode() not in path.read_bytes()

    again.close()


@pytest.mark.parametrize("spoil", ["folder", "bytes", "empty"])
def test_a_key_that_cannot_be_read_makes_links_that_last_as_long_as_the_process(path, spoil):
    file = path.with_name(f"{path.name}.key")
    match spoil:
        case "folder":
            file.mkdir()
        case "bytes":
            file.write_bytes(b"\xff\xfe")
        case "empty":
            file.touch()
    ledger = open_ledger(path)
    first, second = (ledger.links.secret("evening", "pen", (n, "now")) for n in (1, 1))
    ledger.close()

    assert first == second
    assert first != LinkKey().secret("evening", "pen", (1, "now"))


def test_a_configured_key_needs_no_file(path):
    made = []
    for _ in range(2):
        ledger = open_ledger(path, link_key="configured")
        made.append(ledger.links.secret("evening", "watch", (1, "now")))
        ledger.close()

    assert len(set(made)) == 1
    assert not path.with_name(f"{path.name}.key").exists()
