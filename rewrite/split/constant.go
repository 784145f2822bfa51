package split

import "github.com/tflarena/tflarena/tflite"

// findWhole finds the operators that depend only on constants, such as those that dequantise
// weights. They are never split, and their outputs count as constant. They run before all
// others of a stage; this matters if the file's order is not topological.
func (d *describer) findWhole() {
	d.whole, d.derived = make([]bool, len(d.sub.Operators)), make([]bool, len(d.sub.Tensors))
	for i := range d.sub.Operators {
		op := &d.sub.Operators[i]
		if d.whole[i] = d.onlyConstants(op) && d.orderProblem(op) == ""; !d.whole[i] {
			continue
		}
		for _, t := range op.Outputs {
			if t >= 0 {
				d.derived[t] = true
			}
		}
	}
}

// onlyConstants reports whether an operator has inputs and all are constant.
func (d *describer) onlyConstants(op *tflite.Operator) bool {
	some := false
	for _, t := range op.Inputs {
		if t >= 0 && !d.constant(t) {
			return false
		}
		some = some || t >= 0
	}
	return some && len(op.Subgraphs) == 0 && d.model.OperatorCodes[op.Code].Custom == ""
}

// constant reports whether a tensor is a constant or computed from constants alone.
func (d *describer) constant(t int) bool {
	return t >= 0 && (d.sub.Tensors[t].Constant && !d.sub.Tensors[t].Variable || d.derived[t])
}
