// Package disjunctive decides whether records fit into an arena, for small problems of the most general
// kind, with gaps and windows, pinned offsets, and an alignment for each record.
//
// Two records that are held at a common position forbid differences of their offsets: one interval if
// both are held whole, a union of intervals if windows leave part of one or the other, so that a record
// may lie inside another's window. Alternatively the caller specifies the forbidden differences
// ([Problem]).
//
// The search keeps the range of the difference of every two offsets, closed under addition (a
// longest-path matrix, with the start of the arena as one more offset), cuts off the forbidden ends of
// each range, and branches over a forbidden interval inside one: the difference is below it or above
// it. When no range contains one, the least offsets that the matrix allows are a plan. Disjunctive
// scheduling does the same with start times (Carlier and Pinson 1989).
//
// It shares no code with the other solvers, so that it can replay their proofs.
package disjunctive
