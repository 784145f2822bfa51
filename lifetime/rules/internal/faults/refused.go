package faults

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Phase is the point at which the runtime rejects an operator.
type Phase int

// The phases, in chronological order.
const (
	Lookup  Phase = iota // no kernel
	Prepare              // the kernel's preparation, part of AllocateTensors
	Eval                 // the first run
)

// Of returns why and when the runtime rejects an operator, or "". Operators that never run are
// only prepared.
func Of(m *tflite.Model, s *tflite.Subgraph, o *tflite.Operator, runs bool) (Phase, string) {
	k := kernel{m, s, o}
	laws, why := k.laws()
	missing := why
	if why := k.anyKernel(); why != "" && (missing == "" || m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorCUSTOM) {
		return Prepare, why // even if an application provides the kernel
	}
	if missing != "" {
		return Lookup, missing
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
	return m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorRESHAPE && !t.Output && kernels.Stretched(t.Shape)
}

// A kernel is one operator as seen by its kernel.
type kernel struct {
	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
}

// breaks returns the operator's first violation of a law of the phase, or "".
func (k kernel) breaks(laws []law, phase Phase) string {
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
func (k kernel) laws() ([]law, string) {
	code := k.model.OperatorCodes[k.op.Code]
	if code.Builtin == schema.BuiltinOperatorCUSTOM {
		laws, ok := customKernels[code.Custom]
		if !ok {
			return nil, "is a custom operator for which the runtime has no kernel of its own"
		}
		return laws, k.registeredDecoding()
	}
	laws, ok := builtinKernels[code.Builtin]
	if !ok {
		return nil, "the runtime has no kernel for it"
	}
	return laws, ""
}

// maxRank is above the rank of any real tensor. Hostile files have more dimensions, and
// operators that share them.
const maxRank = 32

// anyKernel returns the reason why the runtime rejects an operator independently of the kernel.
func (k kernel) anyKernel() string {
	table := k.op.Table()
	if k.model.OperatorCodes[k.op.Code].Builtin != schema.BuiltinOperatorCUSTOM && table.CustomOptionsLength() > 0 {
		return "has custom options, which the runtime refuses for operators of the format"
	}
	for _, list := range [][]int{k.op.Inputs, k.op.Outputs} {
		for _, t := range list {
			switch {
			case t < 0:
			case kernels.ElementBits(k.sub.Tensors[t].Type) == 0:
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
		if kernels.Bytes(&k.sub.Tensors[t]) > 0 {
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

func (k kernel) input(i int) *tflite.Tensor  { return k.sub.Operand(k.op.Inputs, i) }
func (k kernel) output(i int) *tflite.Tensor { return k.sub.Operand(k.op.Outputs, i) }
