package rewrite

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/tflite"
)

// Foreign says, for the end of a sentence, what shows that a plan of a model is another
// tool's: its header, or tensors that share memory on purpose, other than outputs that take
// over inputs, of which the file says enough. It is "" where nothing does. v is what [Verify]
// says of the model, nil where that is not known.
func (p *Plan) Foreign(m *tflite.Model, v *Verification) string {
	var signs []string
	if p.Version != planVersion {
		signs = append(signs, fmt.Sprintf("its header has version %d, where this tool writes %d", p.Version, planVersion))
	}
	if int(p.Subgraphs) != len(m.Subgraphs) {
		signs = append(signs, fmt.Sprintf("its header says %d subgraphs of %d", p.Subgraphs, len(m.Subgraphs)))
	}
	if n := v.aliases(); n > 0 {
		signs = append(signs, fmt.Sprintf("tensors share memory on purpose (overlaps: %d)", n))
	}
	return strings.Join(signs, ", and ")
}

// aliases counts the tensors that share memory on purpose, but for takeovers.
func (v *Verification) aliases() (n int) {
	if v == nil {
		return 0
	}
	for _, f := range v.Findings {
		if f.Severity == Aliasing && f.Law != LawTakeover {
			n++
		}
	}
	return n
}
