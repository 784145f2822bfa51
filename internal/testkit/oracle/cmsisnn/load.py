"""Runs main() of a shared object that calls the functions of CMSIS-NN.

The argument is its path. The functions are in an extension module of the wheel executorch.
"""

import ctypes
import glob
import importlib.util
import os
import sys


def library():
    """Returns the path of the extension module."""
    package = importlib.util.find_spec("executorch")
    for folder in package.submodule_search_locations if package else []:
        for path in glob.glob(os.path.join(folder, "backends", "cortex_m", "library", "_cmsis_nn", "cmsis_nn*")):
            return path
    sys.exit("the wheel executorch, which has the functions of CMSIS-NN, is missing")


ctypes.CDLL(library(), mode=ctypes.RTLD_GLOBAL)
if len(sys.argv) > 1:
    sys.exit(ctypes.CDLL(sys.argv[1]).main())
