"""The command that serves: addresses, invitation, folders, shutdown."""

import signal
import socket
import time

import psutil
import pytest

from commands import fetch, run
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.serving import lan


def test_serve_prints_its_address_and_its_file(served, tmp_path):
    _, output, port = served()

    assert output[0] == f"scorekeeper is running: http://127.0.0.1:{port}"
    assert str(tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite") in output[1]
    assert (tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite").is_file()
    assert fetch(port) == 200


def test_the_database_can_be_anywhere(served, tmp_path):
    elsewhere = tmp_path / "club" / "rounds.sqlite"

    _, output, port = served("--data", str(elsewhere))

    assert str(elsewhere) in output[1]
    assert fetch(port) == 200
    assert elsewhere.is_file()


def test_without_lan_no_invitation_is_printed(served):
    _, output, _ = served()

    assert len(output) == 3


def test_a_worker_is_started_ahead_of_the_first_pdf(served):
    process, _, _ = served()
    server, until = psutil.Process(process.pid), time.monotonic() + 60
    while len(server.children(recursive=True)) < 3:  # fork server, its tracker, the worker
        assert time.monotonic() < until
        time.sleep(0.05)


def test_with_lan_an_invitation_is_printed(served):
    _, output, port = served("--lan")

    invitation = "\n".join(lan.invitation("0.0.0.0", port, language("en")))
    assert output[2:-1] == invitation.splitlines()
    assert fetch(port) == 200


def test_behind_a_proxy_no_invitation_is_printed(served, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_TRUSTED_PROXIES", "1")

    _, output, _ = served("--host", "0.0.0.0")

    assert len(output) == 3


def test_the_invitation_has_address_qr_code_and_a_privacy_notice(monkeypatch):
    monkeypatch.setattr(lan, "home_address", lambda: "192.168.7.20")
    home = "http://192.168.7.20:8000"
    invitation = list(lan.invitation("0.0.0.0", 8000, language("en")))

    assert invitation == [
        f"On the home network: {home}",
        lan.qr_code(home),
        language("en")("terminal.lan_readable"),
    ]
    assert invitation[1] == invitation[1].strip("\n")


@pytest.mark.parametrize(
    ("host", "first"),
    [
        ("0.0.0.0", "This machine is not on a network at the moment."),
        ("::", "This machine is not on a network at the moment."),
        ("192.168.7.30", "On the home network: http://192.168.7.30:8000"),
        *((host, None) for host in ("127.0.0.1", "::1", "localhost")),
    ],
)
def test_only_an_address_in_the_home_network_has_an_invitation(monkeypatch, host, first):
    monkeypatch.setattr(lan, "home_address", lambda: None)

    assert next(lan.invitation(host, 8000, language("en")), None) == first


def test_a_stopped_server_leaves_a_sound_database(served, tmp_path):
    process, _, port = served()
    fetch(port)

    process.send_signal(signal.SIGTERM)

    assert process.wait(timeout=10) == 0
    data = tmp_path / "home" / "scorekeeper" / "scorekeeper.sqlite"
    assert run("check", "--data", data).exit_code == 0


def test_a_port_in_use_is_reported(tmp_path, external):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", port, "--data", tmp_path / "x.sqlite")

    assert result.exit_code == 1
    assert f"127.0.0.1:{port}" in result.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_cannot_be_made_is_reported_as_such(tmp_path):
    (tmp_path / "letter.txt").touch()
    result = run("serve", "--port", 0, "--data", tmp_path / "letter.txt" / "x.sqlite")

    assert result.exit_code == 1
    assert "letter.txt" in result.stderr
    assert "--port" not in result.stderr


@pytest.mark.parametrize(
    "command", ["serve", "check", "rebuild", "backup {}", "restore {}", "import {}"]
)
def test_a_folder_instead_of_a_file_is_refused_without_side_effects(tmp_path, command):
    (tmp_path / "data").mkdir()
    (tmp_path / "given").touch()
    arguments = command.format(tmp_path / "given").split()
    result = run(*arguments, "--data", tmp_path / "data")

    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        language("en")(
            "terminal.is_folder",
            folder=str(tmp_path / "data"),
            file=str(tmp_path / "data" / "games.sqlite"),
        )
    ]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["data", "given"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_folder_of_tables_is_refused_with_the_files_that_can_be_served(tmp_path, lang):
    for name in ("scorekeeper", "t/friday/friday", "t/club-7/club-7", "t/club-7/backups/club-7-1"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).with_suffix(".sqlite").touch()
    result = run("serve", "--port", 0, "--data", tmp_path, lang=lang)

    assert result.exit_code == 1
    assert result.stderr.splitlines()[-3:] == [
        f"--data {tmp_path / name}"
        for name in ("scorekeeper.sqlite", "t/club-7/club-7.sqlite", "t/friday/friday.sqlite")
    ]


def test_a_foreign_file_is_left_unchanged(tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear neighbour, " * 100)

    result = run("serve", "--port", 0, "--data", other)

    assert result.exit_code == 1
    assert other.read_text() == "Dear neighbour, " * 100
