"""Runs models in TensorFlow Lite Micro and LiteRT and compares their outputs.

Reads one JSON request a line from standard input and answers each model of it with one
JSON line on standard output, in their order:

    {"limit": SECONDS, "models": [
        {"arena": BYTES, "model": BASE64, "inputs": [[BASE64 for each input] for each run], "outputs": N,
         "twin": BASE64, "default": BOOL}, ...]}    what LiteRT runs if not the model, with which kernels

    {"stage": "allocate" | "invoke", "error": REASON}   where TensorFlow Lite Micro stopped, how
    {"yardstick": REASON}                               why there are no outputs of LiteRT
    {"old": true}                                       outputs depend on what the arena held
    {"unequal": N, "of": N, "steps": N, "type": DTYPE}  of the output that differs most

Each model runs in a child process, which a crash or a hang ends. No model can overwrite the memory of another.

TensorFlow Lite Micro runs a model twice, in arenas that the C library filled with different
bytes.
"""

import base64
import ctypes
import json
import os
import select
import signal
import sys
import time

import numpy as np

PERTURB = -6  # M_PERTURB of mallopt, by which the C library fills what it hands out
FILLS = (0x5A, 0xC3)
ROUNDING = 5e-7  # of real numbers about 1, such as those inside a cell
libc = ctypes.CDLL(None)


class Stopped(Exception):
    """A runtime refused a model."""


def array(data, shape, dtype):
    return np.frombuffer(base64.b64decode(data), dtype=dtype).reshape(shape)


def run_tflm(request, fill, tell):
    """Returns the outputs of each run."""
    from tflite_micro import runtime

    tell("allocate")
    libc.mallopt(PERTURB, fill)
    try:
        interpreter = runtime.Interpreter.from_bytes(base64.b64decode(request["model"]), arena_size=request["arena"])
    finally:
        libc.mallopt(PERTURB, 0)
    outputs = []
    for inputs in request["inputs"]:
        tell("inputs")
        for i, data in enumerate(inputs):
            d = interpreter.get_input_details(i)
            interpreter.set_input(array(data, d["shape"], d["dtype"]), i)
        tell("invoke")
        interpreter.invoke()
        tell("outputs")
        outputs.append([interpreter.get_output(i) for i in range(request["outputs"])])
    return outputs


def run_litert(request):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES if request["default"] else OpResolverType.BUILTIN_REF
    interpreter = Interpreter(model_content=base64.b64decode(request["twin"] or request["model"]), num_threads=1,
                              experimental_op_resolver_type=kernels)
    interpreter.allocate_tensors()
    outputs = []
    for inputs in request["inputs"]:
        for d, data in zip(interpreter.get_input_details(), inputs):
            interpreter.set_tensor(d["index"], array(data, d["shape"], d["dtype"]))
        interpreter.invoke()
        outputs.append([interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()])
    return outputs


def same(a, b):
    """Says whether two runs have the same bytes."""
    return all(x.tobytes() == y.tobytes() for p, q in zip(a, b) for x, y in zip(p, q))


def difference(got, want):
    """Compares outputs of two runtimes: how many elements differ, by how much at most."""
    worst = {"unequal": 0, "of": 0, "steps": 0}
    for p, q in zip(got, want):
        for x, y in zip(p, q):
            if x.size != y.size:
                return {"yardstick": "LiteRT's output has the shape %s" % list(y.shape)}
            x, y = x.reshape(-1), y.reshape(-1)
            if x.dtype.kind == "f":
                with np.errstate(all="ignore"):
                    finite = y[np.isfinite(y)]
                    scale = np.maximum(np.abs(y), np.max(np.abs(finite)) if finite.size else 0)
                    by = np.abs(x.astype(np.float64) - y)
                    far = by / np.maximum(scale, 1e-30)
                    equal = (x == y) | (np.isnan(x) & np.isnan(y)) | (far <= 1e-5) | (by <= ROUNDING)
                    steps = np.where(equal, 0, far)
            else:
                steps = np.abs(x.astype(np.float64) - y.astype(np.float64))
                equal = steps == 0
            unequal = int(np.count_nonzero(~equal))
            most = float(np.nan_to_num(np.max(steps), nan=1e30, posinf=1e30)) if steps.size else 0
            if unequal and (most > worst["steps"] or worst["unequal"] == 0):
                worst = {"unequal": unequal, "of": int(x.size), "steps": most, "type": str(x.dtype)}
    return worst


def compare(request, tell):
    try:
        first = run_tflm(request, FILLS[0], tell)
        second = run_tflm(request, FILLS[1], tell)
    except Exception as e:
        return {"error": "%s: %s" % (type(e).__name__, e)}
    tell("litert")
    answer = {}
    if not same(first, second):
        answer["old"] = True
    try:
        want = run_litert(request)
    except Exception as e:
        text = str(e).strip().splitlines()
        return {**answer, "yardstick": text[0] if text else type(e).__name__}
    answer.update(difference(first, want))
    return answer


def child(request, pipe, log):
    """Answers a model; lines that are a word name the stage."""
    os.dup2(log, 2)
    os.dup2(log, 1)
    out = os.fdopen(pipe, "w")
    stage = ""

    def tell(word):
        nonlocal stage
        stage = word
        out.write(word + "\n")
        out.flush()

    answer = compare(request, tell)
    if "error" in answer:
        answer["stage"] = stage
        answer["error"] = reason(log) or answer["error"]
    out.write(json.dumps(answer) + "\n")
    out.flush()


def reason(log):
    """Returns the runtime's own first complaint."""
    text = os.pread(log, 4000, 0).decode("utf-8", "replace")
    lines = [l.strip() for l in text.splitlines() if l.strip() and "RecordingMicroAllocator" not in l]
    return lines[0] if lines else ""


def answer(request, limit):
    """Returns the answer to a model."""
    log = os.memfd_create("log")
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(r)
            child(request, w, log)
            code = 0
        finally:
            os._exit(code)
    os.close(w)
    stage, found, hung, buffer = "", None, False, b""
    deadline = time.monotonic() + limit
    while True:
        ready, _, _ = select.select([r], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL)
            hung = True
            break
        more = os.read(r, 1 << 16)
        if not more:
            break
        deadline = time.monotonic() + limit
        *lines, buffer = (buffer + more).split(b"\n")
        for line in lines:
            if line.startswith(b"{"):
                found = json.loads(line)
            else:
                stage = line.decode()
    os.close(r)
    status = os.waitpid(pid, 0)[1]
    text = reason(log)
    os.close(log)
    if found:
        return found
    how = "hangs" if hung else "crashes (%s)" % signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "ends"
    if stage == "litert":
        return {"yardstick": "LiteRT " + how}
    return {"stage": stage, "error": how + (": " + text if text else "")}


def main():
    import ai_edge_litert.interpreter  # before any child
    from tflite_micro import runtime  # noqa: F401

    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        request = json.loads(line)
        for model in request["models"]:
            out.write(json.dumps(answer(model, request["limit"])) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
