package refusals

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// What kernels that call subgraphs ask for.

// called returns a subgraph that the operator calls, nil where there is none.
func (k kernel) called(i int) *tflite.Subgraph {
	if i >= len(k.op.Subgraphs) {
		return nil
	}
	return &k.model.Subgraphs[k.op.Subgraphs[i]]
}

// fits says how a subgraph that is called differs from what the operator hands over.
func fits(s *tflite.Subgraph, inputs, outputs int) string {
	switch {
	case s == nil:
		return "it names no subgraph"
	case len(s.Inputs) != inputs || len(s.Outputs) != outputs:
		return fmt.Sprintf("subgraph %d has %d inputs and %d outputs, and it is called with %d and %d",
			s.Index, len(s.Inputs), len(s.Outputs), inputs, outputs)
	}
	return ""
}

var branch = laws(counts(1, -1, -1), has(in(0)), takes(in(0), boolean), count(in(0), 1), prepare(func(k kernel) string {
	for i := range 2 {
		if why := fits(k.called(i), len(k.op.Inputs)-1, len(k.op.Outputs)); why != "" {
			return why
		}
	}
	return ""
}))

var loop = []law{prepare(func(k kernel) string {
	n := len(k.op.Inputs)
	if len(k.op.Outputs) != n {
		return fmt.Sprintf("it has %d inputs and %d outputs", n, len(k.op.Outputs))
	}
	if why := fits(k.called(0), n, 1); why != "" {
		return why
	}
	return fits(k.called(1), n, n)
})}

var once = []law{prepare(func(k kernel) string { return fits(k.called(0), 0, 0) })}
