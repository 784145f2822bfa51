"""Runs models in the real runtimes and reports memory and outputs.

Reads one JSON request a line from standard input and answers each with one JSON
line on standard output:

    {"runtime": "tflm" | "litert", "model": PATH, "arena": BYTES,
     "inputs": N, "outputs": N, "seed": N, "invokes": N,
     "linear": true,            tensors share no memory at all
     "in_place": true}          LiteRT says which outputs lie where an input does

    {"head": BYTES, "tail": BYTES, "total": BYTES,
     "outputs": [[SHA256, ...] for each invoke],
     "in_place": [[OPERATOR, INPUT], ...]}     operator and tensor index
    {"error": REASON}

    {"runtime": "tflm-allocate", "model": PATH, "arenas": [BYTES, ...],
     "inputs": N, "outputs": N, "seed": N, "invokes": N,
     "decompression": BYTES}    of alternate decompression memory

    {"results": [TEXT, ...]}    for each arena: "" for a failure, or "allocated" and digests of the outputs

    {"runtime": "litert-shapes", "model": PATH, "shapes": [[DIMENSION, ...] for each input], "seed": N, "invokes": N}

    {"shapes": [[DIMENSION, ...] for each tensor of the first subgraph],
     "dynamic": [TENSOR, ...],                 those that had no shape before a run
     "outputs": [[SHA256, ...]]}               where N is above 0, with zeros for inputs for seed 0

    {"runtime": "litert-chain", "model": PATH, "seed": N, "graph": [[INPUT, ...], [OUTPUT, ...]],
     "parts": [{"model": PATH, "inputs": [TENSOR, ...], "outputs": [TENSOR, ...]}, ...]}

    {"outputs": [[SHA256, ...]]}               of the parts, run one after another

Inputs are pseudo-random from the seed, the same for both runtimes. A crash of a
runtime ends the process; the caller sees that no answer came.
"""

import hashlib
import json
import os
import re
import struct
import sys
import tempfile

import numpy as np


class Captured:
    """Collects what C code writes to file descriptor 2."""

    def __enter__(self):
        sys.stderr.flush()
        self.saved = os.dup(2)
        self.file = tempfile.TemporaryFile()
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        os.dup2(self.saved, 2)
        os.close(self.saved)
        self.file.seek(0)
        self.text = self.file.read().decode("utf-8", "replace")
        self.file.close()


def value(rng, shape, dtype):
    """Returns an input of any type the runtimes take."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, size=shape).astype(dtype)
    if dtype.kind in "iu":
        # Indexes and sizes are integers too: wide types stay small, so that an
        # operator that takes them as such stays inside its tensors.
        low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.itemsize == 1 else (0, 2)
        return rng.integers(low, high, size=shape, endpoint=True).astype(dtype)
    return rng.uniform(-1, 1, size=shape).astype(dtype)


def digest(array):
    array = np.ascontiguousarray(array)
    # The elements of an array of strings are pointers.
    data = repr(array.tolist()).encode() if array.dtype == object else array.tobytes()
    return hashlib.sha256(str((array.dtype, array.shape)).encode() + data).hexdigest()


def sizes(interpreter):
    """Returns the sizes of the arena's parts, which only recording allocators know."""
    with Captured() as log:
        interpreter.print_allocations()
    find = lambda name: re.search(r"Arena allocation %s (\d+) bytes" % name, log.text).group(1)
    return {name: int(find(name)) for name in ("total", "head", "tail")}


def run_tflm(request):
    from tflite_micro import runtime

    config = runtime.InterpreterConfig.kAllocationRecording
    if request.get("linear"):
        config = runtime.InterpreterConfig.kPreserveAllTensors
    with Captured() as log:
        try:
            interpreter = runtime.Interpreter.from_file(
                request["model"], arena_size=request["arena"], intrepreter_config=config,
                alt_decompression_memory_size=request.get("decompression", 0))
        except RuntimeError as e:
            interpreter, failure = None, str(e)
        except struct.error:
            return {"error": "not reached: the wheel's Python part, which looks at the model first, cannot read it"}
    if interpreter is None:
        return {"error": reason(log.text) or failure}
    answer = {} if request.get("linear") else sizes(interpreter)
    rng = np.random.default_rng(request["seed"])
    answer["outputs"] = []
    for _ in range(request["invokes"]):
        for i in range(request["inputs"]):
            d = interpreter.get_input_details(i)
            interpreter.set_input(value(rng, d["shape"], d["dtype"]), i)
        with Captured() as log:
            try:
                interpreter.invoke()
                failure = None
            except RuntimeError as e:
                failure = str(e)
        if failure:
            return {**answer, "error": "invoke: " + (reason(log.text) or failure)}
        answer["outputs"].append([digest(interpreter.get_output(i)) for i in range(request["outputs"])])
    return answer


def in_place(interpreter):
    """Returns the operators whose first output lies where one of their inputs does, or
    None where LiteRT does not know before a run where all tensors lie."""

    def address(tensor):
        # The array is gone when this returns, or else the interpreter could not run. That
        # of a scalar is a copy.
        array = interpreter.tensor(tensor)()
        return array.__array_interface__["data"][0] if array.ndim > 0 else None

    pairs = []
    for op in interpreter._get_ops_details():
        tensors = [int(t) for t in (*op["outputs"][:1], *op["inputs"]) if t >= 0]
        try:
            places = [address(t) for t in tensors]
        except ValueError:
            return None
        pairs += [[int(op["index"]), t] for t, place in dict(zip(tensors[1:], places[1:])).items()
                  if places[0] is not None and place == places[0]]
    return pairs


def run_litert(request):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    with Captured() as log:
        try:
            interpreter = Interpreter(
                model_path=request["model"], num_threads=1,
                experimental_preserve_all_tensors=bool(request.get("linear")),
                experimental_op_resolver_type=OpResolverType[request.get("kernels", "BUILTIN_REF")])
            interpreter.allocate_tensors()
            failure = None
        except (RuntimeError, ValueError) as e:
            failure = str(e)
    if failure:
        return {"error": failure.strip().splitlines()[0]}
    rng = np.random.default_rng(request["seed"])
    answer = {"outputs": []}
    if request.get("in_place"):
        answer["in_place"] = in_place(interpreter)
    for _ in range(request["invokes"]):
        for d in interpreter.get_input_details():
            interpreter.set_tensor(d["index"], value(rng, d["shape"], d["dtype"]))
        with Captured() as log:
            try:
                interpreter.invoke()
            except (RuntimeError, ValueError) as e:
                failure = str(e)
        if failure:
            return {**answer, "error": "invoke: " + failure.strip().splitlines()[0]}
        answer["outputs"].append([digest(interpreter.get_tensor(d["index"])) for d in interpreter.get_output_details()])
    return answer


def run_allocate(request):
    """Says for each of some sizes whether the arena is large enough, each in a process of
    its own: below its least arena TensorFlow Lite Micro may crash. With invokes the model
    also runs, and the answer has a digest of its outputs."""
    from tflite_micro import runtime

    def result(size):
        interpreter = runtime.Interpreter.from_file(
            request["model"], arena_size=size, intrepreter_config=runtime.InterpreterConfig.kAllocationRecording,
            alt_decompression_memory_size=request.get("decompression", 0))
        rng = np.random.default_rng(request["seed"])
        outputs = []
        for _ in range(request["invokes"]):
            for i in range(request["inputs"]):
                d = interpreter.get_input_details(i)
                interpreter.set_input(value(rng, d["shape"], d["dtype"]), i)
            interpreter.invoke()
            outputs += [digest(interpreter.get_output(i)) for i in range(request["outputs"])]
        return " ".join(["allocated", *outputs])

    def attempt(size):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                os.write(write, result(size).encode())
            except BaseException:
                os._exit(1)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as f:
            text = f.read().decode()
        return text if os.waitpid(child, 0)[1] == 0 else ""

    return {"results": [attempt(size) for size in request["arenas"]]}


def run_shapes(request):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    with Captured():
        try:
            interpreter = Interpreter(model_path=request["model"], experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
            for d, shape in zip(interpreter.get_input_details(), request.get("shapes", [])):
                interpreter.resize_tensor_input(d["index"], shape)
            interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as e:
            return {"error": str(e)}
    shapes = {}
    for d in interpreter.get_tensor_details():
        shapes[d["index"]] = [int(n) for n in d["shape"]]
    # What depends on values has the shape of the file until it is computed.
    dynamic = dynamic_tensors(interpreter, shapes)
    answer = {"dynamic": dynamic}
    if request.get("invokes"):
        with Captured():
            try:
                rng = np.random.default_rng(request["seed"])
                for d in interpreter.get_input_details():
                    drawn = value(rng, d["shape"], d["dtype"])
                    interpreter.set_tensor(d["index"], drawn if request["seed"] else np.zeros_like(drawn))
                interpreter.invoke()
            except (ValueError, RuntimeError) as e:
                return {"error": str(e)}
        shapes = {d["index"]: [int(n) for n in d["shape"]] for d in interpreter.get_tensor_details()}
        # LiteRT does not return a tensor without elements.
        outputs = [np.zeros(0) if 0 in d["shape"] else interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
        answer["outputs"] = [[hashlib.sha256(np.ascontiguousarray(v).tobytes()).hexdigest() for v in outputs]]
    answer["shapes"] = [shapes.get(i) for i in range(max(shapes, default=-1) + 1)]
    return answer


def dynamic_tensors(interpreter, indexes):
    """Returns the outputs of operators that have no memory yet, although memory was allocated."""
    made = {k for o in interpreter._get_ops_details() for k in o["outputs"]}
    list = []
    for i in sorted(made & set(indexes)):
        try:
            interpreter.tensor(i)()
        except ValueError:
            list.append(int(i))
    return list


def run_chain(request):
    """Runs the parts of a model one after another. Tensors have the indexes of the model,
    whose inputs are those that run_litert gives it."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    def open_model(path):
        return Interpreter(model_path=path, num_threads=1,
                           experimental_op_resolver_type=OpResolverType[request.get("kernels", "BUILTIN_REF")])

    rng = np.random.default_rng(request["seed"])
    inputs, outputs = request["graph"]
    with Captured():
        details = open_model(request["model"]).get_input_details()
        values = {t: value(rng, d["shape"], d["dtype"]) for t, d in zip(inputs, details)}
        for part in request["parts"]:
            interpreter = open_model(part["model"])
            try:
                interpreter.allocate_tensors()
                for t, d in zip(part["inputs"], interpreter.get_input_details()):
                    interpreter.set_tensor(d["index"], values[t])
                interpreter.invoke()
            except (RuntimeError, ValueError) as e:
                return {"error": part["model"] + ": " + str(e).strip().splitlines()[0]}
            for t, d in zip(part["outputs"], interpreter.get_output_details()):
                values[t] = interpreter.get_tensor(d["index"])
    return {"outputs": [[digest(values[t]) for t in outputs]]}


def reason(log):
    """Returns the runtime's own first complaint, without numbers that vary."""
    lines = [l.strip() for l in log.splitlines() if l.strip() and "RecordingMicroAllocator" not in l]
    return lines[0] if lines else ""


def main():
    # Runtimes print to standard output too: keep it for the answers alone.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"tflm": run_tflm, "litert": run_litert, "tflm-allocate": run_allocate, "litert-shapes": run_shapes,
                      "litert-chain": run_chain}[request["runtime"]](request)
        except Exception as e:  # the caller must get one answer a request
            answer = {"error": "%s: %s" % (type(e).__name__, e)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
