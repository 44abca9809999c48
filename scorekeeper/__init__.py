"""scorekeeper: the score of rummy games played with physical cards."""

__version__ = "0.1.0"
