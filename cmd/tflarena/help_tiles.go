package main

// tilesTopic says what "plan --tiles" does, and what a file of tiles looks like.
const tilesTopic = `'plan --tiles --on-chip SIZE' is for processors with a small memory of their own beside a large one, such as NPUs. A step loads parts of an operator's inputs and weights, computes one tile of its output on chip, and stores it off chip. A byte off chip is in use from the step that stores it to the last one that loads it, so that a tensor may lie over another one that dies while it is made. The plan is that of the tensors off chip, with the input and the output of the model; weights are not in it. The memory of the input is used again once it has been loaded for the last time.

--tile rows cuts each output into as many whole rows as fit, and --tile pixels into as many pixels of a row; rows=N and pixels=N make them N at most. Smaller tiles save more memory off chip, and need more steps. Where not even one row fits with all of its channels, a tile is one row of as many channels as fit, and where not one of these fits, the exit code is 4 and the message names the operator and the least SIZE for it. Operators that cannot be cut are one step.

A cascade is operators in a row that are computed stripe by stripe: what is between them stays on chip, and no row is computed twice. Operators are joined where fewer bytes are then in use off chip at the peak, at most --cascade of them. All their weights are on chip at once. With long cascades of many operators the search takes a while: --time-limit, of which it has half, and Ctrl-C end it with the best so far.

--tile FILE gives tiles of your own. What it does not name is cut into rows, and there are no cascades but those that it has:
  {"tensors": [
     {"tensor": "0:12", "rows": 4},
     {"tensor": "0:13", "pixels": 8},
     {"tensor": "0:14", "tiles": [
        {"offset": [0, 0, 0, 0], "size": [1, 2, 8, 16]},
        {"offset": [0, 2, 0, 0], "size": [1, 6, 8, 16]}]}],
   "cascades": [{"first_operator": 3, "last_operator": 6, "rows": 2}]}
A tensor is an output of an operator, by its ID. Tiles are boxes of elements, each made in a step of its own, in this order; together they are the tensor, and no two overlap. A cascade without "rows" has stripes of as many as fit.

-o svg=PATH draws the bytes in use off chip, and -o tiles=PATH writes the steps as a problem of tiles, which 'tflarena plan' reads: see 'tflarena help problems'.
`
