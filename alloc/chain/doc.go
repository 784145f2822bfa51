// Package chain plans memory part by part for problems in which tensors may share memory.
//
// A problem is cut where a single tensor is handed on from one part to the next. Each part
// between two cuts, a [Link], is planned by itself with its own choice of what shares
// memory. The tensor that comes in and the tensor that goes out lie at the ends of the
// arena, or next to each other.
//
// Small problems are easy where the whole is not: a plan of everything at once has to use
// one way of sharing memory for all parts, and a search has to get every part right at the
// same time. At a cut only one tensor is alive, so two parts agree as soon as they agree on
// its place. An output may also lie over a part of what comes in: a [lifetime.Overlap] belongs to
// the link of its operator.
package chain
