// Package distances places tensors that may not have certain distances.
//
// The difference of the offsets of two tensors may not be in any of a set of ranges. Where
// both hold all of their bytes at a common time that set is one range, around zero, as long
// as both together. Where one takes bytes that the other no longer needs the set is smaller,
// and may have holes: tiles whose lives differ (Kvochko et al. 2024), or an output that is
// written over the input that it is made of (Blacker 2020).
//
// Whatever the set comes from, the same methods place the tensors: the lowest offset that
// is not forbidden, one tensor after another, in orders that a search improves, and a search
// for proof.
package distances
