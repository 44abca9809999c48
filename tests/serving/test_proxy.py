"""An evening over https through the proxy files of deploy/, without secrets in a log."""

import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest

from patience import PATIENCE_S
from rest import QUICK

pytestmark = pytest.mark.usefixtures("external")

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "scores.example.org"
CERTIFICATE = (
    *("openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"),
    *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"),
    *("-addext", f"subjectAltName=DNS:{NAME}"),
)
PROXIES = {"nginx": DEPLOY / "nginx.conf", "caddy": DEPLOY / "Caddyfile"}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def running(command: Sequence[object], **about: Any) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(list(map(str, command)), text=True, **about)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout:
            process.stdout.close()


@pytest.fixture
def app_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The app with the settings of the systemd unit and the container."""
    monkeypatch.setenv("SCOREKEEPER_TRUSTED_PROXIES", "1")
    monkeypatch.setenv("SCOREKEEPER_HOSTS", NAME)
    monkeypatch.setenv("LC_ALL", "C")
    data = tmp_path / "games.sqlite"
    command = (sys.executable, "-m", "scorekeeper", "serve", "--port", 0, "--data", data)
    with running(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        found = re.search(r":(\d+)$", process.stdout.readline().strip())
        assert found
        yield int(found[1])


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> str:
    """Return the name of an installed proxy."""
    for needed in (request.param, "openssl"):
        if shutil.which(needed, path="/usr/sbin:/usr/bin:/usr/local/bin") is None:
            pytest.skip(f"deploy/ is tried before a real {request.param}: apt install {needed}")
    return str(request.param)


@pytest.fixture
def https_port(proxy: str, app_port: int, tmp_path: Path) -> Iterator[int]:
    """Run the proxy with its file of deploy/, with other ports, certificate and log."""
    port = free_port()
    pem, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run([*CERTIFICATE, "-out", pem, "-keyout", key], check=True, capture_output=True)
    text = (
        PROXIES[proxy]
        .read_text(encoding="utf-8")
        .replace("127.0.0.1:8000", f"127.0.0.1:{app_port}")
    )
    text = re.sub(r"/var/log/\w+", str(tmp_path), text)
    command = {"nginx": nginx, "caddy": caddy}[proxy](text, port, tmp_path)
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    with running(command, cwd=tmp_path, env=home, stderr=subprocess.DEVNULL):
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port


def nginx(text: str, port: int, folder: Path) -> list[object]:
    text = re.sub(r"(listen )(\[::\]:)?443 ssl", rf"\g<1>127.0.0.1:{port} ssl", text, count=1)
    text = re.sub(r"\n *listen \[::\]:443.*", "", text)
    text = re.sub(r"\n *listen \[::\]:80;", "", text).replace(
        "listen 80;", f"listen 127.0.0.1:{free_port()};"
    )
    text = re.sub(rf"/etc/letsencrypt/live/{NAME}/fullchain", str(folder / "cert"), text)
    text = re.sub(rf"/etc/letsencrypt/live/{NAME}/privkey", str(folder / "key"), text)
    bodies = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; master_process off; pid {folder / 'pid'}; error_log stderr crit;\n"
        f"events {{}}\nhttp {{\n{bodies}{text}}}\n",
        encoding="utf-8",
    )
    return ["/usr/sbin/nginx", "-c", conf, "-p", folder]


def caddy(text: str, port: int, folder: Path) -> list[object]:
    pems = f"\ttls {folder / 'cert.pem'} {folder / 'key.pem'}"
    text = text.replace(f"\n{NAME} {{", f"\n{NAME}:{port} {{\n{pems}", 1)
    alone = f"{{\n\tadmin off\n\tauto_https off\n\tstorage file_system {folder}\n}}\n"
    conf = folder / "Caddyfile"
    conf.write_text(alone + text, encoding="utf-8")
    return ["caddy", "run", "--config", conf, "--adapter", "caddyfile"]


@dataclass
class Phone:
    """A browser that trusts our certificate and sends one request after the other."""

    port: int
    trusted: Path
    cookies: dict[str, str] = field(default_factory=dict)
    set_cookies: list[str] = field(default_factory=list)

    def send(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[HTTPResponse, str]:
        context = ssl.create_default_context(cafile=str(self.trusted))
        connection = HTTPConnection(NAME, self.port)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        connection.sock = context.wrap_socket(plain, server_hostname=NAME)
        known = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        headers = {"Cookie": known, "Referer": f"https://{NAME}:{self.port}/", **headers}
        with contextlib.closing(connection):
            connection.request(method, path, body.encode(), headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self.set_cookies.append(cookie)
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer, text

    def call(self, path: str, body: object, **headers: str) -> Any:
        answer, text = self.send(
            "POST",
            f"/api/v1{path}",
            json.dumps(body),
            **{"Content-Type": "application/json"},
            **headers,
        )
        assert answer.status == 201, text
        return json.loads(text)


def test_an_evening_behind_a_proxy_uses_https_and_logs_no_secret(
    https_port: int, tmp_path: Path
) -> None:
    phone = Phone(https_port, tmp_path / "cert.pem")
    players = [{"name": name} for name in "ABCD"]
    game = {"title": "Abend", "rules": {"preset": "german-family"}, "players": players}
    begun = phone.call("/games", game)
    place, pen = f"/games/{begun['id']}/rounds", f"Bearer {begun['pen']}"
    phone.call(place, QUICK, **{"Authorization": pen, "Idempotency-Key": "first"})
    form = phone.send("GET", "/enter")[1]
    token = form.split('name="csrf_token" value="')[1].split('"')[0]
    entered, _ = phone.send(
        "POST",
        "/enter",
        f"csrf_token={token}&code={begun['id']}.{begun['pen']}",
        **{"Content-Type": "application/x-www-form-urlencoded"},
    )
    board, _ = phone.send(
        "GET",
        f"/g/{begun['id']}?asked={begun['pen']}",
        Referer=f"https://{NAME}:{https_port}/enter?{begun['watch']}",
    )
    _, sharing = phone.send("GET", f"/g/{begun['id']}/share")
    metrics, _ = phone.send("GET", "/metrics")

    assert (entered.status, board.status, metrics.status) == (303, 200, 404)
    assert board.headers["Strict-Transport-Security"]
    assert {"__Host-browser", "__Host-form"} <= set(phone.cookies)
    assert all("; Secure" in cookie for cookie in phone.set_cookies)
    assert "csrf_token" in sharing
    log = wait_for(tmp_path / "scorekeeper.log", "/share")
    assert place in log and f"/g/{begun['id']}" in log
    hidden = (begun["pen"], begun["watch"], token, *phone.cookies.values(), "asked", "Bearer")
    assert [secret for secret in hidden if secret in log] == []


def wait_for(log: Path, text: str) -> str:
    """Return the content of a log once it contains a text."""
    for _ in range(100):
        if log.exists() and text in (written := log.read_text(encoding="utf-8")):
            return written
        time.sleep(0.05)
    raise AssertionError(f"no {text} in {log}")
