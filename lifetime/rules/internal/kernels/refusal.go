package kernels

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Phase is the point at which the runtime rejects an operator.
type Phase int

// The phases, in chronological order.
const (
	NoKernel Phase = iota // no kernel
	Prepare               // the kernel's preparation, part of AllocateTensors
	Eval                  // the first run
)

// Refusal returns why and when the runtime rejects an operator, or "". Operators that never run are
// only prepared.
func Refusal(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, runs bool) (Phase, string) {
	k := &Kernel{model: m, sub: s, op: o}
	laws, why := k.laws()
	missing := why
	if why := k.anyKernel(); why != "" && (missing == "" || m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorCUSTOM) {
		return Prepare, why // even if an application provides the kernel
	}
	if missing != "" {
		return NoKernel, missing
	}
	if why := k.breaks(laws, Prepare); why != "" {
		return Prepare, why
	}
	if !runs {
		return Eval, ""
	}
	if why := k.breaks(laws, Eval); why != "" {
		return Eval, why
	}
	if i := slices.Index(o.Outputs, -1); i >= 0 {
		return Eval, fmt.Sprintf("its output %d is absent", i)
	}
	return Eval, ""
}

// FillsIn reports whether the kernel replaces the single -1 in the shape of an output, as
// RESHAPE does. Readers of a graph output see the old size, so its shape must be in the file.
func FillsIn(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, output int) bool {
	t := &s.Tensors[o.Outputs[output]]
	return m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorRESHAPE && !t.Output && Stretched(t.Shape)
}

// breaks returns the operator's first violation of a law of the phase, or "".
func (k *Kernel) breaks(laws []law, phase Phase) string {
	for _, l := range laws {
		if l.phase == phase {
			if why := l.why(k); why != "" {
				return why
			}
		}
	}
	return ""
}

// laws returns the requirements of the operator's kernel, or the reason why there is no kernel.
func (k *Kernel) laws() ([]law, string) {
	code := k.model.OperatorCodes[k.op.Code]
	if code.Builtin == schema.BuiltinOperatorCUSTOM {
		row, ok := customRows[code.Custom]
		if !ok {
			return nil, "is a custom operator, whose kernel the application registers"
		}
		return row.laws, k.registeredDecoding()
	}
	row, ok := builtinRows[code.Builtin]
	if !ok {
		return nil, "the runtime has no kernel for it"
	}
	return row.laws, ""
}

// maxRank is above the rank of any real tensor. Hostile files have more dimensions, and
// operators that share them.
const maxRank = 32

// anyKernel returns the reason why the runtime rejects an operator independently of the kernel.
func (k *Kernel) anyKernel() string {
	table := k.op.Table()
	if k.model.OperatorCodes[k.op.Code].Builtin != schema.BuiltinOperatorCUSTOM && table.CustomOptionsLength() > 0 {
		return "has custom options, which the runtime refuses for operators of the format"
	}
	for _, list := range [][]int{k.op.Inputs, k.op.Outputs} {
		for _, t := range list {
			switch {
			case t < 0:
			case ElementBits(k.sub.Tensors[t].Type) == 0:
				return fmt.Sprintf("tensor %d has the type %v, for which the runtime has no size", t, k.sub.Tensors[t].Type)
			case len(k.sub.Tensors[t].Shape) > maxRank:
				return fmt.Sprintf("tensor %d has %d dimensions", t, len(k.sub.Tensors[t].Shape))
			}
		}
	}
	for i, t := range k.op.Outputs {
		if t >= 0 && dynamicOutput(k.sub.Tensors[t].Shape) && !FillsIn(k.model, k.sub, k.op, i) {
			return fmt.Sprintf("its output %d has the shape %v: a dimension that is not positive is dynamic, which the runtime has not", i, k.sub.Tensors[t].Shape)
		}
	}
	for _, t := range k.op.Intermediates {
		if Bytes(&k.sub.Tensors[t]) > 0 {
			return "an intermediate tensor is not empty"
		}
	}
	return ""
}

// dynamicOutput reports whether the runtime treats the shape of an operator's output as
// dynamic. The old form of a scalar, [0], is an exception.
func dynamicOutput(shape []int32) bool {
	if len(shape) == 1 && shape[0] == 0 {
		return false
	}
	for _, d := range shape {
		if d <= 0 {
			return true
		}
	}
	return false
}
