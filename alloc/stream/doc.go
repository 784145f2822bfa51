// Package stream plans networks whose weights do not all fit into memory: it chooses resident weights,
// prefetches the others, and places every tensor, so that a run takes the least time in a budget of
// bytes.
//
// The problem comes from FlexNN (Li et al. 2024, sections 3.3 and 3.4), in this model:
//
//  1. Layers are 0 to n-1. Layer 0 is the input and takes no time. Compute i begins when compute i-1
//     has ended and the weights of layer i are in memory. E[i] is its end, E[0] = 0 is the start of
//     the run, and E[n-1] is the latency.
//  2. There is one loader. It loads the weights of one layer after another, in the order of layers,
//     each without a break. A load takes the layer's loading time multiplied by the streamed part of
//     the layer's bytes.
//  3. Memory is the bytes [0, M), where M is the budget. Every tensor is contiguous and has one offset,
//     a multiple of 64.
//  4. Step i is the time from E[i-1] to E[i]. An activation or intermediate holds memory in the steps
//     First to Last, both inclusive. A resident weight holds memory always, across runs. A streamed
//     weight of layer j holds memory in the steps x to j, both inclusive, for some x <= j.
//  5. A load may begin when compute x-1 has ended, for the greatest x of its weights, and at 0 if x is
//     0 or 1. Memory is held from the beginning of the load.
//  6. Two tensors that hold memory in the same step share no byte. This suffices: loads wait for
//     computes and not for clocks, so a plan stays right whatever the durations are.
//  7. Resident weights are in memory when a run begins. The first run takes longer by the time to load
//     them.
//
// [Solve] plans with one of several [Strategies]. The independent checker, package stream/check, checks
// each plan, which also has a lower bound of the latency. [Least] finds the smallest budget that has a
// plan. Package stream/network has the types of the model, and package stream/litert makes networks
// from TensorFlow Lite models.
package stream
