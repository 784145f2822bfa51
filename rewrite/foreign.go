package rewrite

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Foreign says what shows that a plan of m was made by another tool, worded for the end of
// a sentence: its header, or tensors that share memory on purpose in other ways than an
// output that takes over an input. It returns "" where nothing shows that. aliases is the
// number of pairs of tensors that share memory on purpose, as package verify counts them, and 0
// where it is not known.
func (p *Plan) Foreign(m *tflite.Model, aliases int) string {
	var signs []string
	if p.Version != planVersion {
		signs = append(signs, fmt.Sprintf("its header has version %d, where this tool writes %d", p.Version, planVersion))
	}
	if int(p.Subgraphs) != len(m.Subgraphs) {
		signs = append(signs, fmt.Sprintf("its header says %d subgraphs of %d", p.Subgraphs, len(m.Subgraphs)))
	}
	if aliases > 0 {
		signs = append(signs, fmt.Sprintf("tensors share memory on purpose (overlaps: %d)", aliases))
	}
	return strings.Join(signs, ", and ")
}

// CheckForeignPlan returns an error when a change of m would lose a plan that another tool
// may rely on: its header shows that another tool made it, and the model has something of a
// vendor's that the plan may have been made for. The error is a [*RefusedError] that can be
// forced.
func CheckForeignPlan(m *tflite.Model) error {
	plans, err := ReadPlans(m)
	who := patch.Vendor(m)
	if err != nil || who == "" {
		return nil // what cannot be followed is nobody's
	}
	for _, p := range plans {
		if p.Version != planVersion || int(p.Subgraphs) != len(m.Subgraphs) {
			return &RefusedError{Reason: fmt.Sprintf("this would remove the memory plan of another tool, and %s may rely on it", who), Force: true}
		}
	}
	return nil
}
