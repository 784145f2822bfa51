// Package stream plans the memory of networks whose weights do not all fit: which weights stay
// in memory, from when each of the others is loaded ahead, and where every tensor lies, so that a
// run takes the least time in a given number of bytes.
//
// The question is that of FlexNN (Li et al. 2024, sections 3.3 and 3.4), and the model is this.
//
//  1. Layers are 0 to n-1, and layer 0 is the input, which takes no time. Compute i begins when
//     compute i-1 has ended and the weights of layer i are in memory. E[i] is its end, E[0] = 0 the
//     start of the run, and the latency is E[n-1].
//  2. There is one loader. It loads the weights of one layer after another, in the order of layers,
//     each without a break. A load takes the part of the layer's loading time that its bytes which are not
//     resident have in all of its bytes.
//  3. Memory is the bytes 0 to M, half-open, where M is the budget. Every tensor is contiguous, at one
//     address, which is a multiple of 64.
//  4. Step i is the time from E[i-1] to E[i]. An activation or intermediate holds memory in the steps
//     First to Last, both inclusive. A resident weight holds memory always, across runs. A streamed
//     weight of layer j holds memory in the steps x to j, both inclusive, for some x of at most j.
//  5. A load may begin when compute x-1 has ended, for the greatest x of its weights, and at 0 where
//     x is 0 or 1. Memory is held from the beginning of the load.
//  6. Two tensors that hold memory in the same step share no byte. That is all that a plan needs. Since a
//     load waits for a compute and not for a clock, a plan stays right however long each takes.
//  7. Resident weights are in memory when a run begins, and cost no time. The first run takes longer
//     by the time that it takes to load them beforehand.
//
// [Solve] plans with one of several [Strategies]. Each plan has passed the independent checker,
// package stream/check, and has a lower bound of the latency. [Least] finds the smallest budget
// in which there is a plan.
package stream
