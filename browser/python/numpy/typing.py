"""Stands in for the module of this name."""


class NDArray:
    """The type of arrays."""

    def __class_getitem__(cls, kind):
        return cls
