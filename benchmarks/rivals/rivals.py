#!/usr/bin/env python3
"""Runs one rival planner on one problem and prints what it found as JSON.

    rivals.py RIVAL PROBLEM.csv [--capacity BYTES] [--limit SECONDS]

RIVAL is "vela", the hill climb of Vela's HillClimbAllocator, or "cp-sat", OR-tools'
CP-SAT with one worker. With --capacity CP-SAT looks for any plan of at most so many
bytes, without it for the smallest; the hill climb has no such mode. The problem is in
MiniMalloc's form: the columns id, lower, upper (exclusive) and size, without alignments,
offsets and gaps.

The output has the keys rival, total (bytes), bound (bytes, what the rival has shown
that no plan goes below), proven, stopped (by the limit), cpu_seconds (user and system,
of the planning alone: without the interpreter's start and the imports) and offsets
(bytes, in the order of the rows).
"""

import argparse
import csv
import json
import math
import signal
import threading
import time
from dataclasses import dataclass


@dataclass
class Buffer:
    """A tensor: alive at the ranks start to end, both inclusive, among the moments at
    which something changes. Ranks do not change the problem, and spare a rival that
    keeps a list for every position a million empty ones."""

    start_time: int
    end_time: int
    size: int

    def get_alignment(self):
        return 1


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    extra = set(rows[0]) - {"id", "lower", "upper", "size"}
    if extra:
        raise SystemExit(f"{path}: cannot pose the columns {sorted(extra)} to a rival")
    moments = sorted({int(row[key]) for row in rows for key in ("lower", "upper")})
    rank = {moment: i for i, moment in enumerate(moments)}
    return [Buffer(rank[int(r["lower"])], rank[int(r["upper"])] - 1, int(r["size"])) for r in rows]


def load(buffers):
    """The most bytes alive at once."""
    alive = [0] * (max(b.end_time for b in buffers) + 1)
    for b in buffers:
        for t in range(b.start_time, b.end_time + 1):
            alive[t] += b.size
    return max(alive)


class Expired(Exception):
    pass


def vela(buffers, capacity, limit):
    """Vela's hill climb, which ends at the load or after its default of 99,999 iterations
    (with a memory limit above the load it would settle for less)."""
    from ethosu.vela.hillclimb_allocation import HillClimbAllocator

    def expire(*_):
        raise Expired

    if capacity:
        raise SystemExit("the hill climb is not made to stop at a capacity")
    start = time.process_time()
    signal.signal(signal.SIGPROF, expire)
    signal.setitimer(signal.ITIMER_PROF, limit)
    stopped = False
    allocator = None
    try:
        allocator = HillClimbAllocator(buffers, None, load(buffers))
        allocator.allocate()
        signal.setitimer(signal.ITIMER_PROF, 0)
    except Expired:
        stopped = True
    used = time.process_time() - start
    # best_size may be newer than the addresses when the limit interrupts the search.
    offsets = getattr(allocator, "allocated_addresses", None)
    return {"offsets": offsets, "bound": load(buffers), "stopped": stopped, "cpu_seconds": used}


def cp_sat(buffers, capacity, limit):
    """CP-SAT: rectangles that do not overlap, each at a given time, in a strip of the
    least height, or of the capacity's; the cumulative constraint is redundant and bounds
    the height."""
    from ortools.sat.python import cp_model

    start = time.process_time()
    unit = math.gcd(*(b.size for b in buffers))
    model = cp_model.CpModel()
    horizon = (capacity or sum(b.size for b in buffers)) // unit
    height = model.new_int_var(0, horizon, "height")
    times, heights, offsets = [], [], []
    for i, b in enumerate(buffers):
        size = b.size // unit
        offset = model.new_int_var(0, horizon - size, f"offset{i}")
        model.add(offset + size <= height)
        times.append(model.new_fixed_size_interval_var(b.start_time, b.end_time + 1 - b.start_time, f"time{i}"))
        heights.append(model.new_fixed_size_interval_var(offset, size, f"bytes{i}"))
        offsets.append(offset)
    model.add_no_overlap_2d(times, heights)
    model.add_cumulative(times, [b.size // unit for b in buffers], height)
    if not capacity:
        model.minimize(height)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = 10 * limit  # by the clock, should the watch fail
    done = threading.Event()
    threading.Thread(target=watch, args=(solver, done, start + limit), daemon=True).start()
    status = solver.solve(model)
    done.set()
    used = time.process_time() - start
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "offsets": [solver.value(o) * unit for o in offsets] if found else None,
        "bound": load(buffers) if capacity else round(solver.best_objective_bound) * unit,
        "stopped": status in (cp_model.FEASIBLE, cp_model.UNKNOWN),
        "cpu_seconds": used,
    }


def watch(solver, done, deadline):
    """Stops the solver once the process has used its CPU time, for its own limit goes by
    the clock, which on a busy machine is not the same for all."""
    while not done.wait(0.05):
        if time.process_time() >= deadline:
            solver.stop_search()
            return


RIVALS = {"vela": vela, "cp-sat": cp_sat}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rival", choices=RIVALS)
    parser.add_argument("problem")
    parser.add_argument("--capacity", type=int, default=0, help="bytes to fit into; 0 asks for the smallest plan")
    parser.add_argument("--limit", type=float, default=20, help="seconds of CPU time")
    args = parser.parse_args()
    buffers = read(args.problem)
    result = RIVALS[args.rival](buffers, args.capacity, args.limit)
    total = None
    if result["offsets"] is not None:
        total = max(o + b.size for o, b in zip(result["offsets"], buffers))
    print(json.dumps({"rival": args.rival, "total": total, "proven": total == result["bound"], **result}))


if __name__ == "__main__":
    main()
