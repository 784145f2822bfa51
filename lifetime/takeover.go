package lifetime

// A Takeover permits two records to share memory although both are alive: To may be placed in
// the memory of From. This is correct if the operator at which they meet writes no byte of To
// before it has read the bytes of From there, or if both hold the same bytes there.
type Takeover struct {
	// From and To are indexes of records.
	From, To int
	// Offset is the distance in bytes from the beginning of From to the beginning of To. It is
	// negative if To begins first, and a multiple of both alignments. One of the two records is
	// inside the other, except for alignment padding.
	Offset int64
	// Why is the justification for people: the operator, and whose kernels.
	Why string
}
