// Package late plans records whose sizes partly become known only at run time: tensors whose shape
// depends on data (Pisarchyk and Lee 2020, section 7).
//
// Planning happens in waves. The first wave has all sizes known from the start. When more sizes become
// known, another wave keeps the places of everything in use, and places everything that has not begun
// yet anew. Plans have offsets or shared objects. [Solve] reports the cost: besides the plan in waves it
// returns the plan with all sizes known at once, and the memory of an allocator that does not plan at all.
package late
