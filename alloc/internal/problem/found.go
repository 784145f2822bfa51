package problem

// Found is the best that a search for offsets has found.
type Found struct {
	Offsets []int64
	// LowerBound is a number of bytes that no plan goes below, which the search has proven.
	LowerBound int64
	// Optimal says that the search has proven that no offsets are better, and Proof how.
	Optimal bool
	Proof   Proof
	Nodes   int64
	// Interrupted says that the search ended before there was nothing left to do.
	Interrupted bool
}
