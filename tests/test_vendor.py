"""Vendored files of others are unchanged."""

import hashlib
from pathlib import Path

VENDOR = Path(__file__).with_name("vendor")
OURS = {"README.md", "SHA256SUMS"}


def test_every_vendored_file_matches_its_checksum_and_is_documented():
    sums = dict(line.split()[::-1] for line in (VENDOR / "SHA256SUMS").read_text().splitlines())
    files = {file.name: file for file in VENDOR.iterdir() if file.name not in OURS}
    about = (VENDOR / "README.md").read_text(encoding="utf-8")

    assert sums == {
        name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files.items()
    }
    assert all(f"`{name}`" in about for name in files)
