package main

// problemsTopic says what the problems are that plan takes besides models.
const problemsTopic = `A CSV problem in MiniMalloc's form has a header row with the columns id, lower, upper (exclusive) or end (inclusive), and size. It may also have alignment, offset (the buffer is pinned there) and gaps (times a-b in which the buffer holds nothing, or a-b@lo:hi if it holds only some bytes). Buffers of a problem are planned at alignment 1 unless --align or a column says otherwise.

A problem of tiles is JSON, {"cases": [...]} or a single case: tensors that steps write and read in parts. A case has a "name" and "tensors", each with a "name", a "size" in bytes and "accesses", [step, "w" or "r", first byte, byte after the last]. Tensors may lie over each other where no two bytes that are in use at one time meet. With --semantics atomic, a step reads everything before it writes anything. 'tflarena help tiles' says how such a problem is made of a model.

With --approach textures, rows have a width, a height and perhaps a depth, and share objects of such shapes by the strategies naive, equality, greedy-in-order (those of the GPU delegate), growing, exact and auto; growing makes objects larger.

With --waves, a column known_at says from which position on a size is known (an empty cell: from the start). What is in use keeps its place, and all else is planned anew each time. The report compares that with all sizes known at once, and with no plan.`
