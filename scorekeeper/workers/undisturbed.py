"""Ignores Ctrl-C, which is for the server, in every process that loads this module.

The fork server loads it before everything else, and its workers inherit what it does.
"""

import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)
