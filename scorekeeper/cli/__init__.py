"""The command line: its commands and what a terminal shows."""
