package slim

import (
	"strings"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// usedTensors returns for each tensor of a subgraph whether an operator, the subgraph or a
// signature uses it.
func usedTensors(m *tflite.Model, s int) []bool {
	sub := &m.Subgraphs[s]
	used := make([]bool, len(sub.Tensors))
	add := func(lists ...[]int) {
		for _, list := range lists {
			for _, t := range list {
				if t >= 0 {
					used[t] = true
				}
			}
		}
	}
	add(sub.Inputs, sub.Outputs)
	for i := range sub.Operators {
		add(sub.Operators[i].Inputs, sub.Operators[i].Outputs, sub.Operators[i].Intermediates)
	}
	for t := range signed(m, s) {
		used[t] = true
	}
	return used
}

// signed returns the tensors of a subgraph that signatures name.
func signed(m *tflite.Model, s int) map[int]bool {
	tensors := map[int]bool{}
	for _, signature := range m.Signatures {
		if signature.Subgraph != s {
			continue
		}
		for _, list := range [][]tflite.SignatureTensor{signature.Inputs, signature.Outputs} {
			for _, t := range list {
				tensors[t.Tensor] = true
			}
		}
	}
	return tensors
}

// named returns the tensors of a subgraph whose names programs use.
func named(m *tflite.Model, s int) map[int]bool {
	tensors := signed(m, s)
	if s == 0 {
		for _, list := range [][]int{m.Subgraphs[0].Inputs, m.Subgraphs[0].Outputs} {
			for _, t := range list {
				tensors[t] = true
			}
		}
	}
	return tensors
}

// usesName reports whether LiteRT reads the name of a subgraph: it does not allocate subgraphs
// that validate a delegate, which it knows by their names.
func usesName(s *tflite.Subgraph) bool { return strings.HasPrefix(s.Name, "VALIDATION:") }

// hasDetails reports whether the quantisation of a tensor may name other tensors by index.
func hasDetails(t *tflite.Tensor) bool {
	table := t.Table()
	q := table.Quantization(nil)
	return q != nil && q.DetailsType() != schema.QuantizationDetailsNONE
}

// usedCodes returns for each operator code whether an operator has it.
func usedCodes(m *tflite.Model) []bool {
	used := make([]bool, len(m.OperatorCodes))
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			used[m.Subgraphs[s].Operators[i].Code] = true
		}
	}
	return used
}
