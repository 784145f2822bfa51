"""What the results of all commands have in common."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from .binary import Error
from .call import Call, failure

# The commands whose picture is a memory map, and takes no more time than the result itself.
MAPPED = {"analyze", "plan", "replay"}

# The fields whose figures a notebook shows as well.
PARTS = ("before", "after", "budgets", "devices")


class Result:
    """Result of one input. Notebooks show its verdict, its figures and, for analyze, plan and replay, the memory map."""

    _call: Call | None = None

    def svg(self) -> str:
        """Runs the command again and returns its picture as SVG.

        Raises Error if the command makes no picture of this result."""
        if self._call is None:
            raise ValueError("only a result of a command has a picture")
        done = self._call.run(output="svg=-")
        if not done.stdout:
            raise failure(done, "no picture was drawn")
        return done.stdout.decode()

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(n)}</th><td>{html.escape(v)}</td></tr>" for n, v in figures(self))
        picture = ""
        if self._call is not None and self._call.command in MAPPED:
            try:  # as an image, because styles and scripts of an image do not reach the page
                data = base64.b64encode(self.svg().encode()).decode()
                picture = f'<img alt="memory map" src="data:image/svg+xml;base64,{data}">'
            except Error:
                pass  # for example several models, or shared objects, which have no map
        return f"<table>{rows}</table>{picture}"


def figures(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Returns the names and the values of the verdict and of all bytes."""
    for field in fields(value):
        item = getattr(value, field.name)
        name = prefix + field.name.removesuffix("_bytes").replace("_", " ")
        if field.name in PARTS:
            for part in item if isinstance(item, list) else [item]:
                yield from figures(part, f"{name} " if part is item else prefix)
        elif item is not None and field.name in ("input", "verdict"):
            yield name, item
        elif isinstance(item, int) and field.name.endswith("_bytes"):
            yield name, f"{item:,} B"
