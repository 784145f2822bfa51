package problem

// An Answer states whether records fit into an arena of a given size, or into objects of given sizes.
type Answer int8

const (
	// Unknown: the search ended without an answer.
	Unknown Answer = iota
	// Fits: a plan exists.
	Fits
	// Misfit: no plan exists, and this is proven.
	Misfit
)

// String returns "unknown", "fits" or "does not fit".
func (a Answer) String() string {
	return [...]string{"unknown", "fits", "does not fit"}[a]
}

func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
