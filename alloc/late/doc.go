// Package late plans records of which some sizes become known only while the program runs: tensors
// whose shape depends on data (Pisarchyk and Lee 2020, section 7).
//
// Planning happens in waves. The first wave has what is known from the start. Each time more
// sizes become known there is another one, in which everything that is in use keeps its place,
// and everything that has not begun yet gets one anew. [Solve] says what that costs: beside the
// plan in waves it has the plan that would be made if all sizes were known at once, and what an
// allocator takes that does not plan at all.
package late
