package edit

import (
	"bytes"
	"math/rand/v2"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// weighted is a chain of operators, each with a constant of so many bytes, the i-th in
// tensor and buffer i+1. Tensor 0 is the input, and the last is the output.
func weighted(r *rand.Rand, sizes ...int) encode.Model {
	n := len(sizes)
	value := func() encode.Tensor { return encode.Tensor{Name: "value", Shape: []int32{1, 4}} }
	s := encode.Subgraph{Name: "main", Inputs: []int{0}, Outputs: []int{2 * n}, Tensors: []encode.Tensor{value()}}
	m := encode.Model{}
	for i, size := range sizes {
		s.Tensors = append(s.Tensors, encode.Tensor{
			Name: "weight", Type: schema.TensorTypeINT8, Shape: []int32{int32(size)}, Buffer: i + 1,
			Quantization: encode.Quantization{Scales: []float32{1, 2}, Zeros: []int64{0, 0}},
		})
		m.Buffers = append(m.Buffers, encode.Buffer{Data: numbers(r, size)})
	}
	for i := range sizes {
		s.Tensors = append(s.Tensors, value())
		in := n + i
		if i == 0 {
			in = 0
		}
		s.Operators = append(s.Operators, encode.Operator{
			Builtin: schema.BuiltinOperatorFULLY_CONNECTED, Inputs: []int{in, i + 1}, Outputs: []int{n + i + 1},
		})
	}
	m.Subgraphs = []encode.Subgraph{s}
	return m
}

// numbers returns bytes that are small numbers of four bytes too, which may be the length of
// something in a hostile file.
func numbers(r *rand.Rand, size int) []byte {
	var data []byte
	for len(data) < size {
		data = le.AppendUint32(data, uint32(1+r.IntN(40)))
	}
	return data[:size]
}

// inParts makes operator i, if it is kept, read parts of its constant input: as many
// operators as there are parts, and their outputs joined. The parts need not be all of it. They
// are like the whole if they have whole elements.
func (e *making) inParts(m *tflite.Model, i int, parts ...[]byte) {
	op := &e.sub.Operators[i]
	k := slices.IndexFunc(op.Inputs, func(t int) bool { return t >= 0 && e.sub.Tensors[t].Constant })
	if k < 0 || !e.keeps(i) {
		return
	}
	whole := op.Inputs[k]
	size := tflite.ElementBits(e.sub.Tensors[whole].Type) / 8
	broken := func(data []byte) bool { return len(data)%size > 0 }
	if size == 0 || slices.ContainsFunc(parts, broken) {
		whole, size = -1, 1
	}
	var list []Operator
	var outs []int
	for _, data := range parts {
		in := slices.Clone(op.Inputs)
		in[k] = e.tensor(Tensor{Name: "part", Shape: []int32{int32(len(data) / size)}, Like: whole, Type: schema.TensorTypeINT8, Data: data})
		out := e.like("made", op.Outputs[0], e.sub.Tensors[op.Outputs[0]].Shape...)
		list = append(list, Operator{Kind: Piece, Of: i, Inputs: in, Outputs: []int{out}})
		outs = append(outs, out)
	}
	e.replace(i, append(list, Operator{Kind: Concatenation, Inputs: outs, Outputs: op.Outputs})...)
}

// slicesOf cuts data into n parts of nearly the same size.
func slicesOf(data []byte, n int) (list [][]byte) {
	for i := range n {
		list = append(list, data[len(data)*i/n:len(data)*(i+1)/n])
	}
	return list
}

// retiring makes some operators, at random, read parts of their constants at random.
func (e *making) retiring(m *tflite.Model, r *rand.Rand) {
	f := &flow{m: m, e: &e.Edit, sub: e.sub}
	f.inFile()
	for i := range e.sub.Operators {
		op := &e.sub.Operators[i]
		if f.bound[i] || op.Damaged || len(op.Outputs) != 1 || op.Outputs[0] < 0 || hasEffects(m, op) || r.IntN(4) == 0 {
			continue
		}
		for _, dim := range e.sub.Tensors[op.Outputs[0]].Shape {
			if dim <= 0 {
				return
			}
		}
		for _, t := range op.Inputs {
			if t < 0 || !e.sub.Tensors[t].Constant {
				continue
			}
			data := m.Buffer(&e.sub.Tensors[t]).Data
			if len(data) == 0 {
				break
			}
			n := 1 + r.IntN(min(len(data), 9))
			parts := slicesOf(data, n)
			if r.IntN(3) == 0 {
				parts = append(parts, numbers(r, 1+r.IntN(100)))
			}
			e.inParts(m, i, parts...)
			break
		}
	}
}

// goneBuffers returns the buffers that have data in the old file and none in the new one.
func goneBuffers(m, out *tflite.Model) map[int]bool {
	gone := map[int]bool{}
	for i, b := range m.Buffers {
		if b.Data != nil && !out.Buffers[i].Present && out.Buffers[i].Data == nil {
			gone[i] = true
		}
	}
	return gone
}

// checkGone fails unless nothing in the new file has a use for buffer i, and what is where
// its data was, at a place in the new file, are buffers from the given one on and zeros.
func checkGone(t sample.TB, out *tflite.Model, i, added int, now []byte, at int64) {
	t.Helper()
	for s := range out.Subgraphs {
		used := usedTensors(&out.Subgraphs[s])
		for k, tensor := range out.Subgraphs[s].Tensors {
			if n, _ := tensor.PackedBytes(); tensor.Buffer == i && (used[k] || tensor.Input || tensor.Output || n != 0) {
				t.Fatalf("tensor %s has lost its buffer %d", out.TensorID(s, k), i)
			}
		}
	}
	for _, md := range out.Metadata {
		if md.Buffer == i {
			t.Fatalf("metadata %q has lost its buffer %d", md.Name, i)
		}
	}
	now = bytes.Clone(now)
	taken := 0
	for k, b := range out.Buffers {
		from, to := b.Offset-4-at, b.Offset-at+int64(len(b.Data))
		if b.Data == nil || b.Outside || to <= 0 || from >= int64(len(now)) {
			continue
		}
		if k < added || from < 0 || to > int64(len(now)) || b.Offset%16 != 0 {
			t.Fatalf("buffer %d is at %#x, where buffer %d was", k, b.Offset, i)
		}
		clear(now[from:to])
		taken++
	}
	if taken == 0 || len(bytes.Trim(now, "\x00")) > 0 {
		t.Fatalf("%d buffers are where buffer %d was, and something else", taken, i)
	}
}
