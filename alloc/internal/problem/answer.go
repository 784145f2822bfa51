package problem

// An Answer says whether records fit into an arena of a given size.
type Answer int8

const (
	// Unknown says that the search ended before it had the answer.
	Unknown Answer = iota
	// Fits says that there is a plan.
	Fits
	// Misfit says that there is no plan, and that this is proven.
	Misfit
)

// String returns "unknown", "fits" or "does not fit".
func (a Answer) String() string {
	return [...]string{"unknown", "fits", "does not fit"}[a]
}

// MarshalText returns what String does.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
