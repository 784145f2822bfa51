package main

// segmentsTopic describes "stream --segments" and several budgets.
const segmentsTopic = `'stream --segments DIR' cuts the model into files that LiteRT runs one after another, and writes manifest.json beside them, which says how to run them. Each layer of the plan is then a segment. The budget covers everything that the process takes in addition to what it takes before it first runs a model: files, the tensors between segments, and what LiteRT needs for the segment that runs, with one thread and without a delegate; with --default-delegate, the budget also covers what LiteRT's default delegate packs. 'python -m tflarena.stream.run manifest.json' runs the segments.

With several budgets, each has a plan of its own for the same layers, and stream prints how much longer a run takes than in a plan for that budget alone. --segments then writes one set of files, whose manifest has all plans, and -o c= a table for each plan and one order of the weights: a program changes the plan between runs, and reloads no weights that stay in memory ('python -m tflarena.stream.run --budget SIZE'). Slices and tiles are chosen for the smallest budget.

  tflarena stream a.tflite --times t.csv --bandwidth 1G --segments p
    --budget 9M --budget 32M
`
