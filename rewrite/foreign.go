package rewrite

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Foreign says, for the end of a sentence, what shows that a plan of a model is another
// tool's: its header, or tensors that share memory on purpose, other than outputs that take
// over inputs, of which the file says enough. It is "" where nothing does. aliases is how
// many of these package verify finds, 0 where that is not known.
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

// CheckForeignPlan refuses to lose a plan that its header shows to be another tool's,
// when there is somebody that it may have agreements with. The error is a
// [*RefusedError] that can be forced.
func CheckForeignPlan(m *tflite.Model) error {
	plans, err := ReadPlans(m)
	who := patch.Vendor(m)
	if err != nil || who == "" {
		return nil // what cannot be followed is nobody's
	}
	for _, p := range plans {
		if p.Version != planVersion || int(p.Subgraphs) != len(m.Subgraphs) {
			return &RefusedError{Reason: fmt.Sprintf("the memory plan would go, which is another tool's, and %s may rely on it", who), Force: true}
		}
	}
	return nil
}
