package split

import "github.com/tflarena/tflarena/tflite"

// findWhole finds the operators that only constants lead to, such as those that turn
// weights into floats. They are never cut, and what they make counts as constant. They
// run before all others of a stage, which makes a difference where they are in disorder.
func (d *describer) findWhole() {
	d.whole, d.derived = make([]bool, len(d.sub.Operators)), make([]bool, len(d.sub.Tensors))
	for i := range d.sub.Operators {
		op := &d.sub.Operators[i]
		if d.whole[i] = d.onlyConstants(op) && d.disorder(op) == ""; !d.whole[i] {
			continue
		}
		for _, t := range op.Outputs {
			if t >= 0 {
				d.derived[t] = true
			}
		}
	}
}

// onlyConstants says whether an operator has inputs, and all are constant.
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

// constant says whether a tensor is a constant or made from constants alone.
func (d *describer) constant(t int) bool {
	return t >= 0 && (d.sub.Tensors[t].Constant && !d.sub.Tensors[t].Variable || d.derived[t])
}
