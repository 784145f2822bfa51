"""Plans the arena memory of TensorFlow Lite models.

The functions run the command tflarena and return its JSON as dataclasses (tflarena.results). Keyword arguments are its
flags: tflarena.check("model.tflite", max_arena="128K", target="esp32-s3"). tflarena.stream runs models in segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .binary import Error
    from .command import Document, analyze, check, fit, frontier, plan, replay, run
    from .result import Result

__all__ = ["Document", "Error", "Result", "analyze", "check", "fit", "frontier", "plan", "replay", "run"]


def __getattr__(name: str) -> Any:
    """Loads the module when it is used first, because the command line, which only starts the binary, does not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import command

    return getattr(command, name)
