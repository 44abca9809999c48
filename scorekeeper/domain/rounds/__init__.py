"""A round: its facts, the checks they must pass, and its score."""
