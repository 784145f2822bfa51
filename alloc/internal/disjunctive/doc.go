// Package disjunctive decides whether records fit into an arena, for small problems
// of the most general kind, with gaps and windows, pinned offsets, and an alignment for
// each record.
//
// Two records that are held at a common position forbid differences of their
// offsets: one interval where both are held whole, a union of intervals where
// windows leave part of one or the other, and a record may then lie inside another's
// window. Or the caller says which differences are forbidden ([Problem]).
//
// The search keeps the range of the difference of every two offsets, closed
// under addition (a longest-path matrix, with the start of the arena as one more
// offset), cuts off the forbidden ends of each range, and branches over a forbidden
// interval inside one: the difference is below it or above it. When no range has one
// left, the least offsets that the matrix allows are a plan. Disjunctive scheduling
// does the same with start times (Carlier and Pinson 1989).
//
// It shares no code with the other solvers, so that it can replay their proofs.
package disjunctive
