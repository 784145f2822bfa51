"""Times models against each other, as ratios: the second of each pair over the first.

    latency.py A.tflite B.tflite [C.tflite D.tflite ...]

Both of a pair run in turn in one process, so that what else the machine does hits both
alike; the median of the runs counts. One thread.
"""

import statistics
import sys
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

ROUNDS = 15
ARENA = 1 << 28


def micro(path):
    import tflite_micro

    interpreter = tflite_micro.runtime.Interpreter.from_file(path, arena_size=ARENA)
    details = interpreter.get_input_details(0)
    data = sample(details["shape"], details["dtype"])
    return lambda: (interpreter.set_input(data, 0), interpreter.invoke())


def lite(resolver):
    def make(path):
        interpreter = Interpreter(path, num_threads=1, experimental_op_resolver_type=resolver)
        interpreter.allocate_tensors()
        details = interpreter.get_input_details()[0]
        interpreter.set_tensor(details["index"], sample(details["shape"], details["dtype"]))
        return interpreter.invoke

    return make


def sample(shape, dtype):
    random = np.random.default_rng(1)
    if np.issubdtype(dtype, np.integer):
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, size=shape, dtype=dtype, endpoint=True)
    return random.standard_normal(size=shape).astype(dtype)


RUNTIMES = {
    "TFLM": micro,
    "LiteRT reference": lite(OpResolverType.BUILTIN_REF),
    "LiteRT without delegate": lite(OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES),
    "LiteRT": lite(OpResolverType.BUILTIN),
}


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def ratio(make, first, second):
    try:
        a, b = make(first), make(second)
        a(), b()
    except Exception as e:  # a runtime that does not run the model
        return str(e).splitlines()[0][:60]
    times = [(timed(a), timed(b)) for _ in range(ROUNDS)]
    return "%.2f" % (statistics.median(t[1] for t in times) / statistics.median(t[0] for t in times))


def main(paths):
    print("| model | " + " | ".join(RUNTIMES) + " |")
    print("|---|" + "---:|" * len(RUNTIMES))
    for first, second in zip(paths[::2], paths[1::2]):
        cells = [ratio(make, first, second) for make in RUNTIMES.values()]
        print("| %s | %s |" % (second.rsplit("/", 1)[-1], " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
