package lifetime

// A Takeover permits two records to share memory although both are alive: To may lie
// where From lies, since the operator at which they meet writes no byte of To before it
// has read what From had there, or both hold the same there.
type Takeover struct {
	// From and To are indexes of records.
	From, To int
	// Offset is how far behind the beginning of From To has to lie, in bytes; negative
	// where it begins in front of it: a multiple of both alignments. One of the two lies
	// within the other, but for what alignment asks for.
	Offset int64
	// Why says what makes it right, for people: the operator, and whose kernels.
	Why string
}
