"""The files for Umbrel and Home Assistant are well formed and fit the image and the settings."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from scorekeeper import config

DEPLOY = Path(__file__).parents[1] / "deploy"
IMAGE = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
PORT = 8000
UMBREL = DEPLOY / "umbrel"
HOME_ASSISTANT = DEPLOY / "home-assistant"


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


@pytest.fixture
def umbrel() -> dict[str, Any]:
    (file,) = UMBREL.glob("*/umbrel-app.yml")
    app: dict[str, Any] = read(file)
    assert app["id"] == file.parent.name
    assert app["id"].startswith(f"{read(UMBREL / 'umbrel-app-store.yml')['id']}-")
    return app


@pytest.fixture
def add_on() -> dict[str, Any]:
    (file,) = HOME_ASSISTANT.glob("*/config.yaml")
    told: dict[str, Any] = read(file)
    assert told["slug"] == file.parent.name
    return told


def test_an_app_for_umbrel_has_what_the_store_shows(umbrel):
    needed = {"manifestVersion", "category", "name", "tagline", "description", "developer", "port",
              "website", "repo", "support", "gallery", "submitter", "submission"}  # fmt: skip

    assert needed <= set(umbrel)
    assert umbrel["version"] == config.VERSION


def test_umbrel_runs_the_image_as_it_is_and_keeps_its_data(umbrel):
    services = read(UMBREL / umbrel["id"] / "docker-compose.yml")["services"]
    proxy, server = services["app_proxy"]["environment"], services["server"]

    assert proxy["APP_HOST"] == f"{umbrel['id']}_server_1"
    assert proxy["APP_PORT"] == PORT and f"EXPOSE {PORT}" in IMAGE
    assert server["image"].endswith(f":{config.VERSION}")
    assert server["volumes"] == ["${APP_DATA_DIR}/data:/data"] and "VOLUME /data" in IMAGE
    assert (UMBREL / umbrel["id"] / "data").is_dir()
    assert accepted(server["environment"]) == {"HOSTS", "TRUSTED_PROXIES"}


def test_home_assistant_tells_its_path_and_copies_no_database_in_use(add_on, monkeypatch):
    for name, text in add_on["environment"].items():
        monkeypatch.setenv(name, text)

    assert {"name", "description", "arch", "version"} <= set(add_on)
    assert set(add_on["options"]) == set(add_on["schema"])
    assert add_on["ingress"] and add_on["ingress_port"] == PORT
    assert add_on["backup"] == "cold"
    assert accepted(add_on["environment"]) == {"PATH", "TRUSTED_PROXIES"}
    assert config.settings()["PATH"] == "X-Ingress-Path"


def accepted(environment: dict[str, Any]) -> set[str]:
    """Return the settings that an environment names."""
    names = {name.removeprefix("SCOREKEEPER_") for name in environment}
    assert names <= set(config.SETTINGS)
    return names


@pytest.mark.usefixtures("external")
def test_home_assistant_starts_the_server_as_the_user_of_the_image(add_on):
    folder = HOME_ASSISTANT / add_on["slug"]
    script = (folder / "run.sh").read_text(encoding="utf-8")
    (user,) = re.findall(r"^USER (\d+)$", IMAGE, re.MULTILINE)

    assert os.access(folder / "run.sh", os.X_OK)
    assert subprocess.run(["sh", "-n", folder / "run.sh"], check=False).returncode == 0
    assert f"--reuid {user} --regid {user}" in script
    assert all(f'["{name}"]' in script for name in add_on["options"])
    assert f":{add_on['version']}\n" in (folder / "Dockerfile").read_text(encoding="utf-8")
    assert add_on["version"] == config.VERSION
