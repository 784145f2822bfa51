package lifetime

// A Takeover permits two records to share memory although both are alive: To may lie
// where From lies, at the same offset, since the operator at which they meet writes no
// byte of To before it has read what From had there.
type Takeover struct {
	// From and To are indexes of records of the same size.
	From, To int
	// Why says what makes it right, for people: the operator, and whose kernels.
	Why string
}
