// Package bound computes lower bounds of the latency of a network in a budget of memory.
//
// At the end of compute t, memory holds the live bytes of step t and the weights of layer t. The rest
// can hold weights of later layers; all other weights of the layers up to u must be loaded before
// compute u begins. So compute u ends no earlier than
//
//	L[u] = max(L[u-1], L[t] + load(t+1..u) - saved(t, u)) + compute(u)
//
// for each t < u, where saved is the most loading time that the rest can hold. At the beginning of
// the run, t = 0, memory holds only the resident weights.
//
// Memory is held for a tensor as a whole, from the beginning of its load, so saved is the solution of
// a knapsack problem. [Quick] solves its fractional relaxation. [Strong] also rounds sizes down and
// takes the smaller of the two solutions, and it looks at the first layers and a later one together,
// since resident weights of the first ones take room from prefetched weights. Both hold for loads in
// any order. [Shares] divides memory between resident and prefetched weights.
package bound
