"""Writes memory snapshots as PyTorch has them, from a small allocator that is simulated here, and on
standard output the figures that follow: a line of JSON for each snapshot.

usage: snapshot.py [SEED PROTOCOL OPTIONS FILE]...; OPTIONS is a comma-separated list of ring,
expandable, devices, streams, annotations, unshared and old.
"""
import json
import pickle
import random
import sys

MIB = 1 << 20


def rounded(n):
    return max((n + 511) // 512 * 512, 512)


def frames(n):
    return [{"name": "torch::lazy", "filename": "??", "line": 0},
            {"name": "forward", "filename": "/usr/lib/python3/site-packages/torch/nn/linear.py", "line": 10},
            {"name": "layer%d" % n, "filename": "/home/me/train.py", "line": n}]


stacks = [frames(n) for n in range(5)]


class Device:
    """One device: blocks lie in segments one behind the other, and their room is not used again."""

    def __init__(self, index):
        self.index, self.trace, self.time = index, [], 1_700_000_000_000_000
        self.segments, self.blocks = [], {}
        self.next = (0x7f00 + index) << 32
        self.history = []  # (reserved, requested, allocated) after each event
        self.annotations = []

    def note(self, action, addr, size, stream, stack):
        self.time += r.randrange(1, 50)
        e = {"action": action, "addr": addr, "size": size, "stream": stream, "time_us": self.time}
        e["frames"] = [dict(f) for f in stacks[stack]] if "unshared" in options else stacks[stack]
        if "old" not in options:
            e["pool_id"] = (0, 0)
        self.trace.append(e)
        self.history.append((sum(s["size"] for s in self.segments), sum(b["size"] for b in self.blocks.values()),
                             sum(rounded(b["size"]) for b in self.blocks.values())))

    def room(self, size, stream, stack):
        expandable = "expandable" in options
        for s in self.segments:
            if s["stream"] == stream and s["used"] + size <= s["size"]:
                return s
        if expandable and self.segments and self.segments[-1]["stream"] == stream:
            s = self.segments[-1]
            more = (size + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
            s["size"] += more
            self.next += more
            self.note("segment_map", s["address"] + s["size"] - more, more, stream, stack)
            return s
        total = (size + 2 * MIB - 1) // (2 * MIB) * 2 * MIB
        s = {"address": self.next, "size": total, "used": 0, "stream": stream}
        self.segments.append(s)
        self.next += total + (0 if expandable else 4 * MIB)
        self.note("segment_map" if expandable else "segment_alloc", s["address"], total, stream, stack)
        return s

    def alloc(self, size, stream):
        stack = r.randrange(len(stacks))
        s = self.room(rounded(size), stream, stack)
        addr = s["address"] + s["used"]
        s["used"] += rounded(size)
        self.blocks[addr] = {"size": size, "stream": stream, "segment": s, "stack": stack}
        self.note("alloc", addr, size, stream, stack)

    def free(self, addr):
        b = self.blocks[addr]
        self.note("free_requested", addr, b["size"], b["stream"], b["stack"])
        del self.blocks[addr]
        self.note("free_completed", addr, b["size"], b["stream"], b["stack"])
        s = b["segment"]
        if not any(x["segment"] is s for x in self.blocks.values()) and "expandable" not in options:
            self.segments.remove(s)
            self.note("segment_free", s["address"], s["size"], b["stream"], b["stack"])

    def run(self, events):
        while len(self.trace) < events:
            if self.blocks and r.random() < 0.45:
                self.free(r.choice(list(self.blocks)))
            else:
                size = r.choice([1, 100, 512, 4000, 700_000, 3 * MIB + 5, r.randrange(1, 9 * MIB)])
                self.alloc(size, r.choice([0, 11]) if "streams" in options else 0)
            if "annotations" in options and r.random() < 0.05:
                for stage in ("START", "END"):
                    self.annotations.append({"stage": stage, "name": "Optimizer.step#SGD.step", "time_us": self.time, "device": self.index})

    def segment(self, s):
        blocks = []
        for addr, b in sorted(self.blocks.items()):
            if b["segment"] is s:
                x = {"size": rounded(b["size"]), "requested_size": b["size"], "state": "active_allocated", "frames": stacks[b["stack"]]}
                if "old" in options:
                    free = addr - s["address"] - sum(y["size"] for y in blocks)
                    if free:
                        blocks.append({"size": free, "state": "inactive"})
                    x = {"size": rounded(b["size"]), "state": "active_allocated",
                         "history": [{"addr": addr, "real_size": b["size"], "frames": stacks[b["stack"]]}]}
                else:
                    x["address"] = addr
                blocks.append(x)
        return {"device": self.index, "address": s["address"], "total_size": s["size"], "stream": s["stream"], "segment_type": "large",
                "segment_pool_id": (0, 0), "is_expandable": "expandable" in options, "frames": [], "blocks": blocks}


def write(protocol, path):
    devices = [Device(i) for i in range(3 if "devices" in options else 1)]
    figures = []
    for d in devices:
        if d.index == 1:
            continue  # a device that is there, and not used
        d.run(r.randrange(50, 400))
        kept = d.trace
        if "ring" in options:
            kept = d.trace[len(d.trace) // 3:]
        history = d.history[len(d.trace) - len(kept):]
        if len(kept) < len(d.trace):
            history.insert(0, d.history[len(d.trace) - len(kept) - 1])
        d.trace = kept
        reserved = max(h[0] for h in history)
        figures.append({"device": d.index, "reserved": reserved, "requested": max(h[1] for h in history), "allocated": max(h[2] for h in history),
                        "at_peak": max(h[2] for h in history if h[0] == reserved), "end": d.history[-1][0],
                        "marks": len([a for a in d.annotations if a["stage"] == "END"])})

    snapshot = {
        "segments": [d.segment(s) for d in devices for s in d.segments],
        "device_traces": [d.trace for d in devices],
        "allocator_settings": {"expandable_segments": "expandable" in options, "roundup_power2_divisions": {}, "max_split_size": -1, "ratio": 0.5},
        "external_annotations": [a for d in devices for a in d.annotations],
    }
    with open(path, "wb") as f:
        pickle.dump(snapshot, f, protocol)
    return figures


# r and options are what the functions above use.
for seed, protocol, options, path in zip(*[iter(sys.argv[1:])] * 4):
    r, options = random.Random(int(seed)), options.split(",")
    print(json.dumps(write(int(protocol), path)))
