// Package sets has the data structures of strategies: sorted lists, heaps, trees of minima, and the
// bytes taken over time.
package sets
