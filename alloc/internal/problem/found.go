package problem

// Found is the result of a search for offsets.
type Found struct {
	Offsets []int64
	// LowerBound is the proven lower bound in bytes.
	LowerBound int64
	// Optimal reports that the offsets are proven optimal, and Proof is the proof.
	Optimal bool
	Proof   Proof
	Nodes   int64
	// Interrupted reports that the search ended before it was complete.
	Interrupted bool
}
