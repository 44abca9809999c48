"""``python -m scorekeeper`` is the command ``scorekeeper``."""

from scorekeeper.cli import main

main(prog_name="scorekeeper")
