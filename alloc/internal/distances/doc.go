// Package distances places tensors with forbidden distances.
//
// The difference of the offsets of two tensors may not be in any of a set of ranges. If both hold all
// their bytes at a common time, the set is one range around zero, as long as both together. If one
// reuses bytes that the other no longer needs, the set is smaller and may have holes: tiles with
// different lifetimes (Kvochko et al. 2024), or an output written over its input (Blacker 2020).
//
// Whatever the origin of the set, the same methods place the tensors: the lowest allowed offset, one
// tensor after another, in orders that a search improves, and a search for proof.
package distances
