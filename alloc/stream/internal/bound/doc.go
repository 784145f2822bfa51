// Package bound computes latencies that no plan goes below, whatever it keeps resident.
//
// At the end of compute t, memory holds the live bytes of step t and the weights of layer t.
// What is left holds weights of later layers, and all other weights of the layers up to u
// are still to be loaded before compute u begins. So compute u ends no earlier than
//
//	L[u] = max(L[u-1], L[t] + load(t+1..u) - saved(t, u)) + compute(u)
//
// for each t < u, where saved is the most loading time that what is left can hold. At the beginning
// of the run, t = 0, memory holds the resident weights alone.
//
// Memory is held for a tensor as a whole, from the beginning of its load. So saved is the solution
// of a knapsack problem. The quick bound lets items be held in part, and the strong one rounds their
// sizes down; it takes the smaller of the two solutions. It also looks at the first layers and
// a later one together, since residents of the first ones take room from what is loaded ahead. Both hold for loads in any order. A
// third bound shares memory out between residents and loads ahead.
package bound
