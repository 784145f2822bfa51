package main

const picturesTopic = `Wherever -o svg=PATH draws a picture, -o png=PATH and -o pdf=PATH draw the same picture: for slides, for programs that show no SVG, and for print. PNG has two pixels for each pixel of SVG. In SVG, you can point at a tensor to see what it is, and your own fonts show the text. PNG and PDF have Latin, Greek and Cyrillic letters, and an empty square for every other character. The same plan always gives the same bytes.

A picture of a model shows time from left to right, one operator after the other, and addresses upwards. Colours say what each tensor is for, and hatching marks bytes that two tensors share on purpose. Below the map are the bytes that are alive at each operator, with the peak. Lines mark the total, the lower bound and, with --capacity, the capacity.

Other programs show a plan, too:

  -o trace=PATH           for Perfetto (ui.perfetto.dev) and Chrome's tracing
                          page, which upload nothing: tensors as slices with
                          their offsets, the operators, and a counter of the
                          bytes alive. Each operator takes a millisecond,
                          because a plan knows no other time.
  -o model-explorer=PATH  node data for Google's Model Explorer: open the
                          .tflite file there, then add the data. Each
                          operator has the bytes that are alive while it
                          runs, and a colour, red at the peak.
`
