"""Analyzes the models of a folder, or of any path that Beam's filesystems know, and reports what limits their memory.

It writes models.parquet with a row for each model and kernel library, failures.csv with the files that are no models, and
summary.md. All other options, such as --runner, are Beam's."""

from __future__ import annotations

import argparse
import csv
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence

import apache_beam as beam
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import tflarena
from apache_beam.io.fileio import MatchAll
from apache_beam.io.filesystem import FileMetadata
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions
from tflarena.results import Analysis, Failed

KERNELS = ["reference", "cmsis-nn-mve", "esp-nn-s3"]
SIZES = [64 << 10, 256 << 10, 1 << 20]
"""Arenas in bytes for which the summary counts the models that fit."""
PERCENTILES = [10, 25, 50, 75, 90]
VERDICTS = ["REQUIRES", "WRONG RESULTS", "DOES NOT RUN", "NOT KNOWN"]
"""Verdicts without a budget. The first is that of the models that run."""
ARENAS = ["required_bytes", "smallest_bytes"]
GAINS = ["plan", "order", "tiles"]
TOP = 12
"""Rows of the tables of causes."""
BATCH = 64
"""Weight of the files of one process: one, and one more for each MiB of it, so that a batch has some 64 MiB at most."""

SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("kernels", pa.string()),  # as --kernels names the library
        ("error_kind", pa.string()),  # null for a model, as all columns below are for a file that is none
        ("error", pa.string()),
        ("verdict", pa.string()),  # REQUIRES for a model that runs
        ("file_bytes", pa.int64()),
        ("macs", pa.int64()),
        ("required_bytes", pa.int64()),  # null if it is not known
        ("head_bytes", pa.int64()),
        ("tail_bytes", pa.int64()),
        ("cause", pa.string()),  # what most of the required arena is: tensors, scratch, tail or setup
        ("operator", pa.string()),  # where the most bytes are live
        ("live_bytes", pa.int64()),
        ("smallest_bytes", pa.int64()),  # required arena of the smallest model found
        ("smallest_by", pa.string()),  # plan, order, tiles; null if none is smaller
        ("fault_operator", pa.string()),  # first reason why it does not run, or is not known
        ("fault", pa.string()),
        ("interrupted", pa.bool_()),  # whether the time limit passed first
    ]
)


class Analyze(beam.DoFn):
    """Analyzes batches of files with each kernel library, in one process for each of these."""

    def __init__(self, kernels: Sequence[str], time_limit: str) -> None:
        self.kernels, self.time_limit = kernels, time_limit

    def setup(self) -> None:
        os.environ.setdefault("GOMAXPROCS", "1")  # runners start a worker for each core

    def process(self, files: list[FileMetadata]) -> Iterator[dict[str, object]]:
        with tempfile.TemporaryDirectory() as folder:
            local = {}
            for n, f in enumerate(files):
                copy = os.path.join(folder, f"{n}.tflite")
                try:
                    with FileSystems.open(f.path) as source, open(copy, "wb") as target:
                        shutil.copyfileobj(source, target)
                except Exception as e:  # each filesystem has its own
                    yield from (failure(f.path, k, "unreadable", str(e)) for k in self.kernels)
                else:
                    local[copy] = f.path
            for k in self.kernels:
                for copy, result in zip(local, analyze(list(local), k, self.time_limit), strict=True):
                    yield row(local[copy], k, result)


def analyze(paths: list[str], kernels: str, time_limit: str) -> list[tflarena.Result | tflarena.Error]:
    """Returns the result of each file. If the process dies, the current file is a failure, and a new process analyzes the rest."""
    results: list[tflarena.Result | tflarena.Error] = []
    while len(results) < len(paths):
        try:
            results += tflarena.run("analyze", *paths[len(results) :], kernels=kernels, time_limit=time_limit, config="none", json_lines=True).results
        except tflarena.Error as e:
            results.append(e)
    return results


def failure(path: str, kernels: str, kind: str, message: str) -> dict[str, object]:
    return {"path": path, "kernels": kernels, "error_kind": kind, "error": message}


def row(path: str, kernels: str, result: tflarena.Result | tflarena.Error) -> dict[str, object]:
    """Returns the row of a result."""
    if isinstance(result, tflarena.Error):
        return failure(path, kernels, "failure", str(result))
    if isinstance(result, Failed):
        return failure(path, kernels, result.error.kind, result.error.message)
    a = result
    assert isinstance(a, Analysis)
    found = {None: a, "plan": a.with_plan, "order": a.with_order, "tiles": a.tiled}
    sizes = {by: f.required_bytes for by, f in found.items() if f and f.required_bytes is not None}
    by = min(sizes, key=sizes.__getitem__, default=None)  # the first of equals
    why = next((f for f in a.faults if f.fails), None) or next(iter(a.faults), None)
    unknown = a.arena_unknown.operators[0] if a.arena_unknown else None
    return {
        "path": path,
        "kernels": kernels,
        "verdict": a.verdict,
        "file_bytes": a.file_bytes,
        "macs": a.macs,
        "required_bytes": a.required_bytes,
        "head_bytes": a.head_bytes,
        "tail_bytes": a.tail_bytes,
        "cause": cause(a),
        "operator": a.peak and a.peak.name,
        "live_bytes": a.peak and a.peak.breadth_bytes,
        "smallest_bytes": sizes.get(by),
        "smallest_by": by,
        "fault_operator": why.operator if why else unknown and unknown.name,
        "fault": why.reason if why else unknown and unknown.reason,
        "interrupted": a.interrupted,
    }


def cause(a: Analysis) -> str | None:
    """Returns what most of the required arena is."""
    if a.required_bytes is None:
        return None
    if a.required_bytes - a.used_bytes >= 16:  # it is rounded up to a multiple of 16
        return "setup"
    if a.tail_bytes > a.head_bytes:
        return "tail"
    scratch = sum(t.size_bytes for t in a.peak.tensors if t.dtype is None) if a.peak else 0
    return "scratch" if a.peak and 2 * scratch > a.peak.breadth_bytes else "tensors"


def summary(table: pa.Table, kernels: Sequence[str]) -> str:
    """Returns the report in Markdown."""
    files = len(table["path"].unique())
    failed = len(table.filter(pc.is_valid(table["error"]))["path"].unique())
    models = {k: table.filter(pc.and_(pc.equal(table["kernels"], k), pc.is_null(table["error"]))) for k in kernels}
    run = {k: t.filter(pc.equal(t["verdict"], VERDICTS[0])) for k, t in models.items()}
    others = {k: t.filter(pc.not_equal(t["verdict"], VERDICTS[0])) for k, t in models.items()}
    smaller = {k: t.filter(pc.is_valid(t["smallest_by"])) for k, t in run.items()}
    arenas = [[k, a.split("_")[0], *percentiles(t[a])] for k, t in run.items() for a in ARENAS]
    gains = [[k, len(t), *(count(t, "smallest_by", by) for by in GAINS), *percentiles(saved(t))] for k, t in smaller.items()]
    fit = [[k, *(len(t.filter(pc.less_equal(t[a], size))) for size in SIZES for a in ARENAS)] for k, t in run.items()]
    verdicts = [[k, len(t), *(count(t, "verdict", v) for v in VERDICTS), count(t, "interrupted", True)] for k, t in models.items()]
    ranks = [f"{p} %" for p in PERCENTILES]
    return f"# Memory of {files:,} files\n\n{files - failed:,} are models. {failed:,} failed: failures.csv has the reasons.\n" + "".join(
        f"\n## {title}\n\n{text}\n\n{rows}"
        for title, text, rows in [
            ("Verdicts", "Models by verdict, and those that the time limit interrupted.", markdown(["kernels", "models", *VERDICTS, "interrupted"], verdicts)),
            ("Arenas", "Percentiles of the arenas of the models that run, in bytes: as required, and of the smallest model found.", markdown(["kernels", "arena", *ranks], arenas)),
            ("Gains", "Models that a better plan, order or tiling makes smaller, and percentiles of what it saves, in percent.", markdown(["kernels", "models", *GAINS, *ranks], gains)),
            ("Fit", "Models that run within an arena: as required, and the smallest found.", markdown(["kernels", *(f"{size >> 10:,} KiB{b}" for size in SIZES for b in ("", ", smallest"))], fit)),
            ("Limits", "The most frequent causes of the required arena, with the operator at the peak of live bytes.", frequent(run, ["cause", "operator"])),
            ("Faults", "The most frequent reasons for all other verdicts.", frequent(others, ["verdict", "fault_operator", "fault"])),
        ]
    )


def count(t: pa.Table, column: str, value: object) -> int:
    """Returns the number of rows with a value."""
    return len(t.filter(pc.equal(t[column], value)))


def percentiles(column: pa.ChunkedArray) -> list[int | None]:
    """Returns percentiles of a column, each the value of a row."""
    return pc.quantile(column, [p / 100 for p in PERCENTILES], interpolation="lower").to_pylist()


def saved(t: pa.Table) -> pa.ChunkedArray:
    """Returns how many percent of the required arena the smallest model found saves, rounded down."""
    return pc.divide(pc.multiply(pc.subtract(t["required_bytes"], t["smallest_bytes"]), 100), t["required_bytes"])


def frequent(tables: dict[str, pa.Table], columns: list[str]) -> str:
    """Returns the most frequent values of columns, with the number of rows in each table."""
    counts: dict[tuple[str, ...], list[int]] = {}
    for n, t in enumerate(tables.values()):
        for g in t.group_by(columns).aggregate([([], "count_all")]).to_pylist():
            counts.setdefault(tuple(g[c] or "" for c in columns), [0] * len(tables))[n] = g["count_all"]
    order = sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0]))
    return markdown([*tables, *(c.replace("_", " ") for c in columns)], [[*numbers, *values] for values, numbers in order[:TOP]])


def markdown(header: list[str], rows: list[list[object]]) -> str:
    """Returns a table with numbers right-aligned."""

    def cell(value: object) -> str:
        return f"{value:,}" if isinstance(value, int) else str("" if value is None else value).replace("|", "\\|")

    rule = ["--:" if rows and isinstance(rows[0][i], int) else "---" for i in range(len(header))]
    return "".join(f"| {' | '.join(r)} |\n" for r in [header, rule, *([cell(v) for v in r] for r in rows)])


def failures(table: pa.Table) -> str:
    """Returns the files that failed, with the reasons, as CSV."""
    t = table.filter(pc.is_valid(table["error"])).select(["path", "error_kind", "error"])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(t.column_names)
    writer.writerows(sorted({tuple(r.values()) for r in t.to_pylist()}))
    return text.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--input", nargs="+", required=True, metavar="PATH", help="folders, for the .tflite files below them, or patterns such as gs://bucket/models/**")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the three files are written")
    parser.add_argument("--kernels", nargs="+", default=KERNELS, metavar="NAME", help=f"kernel libraries (default: {' '.join(KERNELS)})")
    parser.add_argument("--time-limit", default="60s", help="longest time for a model (default: %(default)s)")
    args, rest = parser.parse_known_args()
    try:
        for k in args.kernels:
            tflarena.analyze("builtin:blazeface", kernels=k, time_limit=args.time_limit, config="none")
    except tflarena.Error as e:
        parser.error(str(e))
    patterns = [p if any(c in p for c in "*?[") else FileSystems.join(p, "**.tflite") for p in args.input]
    models = FileSystems.join(args.output, "models.parquet")
    with beam.Pipeline(options=PipelineOptions(rest)) as p:
        _ = (
            p
            | beam.Create(patterns)
            | MatchAll()
            | beam.Reshuffle()
            | beam.BatchElements(BATCH, BATCH, element_size_fn=lambda f: min(BATCH, 1 + (f.size_in_bytes >> 20)))
            | beam.ParDo(Analyze(args.kernels, args.time_limit))
            | beam.io.WriteToParquet(models, SCHEMA, num_shards=1, shard_name_template="")
        )
    with FileSystems.open(models) as f:
        table = pq.read_table(f)
    if not table:
        sys.exit(f"no files match {', '.join(patterns)}")
    for name, text in ("failures.csv", failures(table)), ("summary.md", summary(table, args.kernels)):
        with FileSystems.create(FileSystems.join(args.output, name), "text/plain") as f:
            f.write(text.encode())


if __name__ == "__main__":
    main()
