package lifetime

// An Overlap permits two records to share bytes at the one operator at which From ends and To
// begins, although the operator needs both: its kernel writes To from the first byte on while it
// reads From, and no longer needs the bytes of From that it writes over. Blacker 2020 calls this
// diagonal memory optimisation (arXiv 2010.01668).
//
// The two share bytes rightly at the operator if To begins at least Distance bytes before From:
//
//	offset of From - offset of To >= Distance
//
// At all other positions they share none, and the bytes of others are their own as always.
type Overlap struct {
	// From and To are indexes of records.
	From, To int
	// At is the position of the operator: the last of From and the first of To.
	At int
	// Distance is in bytes, and exact: plans round it up as their alignment demands. It is
	// below the size of To, since at that distance no byte is shared. It may be negative: then
	// To may begin behind the first byte of From. At minus the size of From every place is right.
	Distance int64
	// Why says for people what makes the overlap right: the operator, and whose kernels.
	Why string
}

// A Range is a range of differences between two offsets in bytes, both ends inclusive.
type Range struct{ Lo, Hi int64 }
