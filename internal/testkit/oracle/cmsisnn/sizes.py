"""Asks the functions of CMSIS-NN how much scratch kernels need.

Reads a question a line from standard input, the name of a function and whole numbers:

    NAME TYPE  BATCH HEIGHT WIDTH CHANNELS (input, filter, output)
    HEIGHT WIDTH (padding, stride, dilation)  MULTIPLIER

and answers each with a line of the sizes in bytes, one for each kind of core: those with
Helium, those with the DSP extension, and those without. The functions are in an extension
module of the wheel executorch, which needs nothing else of it.
"""

import glob
import importlib.util
import os
import sys


def library():
    """Returns the extension module, without running the package that it is in."""
    package = importlib.util.find_spec("executorch")
    for folder in package.submodule_search_locations if package else []:
        pattern = os.path.join(folder, "backends", "cortex_m", "library", "_cmsis_nn", "cmsis_nn*")
        for path in glob.glob(pattern):
            spec = importlib.util.spec_from_file_location("cmsis_nn", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit("the wheel executorch, which has the functions of CMSIS-NN, is missing")


nn = library()
CORES = [nn.Backend.MVE, nn.Backend.DSP, nn.Backend.SCALAR]
TYPES = [nn.DataType.A8W8, nn.DataType.A8W4, nn.DataType.A16W8]

# What each question asks of a core c, for type t, of an input i, a filter f and an output o, with
# padding p, stride s, dilation d and depth multiplier m.
FUNCTIONS = {
    "convolution": lambda c, t, i, f, o, p, s, d, m: nn.convolve_wrapper_buffer_size(c, t, i, f, o, p, s, d),
    "depthwise": lambda c, t, i, f, o, p, s, d, m: nn.depthwise_conv_wrapper_buffer_size(c, t, i, f, o, p, s, d, m),
    "transposed": lambda c, t, i, f, o, p, s, d, m: nn.transpose_conv_buffer_size(c, t, i, f, o, p, s, d),
    "reversed": lambda c, t, i, f, o, p, s, d, m: nn.transpose_conv_reverse_conv_buffer_size(c, t, i, f, p, s, d),
    "connected": lambda c, t, i, f, o, p, s, d, m: nn.fully_connected_buffer_size(c, t, f),
    "svdf": lambda c, t, i, f, o, p, s, d, m: nn.svdf_buffer_size(c, t, f),
    "average": lambda c, t, i, f, o, p, s, d, m: nn.avgpool_buffer_size(c, t, o[2], i[3]),
}


def answer(question):
    name, kind, *rest = question.split()
    n = [int(word) for word in rest]
    shape = n[0:4], n[4:8], n[8:12], n[12:14], n[14:16], n[16:18], n[18]
    return " ".join(str(FUNCTIONS[name](core, TYPES[int(kind)], *shape)) for core in CORES)


def main():
    # All at once, since what is printed may not be buffered.
    sys.stdout.write("".join(answer(line) + "\n" for line in sys.stdin))


if __name__ == "__main__":
    main()
