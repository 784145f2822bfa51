package parts

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
)

// Align is the unit to which TensorFlow Lite Micro rounds sizes up, in bytes.
const Align = 16

// RoundUp rounds bytes up to a multiple of [Align].
func RoundUp(bytes int64) int64 { return integer.RoundUp(bytes, Align) }

// tail returns the approximate persistent bytes that the fragment adds when it replaces operators
// from to to, inclusive; the resulting file is measured.
func (s *scene) tail(from, to int) int64 {
	f := s.fragment
	bytes := rules.TensorTail(s.row.device) * int64(len(f.Tensors))
	for i := range f.Operators {
		bytes += s.operatorTail(&f.Operators[i])
	}
	for i := from; i <= to; i++ {
		bytes -= s.operatorTail(&edit.Operator{Kind: edit.Keep, Of: i})
	}
	return bytes
}

// operatorTail returns the approximate persistent bytes of an operator of the fragment or of the file.
func (s *scene) operatorTail(op *edit.Operator) int64 {
	bytes := s.row.operatorTail(op, s.fragment)
	// BATCH_MATMUL keeps room for transposed operands.
	if _, added := op.Kind.Builtin(); !added && s.row.model.OperatorCodes[s.row.model.Subgraphs[0].Operators[op.Of].Code].Builtin == schema.BuiltinOperatorBATCH_MATMUL {
		if stand, _, _ := s.stand(op); stand != nil {
			bytes += stand.Kept(s.row.device)
		}
	}
	return bytes
}

// setup returns the bytes that the runtime needs for a fragment's tensors while it plans.
func (r *Row) setup(f *split.Fragment) (bytes int64) {
	for i := range f.Tensors {
		bytes += rules.TensorSetup(r.device, f.Tensors[i].Data == nil && f.Tensors[i].Buffer == 0)
	}
	return bytes
}

func (r *Row) operatorTail(op *edit.Operator, f *split.Fragment) int64 {
	if code, added := op.Kind.Builtin(); added {
		return rules.OperatorTail(code, 0, r.device)
	}
	s := &r.model.Subgraphs[0]
	old := &s.Operators[op.Of]
	out := -1
	if op.Kind != edit.Keep {
		out = op.Outputs[0]
	} else if len(old.Outputs) > 0 {
		out = old.Outputs[0]
	}
	var channels int64
	var shape []int32
	switch {
	case out >= len(s.Tensors):
		shape = f.Tensors[out-len(s.Tensors)].Shape
	case out >= 0:
		shape = s.Tensors[out].Shape
	}
	if len(shape) == 4 {
		channels = int64(shape[3])
	}
	return rules.OperatorTail(r.model.OperatorCodes[old.Code].Builtin, channels, r.device)
}
