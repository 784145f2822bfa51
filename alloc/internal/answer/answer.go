// Package answer names the three answers to the question whether records fit into an arena:
// yes, no, and not known.
package answer

// An Answer says whether records fit into an arena of a given size.
type Answer int8

const (
	// Unknown: the search ended before it knew.
	Unknown Answer = iota
	// Fits: there is a plan.
	Fits
	// Misfit: there is none, and that is proven.
	Misfit
)

// String returns "unknown", "fits" or "does not fit".
func (a Answer) String() string {
	return [...]string{"unknown", "fits", "does not fit"}[a]
}

// MarshalText returns what String does.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
