"""Measured numbers beside baselines of the same run: ``make bench``."""
