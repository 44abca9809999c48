"""``python -m scorekeeper`` is the command ``scorekeeper``."""

from scorekeeper.cli.commands import main

main(prog_name="scorekeeper")
