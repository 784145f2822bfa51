"""Runs the segments of a model with LiteRT, in less memory than its weights take."""

try:
    from .manifest import Manifest, ManifestError, Plan, Segment, SegmentError, Tensor, load
    from .runner import Report, Runner
except ModuleNotFoundError as e:
    raise ModuleNotFoundError(f"{e}: pip install 'tflarena[stream]' installs it", name=e.name) from e

__all__ = ["Manifest", "ManifestError", "Plan", "Report", "Runner", "Segment", "SegmentError", "Tensor", "load"]
