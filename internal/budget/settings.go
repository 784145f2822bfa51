package budget

import (
	"cmp"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// Settings hold for one model: limits, and defaults of flags.
type Settings struct {
	Limits
	// Targets are the names of its targets, nil without any.
	Targets []string
	// Alias is the highest allowed level of in-place outputs, "" without one.
	Alias rules.Alias
	// ResourceVariables is the number of resource variables, nil without one.
	ResourceVariables *int
	// Calibrate is the path of measurements of time, "" without any.
	Calibrate string
}

// Over returns s with missing settings taken from other.
func (s Settings) Over(other Settings) Settings {
	s.Limits = s.Limits.Over(other.Limits)
	if s.Targets == nil {
		s.Targets = other.Targets
	}
	if s.Alias == "" {
		s.Alias = other.Alias
	}
	s.Calibrate = cmp.Or(s.Calibrate, other.Calibrate)
	s.ResourceVariables = over(s.ResourceVariables, other.ResourceVariables)
	return s
}

// MaxResourceVariables is the largest number of resource variables.
const MaxResourceVariables = 1 << 20
