package main

const picturesTopic = `Wherever -o svg=PATH draws a picture, -o png=PATH and -o pdf=PATH draw the same one: for slides, for programs that show no SVG, and for print. PNG has two pixels for each one of SVG. SVG says what a tensor is to who points at it, and is shown with the fonts of the reader; PNG and PDF have the letters of Latin, Greek and Cyrillic, and an empty square for others. The same plan always gives the same bytes.

A picture of a model shows time from left to right, one operator after the other, and addresses upwards. Colours say what a tensor is there for, and a hatch marks bytes that two of them share on purpose. Below the map are the bytes that are alive at each operator, with the peak. Lines mark the total, the lower bound and, with --capacity, what there is room for.

Other programs show a plan, too:

  -o trace=PATH           for Perfetto (ui.perfetto.dev) and Chrome's tracing
                          page, which upload nothing: tensors as slices that
                          have their offsets, the operators, and a counter of
                          the bytes alive. An operator takes a millisecond,
                          since a plan knows no other time.
  -o model-explorer=PATH  node data for Google's Model Explorer: open the
                          .tflite file there, then add the data. Each
                          operator has the bytes that are alive while it
                          runs, and a colour, red at the peak.
`
