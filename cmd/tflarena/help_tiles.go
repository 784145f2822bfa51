package main

// tilesTopic describes "plan --tiles" and files of tiles.
const tilesTopic = `'plan --tiles --on-chip SIZE' is for processors with a small memory of their own beside a large one, such as NPUs. A step loads parts of an operator's inputs and weights, computes one tile of its output on chip, and stores it off chip. A byte off chip is in use from the step that stores it to the last step that loads it, so while one tensor is made, it may lie over another tensor that is no longer needed. The plan covers the tensors off chip, with the input and the output of the model, but not the weights. The memory of the input is used again once it has been loaded for the last time.

--tile rows cuts each output into as many whole rows as fit, and --tile pixels into as many pixels of a row; rows=N and pixels=N allow at most N of them in a tile. Smaller tiles save more memory off chip, but need more steps. If not even one row fits with all of its channels, a tile is one row of as many channels as fit. If not even one channel fits, the exit code is 4, and the message names the operator and the least SIZE for it. An operator that cannot be cut is one step.

A cascade is a run of operators that are computed stripe by stripe: the tensors between them stay on chip, and no row is computed twice. Operators are joined, at most --cascade of them, if the peak off chip then has fewer bytes in use. All their weights are on chip at once. With long cascades of many operators, the search takes a while. It may take half of the --time-limit; that and Ctrl-C end it with the best so far.

--tile FILE reads tiles of your own. Tensors that the file does not name are cut into rows, and there are no cascades except those in the file:
  {"tensors": [
     {"tensor": "0:12", "rows": 4},
     {"tensor": "0:13", "pixels": 8},
     {"tensor": "0:14", "tiles": [
        {"offset": [0, 0, 0, 0], "size": [1, 2, 8, 16]},
        {"offset": [0, 2, 0, 0], "size": [1, 6, 8, 16]}]}],
   "cascades": [{"first_operator": 3, "last_operator": 6, "rows": 2}]}
Each tensor is an output of an operator, named by its ID. Tiles are boxes of elements. Each is made in a step of its own, in this order; together they cover the tensor, and no two overlap. A cascade without "rows" has stripes of as many rows as fit.

-o svg=PATH draws the bytes in use off chip. -o html=PATH writes a page for the browser, which shows them step by step beside a plan of whole tensors. -o tiles=PATH writes the steps as a problem of tiles, which 'tflarena plan' reads: see 'tflarena help problems'.
`
