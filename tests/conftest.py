"""What all tests share."""

from hypothesis import settings

settings.register_profile("scorekeeper", deadline=None, print_blob=True)
settings.load_profile("scorekeeper")
