// Package sets has the data structures that strategies share: sorted lists, heaps, trees of
// minima, and which bytes are taken at which time.
package sets
