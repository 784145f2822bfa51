// Package takeover plans records of which some may share memory on purpose: it chooses which
// of the permitted takeovers a plan uses, and says what is proven about that plan.
//
// To share more need not make a plan smaller, so that there is a choice between ways of sharing:
// all those of package merge, under each [Freedom]. [Choose] looks at each of them for a short
// time. The way that it returns is then planned like any other problem, by its Merged.Records,
// and [Choice.Plan] makes a plan of the records themselves of what comes out. Where a [Freedom] has
// overlaps, each way keeps those that it can, and the plan itself decides which of them happen.
package takeover
