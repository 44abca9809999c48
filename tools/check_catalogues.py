"""Compare the catalogues of all languages: ``python tools/check_catalogues.py``."""

import sys

from scorekeeper.i18n import catalogue_problems

problems = catalogue_problems()
print("\n".join(problems) or "catalogues: every key in every language")
sys.exit(bool(problems))
