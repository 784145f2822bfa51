package rewrite

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Foreign describes, for the end of a sentence, the signs that another tool made a plan of m,
// or returns "": its header, or tensors that share memory on purpose other than in-place
// outputs. aliases is the number of pairs that share memory on purpose, as package verify
// counts them, or 0 if unknown.
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

// CheckForeignPlan returns an error if changing m would lose a plan that another tool may rely
// on: the header shows another tool, and the model has vendor data for which the plan may have
// been made. The error is a [*RefusedError] that can be forced.
func CheckForeignPlan(m *tflite.Model) error {
	plans, err := ReadPlans(m)
	who := patch.Vendor(m)
	if err != nil || who == "" {
		return nil // an unreadable plan serves no tool
	}
	for _, p := range plans {
		if p.Version != planVersion || int(p.Subgraphs) != len(m.Subgraphs) {
			return &RefusedError{Reason: fmt.Sprintf("this would remove the memory plan of another tool, and %s may rely on it", who), Force: true}
		}
	}
	return nil
}
