"""Runs the segments of a model with LiteRT, in less memory than its weights take."""

from .manifest import Manifest, ManifestError, Plan, Segment, SegmentError, Tensor, load
from .runner import Report, Runner

__all__ = ["Manifest", "ManifestError", "Plan", "Report", "Runner", "Segment", "SegmentError", "Tensor", "load"]
