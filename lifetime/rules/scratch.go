package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Request is one scratch buffer that a kernel asks for while it is prepared. The
// runtime places it itself, alive while its operator runs.
type Request struct {
	Subgraph, Operator int
	// Bytes is the size asked for, before rounding.
	Bytes int64
}

// ReferenceScratch returns what the reference kernels of TensorFlow Lite Micro ask
// for, in the order in which they ask: subgraph by subgraph, operator by operator.
// pointer is the size of a pointer on the target in bytes, 4 or 8. Optimised kernel
// libraries ask for other sizes. (Kernels of tflite-micro 90b983c2.)
func ReferenceScratch(m *tflite.Model, pointer int64) []Request {
	var requests []Request
	for i := range m.Subgraphs {
		s := &m.Subgraphs[i]
		for j := range s.Operators {
			k := kernel{m, s, &s.Operators[j], pointer}
			for _, bytes := range k.scratch() {
				requests = append(requests, Request{i, j, bytes})
			}
		}
	}
	return requests
}

// WithScratch returns the view's records followed by one for each request, as the
// runtime's planner sees them: a scratch buffer is alive while its operator runs,
// with all that runs inside it, and its size is rounded like a tensor's. Requests of zero
// bytes and of operators that never run are left out.
func (v *View) WithScratch(requests []Request) []lifetime.Record {
	type place struct{ subgraph, operator int }
	span := map[place][2]int{}
	for position, step := range v.Usage.Steps {
		at := place{step.Subgraph, step.Operator}
		first, seen := span[at]
		if !seen {
			first[0] = position
		}
		span[at] = [2]int{first[0], position}
	}
	for s := range v.Graph.Subgraphs {
		for _, op := range v.Graph.Subgraphs[s].Operators {
			at := place{s, op.Index}
			if alive, runs := span[at]; runs {
				span[at] = [2]int{alive[0], alive[1] + v.inside(op.Calls)}
			}
		}
	}
	records := slices.Clone(v.Usage.Records)
	for i, r := range requests {
		alive, runs := span[place{r.Subgraph, r.Operator}]
		if r.Bytes <= 0 || !runs {
			continue
		}
		records = append(records, lifetime.Record{
			ID:    fmt.Sprintf("scratch:%d", i),
			Name:  fmt.Sprintf("scratch of operator %d of subgraph %d", r.Operator, r.Subgraph),
			First: alive[0], Last: alive[1],
			Size: roundUp(r.Bytes, max(v.Rules.RoundSizes, 1)), Align: v.Rules.Align,
		})
	}
	return records
}

// kernel is one operator as its kernel sees it while it is prepared.
type kernel struct {
	model   *tflite.Model
	sub     *tflite.Subgraph
	op      *tflite.Operator
	pointer int64
}

// scratch returns the sizes the operator's kernel asks for, in its order.
func (k kernel) scratch() []int64 {
	switch k.model.OperatorCodes[k.op.Code].Builtin {
	case schema.BuiltinOperatorCUSTOM:
		return k.custom()
	case schema.BuiltinOperatorADD_N:
		return []int64{k.pointer * int64(len(k.op.Inputs))}
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED:
		if k.inputType(1) == schema.TensorTypeINT4 {
			return []int64{k.elements(k.input(1))}
		}
	case schema.BuiltinOperatorMIRROR_PAD:
		return []int64{4 * k.rank(0), 4 * k.rank(0)}
	case schema.BuiltinOperatorMEAN, schema.BuiltinOperatorSUM:
		return k.mean()
	case schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOperatorREDUCE_MIN, schema.BuiltinOperatorREDUCE_ALL:
		return k.axes()
	case schema.BuiltinOperatorSVDF:
		return k.svdf()
	case schema.BuiltinOperatorTRANSPOSE_CONV:
		return k.transposeConv()
	case schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM:
		return k.lstm()
	}
	return nil
}

func (k kernel) tensor(list []int, i int) *tflite.Tensor {
	if i >= len(list) || list[i] < 0 {
		return nil
	}
	return &k.sub.Tensors[list[i]]
}

func (k kernel) input(i int) *tflite.Tensor  { return k.tensor(k.op.Inputs, i) }
func (k kernel) output(i int) *tflite.Tensor { return k.tensor(k.op.Outputs, i) }

// inputType returns the type of an input, or -1 where there is none.
func (k kernel) inputType(i int) schema.TensorType {
	if t := k.input(i); t != nil {
		return t.Type
	}
	return -1
}

func (k kernel) rank(i int) int64 {
	if t := k.input(i); t != nil {
		return int64(len(t.Shape))
	}
	return 0
}

// elements returns the number of elements, zero where it has none to speak of.
func (k kernel) elements(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	n, ok := t.Elements()
	if !ok || n > maxSize {
		return 0
	}
	return n
}

// dim returns a dimension of a tensor, or zero.
func dim(t *tflite.Tensor, i int) int64 {
	if t == nil || i >= len(t.Shape) || t.Shape[i] < 0 {
		return 0
	}
	return int64(t.Shape[i])
}

// axes are the two small buffers of the reductions: an index over the input's
// dimensions, and the resolved axes.
func (k kernel) axes() []int64 {
	return []int64{4 * k.rank(0), 4 * k.elements(k.input(1))}
}

// mean adds the accumulators of the integer kernels.
func (k kernel) mean() []int64 {
	switch k.inputType(0) {
	case schema.TensorTypeINT8, schema.TensorTypeINT16:
		return append([]int64{4 * k.elements(k.output(0))}, k.axes()...)
	}
	return k.axes()
}

// svdf accumulates in one value a filter, and in integer kernels in one a unit.
func (k kernel) svdf() []int64 {
	batch, filters, units := dim(k.input(0), 0), dim(k.input(1), 0), dim(k.output(0), 1)
	sizes := []int64{4 * batch * filters}
	if k.inputType(0) == schema.TensorTypeINT8 {
		sizes = append(sizes, 4*batch*units)
	}
	return sizes
}

func (k kernel) transposeConv() []int64 {
	out := k.elements(k.output(0))
	switch k.inputType(2) {
	case schema.TensorTypeINT8:
		return []int64{4 * out}
	case schema.TensorTypeINT16:
		sizes := []int64{8 * out}
		if k.inputType(3) == schema.TensorTypeINT16 {
			sizes = append(sizes, 8*k.elements(k.input(3)))
		}
		return sizes
	}
	return nil
}

// custom knows the one custom kernel of the runtime's own that asks for scratch: the
// FFT copies its input, padded to its length N, of which the output has N/2+1 complex
// values.
func (k kernel) custom() []int64 {
	out := k.output(0)
	if k.op.Name != "SignalRfft" || out == nil || len(out.Shape) == 0 {
		return nil
	}
	length := dim(out, len(out.Shape)-1) - 2
	return []int64{max(length, 0) * microSizes(out.Type) / 8}
}

// lstm asks for four gate buffers of the size of the cell state.
func (k kernel) lstm() []int64 {
	const cellState = 19
	t := k.input(cellState)
	if t == nil {
		return nil
	}
	bytes := k.elements(t) * microSizes(t.Type) / 8
	return []int64{bytes, bytes, bytes, bytes}
}

// Extra returns, for each subgraph and each place in its Operators, the bytes of the
// requests that a kernel has there, rounded as the runtime does.
func (v *View) Extra(requests []Request) [][]int64 {
	extra := make([][]int64, len(v.Graph.Subgraphs))
	place := make([]map[int]int, len(v.Graph.Subgraphs))
	for s := range v.Graph.Subgraphs {
		operators := v.Graph.Subgraphs[s].Operators
		extra[s], place[s] = make([]int64, len(operators)), map[int]int{}
		for i := range operators {
			place[s][operators[i].Index] = i
		}
	}
	for _, r := range requests {
		if r.Subgraph < len(place) {
			if i, ok := place[r.Subgraph][r.Operator]; ok && r.Bytes > 0 {
				extra[r.Subgraph][i] += roundUp(r.Bytes, max(v.Rules.RoundSizes, 1))
			}
		}
	}
	return extra
}
