package lifetime

// A Takeover permits two records to share memory although both are alive: To may lie where
// From lies. It is right because the operator at which they meet writes no byte of To
// before it has read the bytes of From there, or because both hold the same bytes there.
type Takeover struct {
	// From and To are indexes of records.
	From, To int
	// Offset is the distance in bytes from the beginning of From to the beginning of To. It
	// is negative where To begins first, and a multiple of both alignments. One of the two
	// records lies within the other, except for what alignment adds.
	Offset int64
	// Why says for people what makes the takeover right: the operator, and whose kernels.
	Why string
}
