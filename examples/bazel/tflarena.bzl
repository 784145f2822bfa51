"""Libraries that run models in TensorFlow Lite Micro, made by tflarena."""

def tflarena_library(name, model, stem, tflarena, tflite_micro, arena = None, flags = []):
    """Adds a cc_library with a model as an array, the resolver of its operators, and a header with its figures.

    Args:
      name: name of the library.
      model: label of the .tflite file.
      stem: name of the file without its extension, in lower case: the beginning of identifiers.
      tflarena: label of the command.
      tflite_micro: label of the library of TensorFlow Lite Micro.
      arena: size that the required arena must not exceed, such as "64K".
      flags: flags of "tflarena rewrite".
    """
    sources = ["%s/src/%s_%s.cpp" % (name, stem, part) for part in ["model", "tflm"]]
    headers = ["%s/src/%s_%s.h" % (name, stem, part) for part in ["model", "ops", "tflm"]]
    folder = "$(RULEDIR)/" + name
    commands = ["$(location %s) rewrite $(location %s) --quiet %s -o firmware=%s" % (tflarena, model, " ".join(flags), folder)]
    if arena:
        commands.append("$(location %s) check %s/src/%s_model.cpp --quiet --max-arena %s" % (tflarena, folder, stem, arena))
    native.genrule(
        name = name + "_sources",
        srcs = [model],
        outs = sources + headers,
        cmd = " && ".join(commands),
        tools = [tflarena],
    )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = headers,
        copts = ["-std=c++17"],
        includes = [name + "/src"],
        deps = [tflite_micro],
    )
