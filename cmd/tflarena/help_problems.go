package main

// problemsTopic describes the problems that plan reads besides models.
const problemsTopic = `A CSV problem in MiniMalloc's form has a header row with the columns id, lower, upper (exclusive) or end (inclusive), and size. Each row has an id of its own. It may also have alignment, offset (the buffer is pinned there) and gaps (times a-b in which the buffer holds nothing, or a-b@lo:hi if it holds only some bytes). Buffers of a problem are planned at alignment 1 unless --align or a column says otherwise.

A problem of tiles is JSON, {"cases": [...]} or a single case: tensors that steps write and read in parts. A case has a "name" and "tensors", each with a "name", a "size" in bytes and "accesses", [step, "w" or "r", first byte, byte after the last]. Tensors may overlap in memory as long as no byte is in use for two tensors at the same time. With --semantics atomic, a step reads everything before it writes anything. 'tflarena help tiles' says how to make such a problem from a model.

With --approach textures, rows have a width, a height and perhaps a depth, and they share objects that have these dimensions too. The strategies are naive, equality, greedy-in-order (these three are those of the GPU delegate), growing, exact and auto; growing makes objects larger.

With --waves, a column known_at, which -o csv=PATH writes for a model in LiteRT, says from which position on a size is known (an empty cell means from the start). Each time sizes become known, buffers in use keep their places, and all others are planned again. The report compares the result with a plan that knows all sizes from the start, and with no plan.`
