"""What all tests share."""

import os

from hypothesis import settings

pytest_plugins = ["bars"]

# A change is judged by the same cases however often it is asked; at home chance looks further.
settings.register_profile(
    "scorekeeper", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
settings.load_profile("scorekeeper")
