package tiling_test

import (
	"testing"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkCascade compares a cascade with its definition: what its steps have read up to each stripe
// includes the inputs of all rows written by then, traced back through the operators.
func checkCascade(t *testing.T, m *tflite.Model, s *tiling.Schedule, r tiling.Run) {
	t.Helper()
	sub := &m.Subgraphs[0]
	read := map[int][]bool{}
	index := map[int]int{}
	for i, at := range s.Indexes {
		read[at], index[at] = make([]bool, s.Tensors[i].Size), i
	}
	out := sub.Operators[r.Last].Outputs[0]
	var written int64
	for step := r.FirstStep; step <= r.LastStep; step++ {
		for at, i := range index {
			for _, a := range s.Tensors[i].Accesses {
				if a.Step != step {
					continue
				}
				for k := a.Lo; !a.Write && k < a.Hi; k++ {
					read[at][k] = true
				}
				if a.Write && at == out {
					written += a.Hi - a.Lo
				}
			}
		}
		for at, needs := range neededFor(m, r, written) {
			for k, need := range needs {
				if need && !read[at][k] {
					t.Fatalf("operators %d to %d: step %d needs byte %d of tensor %d, which no step has read", r.First, r.Last, step, k, at)
				}
			}
		}
	}
}

// neededFor returns which bytes of the tensors off chip the first bytes of a cascade's output
// are made of, row by row.
func neededFor(m *tflite.Model, r tiling.Run, bytes int64) map[int][]bool {
	sub := &m.Subgraphs[0]
	between := map[int]bool{}
	for _, t := range r.Between {
		between[t] = true
	}
	rows := map[int]int64{} // how many rows of each tensor are needed, from the first one on
	last := sub.Operators[r.Last].Outputs[0]
	rows[last] = bytes / rowBytes(&sub.Tensors[last])
	need := map[int][]bool{}
	for k := r.Last; k >= r.First; k-- {
		o := &sub.Operators[k]
		x := &sub.Tensors[o.Outputs[0]]
		box := make(op.Box, len(x.Shape))
		for a, d := range x.Shape {
			box[a] = op.Span{From: 0, To: int64(d)}
		}
		box[rowAxis(x)].To = rows[o.Outputs[0]]
		for i, region := range op.Regions(m, sub, o, 0) {
			t := o.Inputs[i]
			if t < 0 || sub.Tensors[t].Constant {
				continue
			}
			in := &sub.Tensors[t]
			reads := region.Reads(box)
			if between[t] {
				rows[t] = max(rows[t], reads[rowAxis(in)].To)
				continue
			}
			size, _ := in.PackedBytes()
			if need[t] == nil {
				need[t] = make([]bool, size)
			}
			for y := range rows[o.Outputs[0]] { // a box of several rows reads more
				box[rowAxis(x)] = op.Span{From: y, To: y + 1}
				mark(need[t], in, region.Reads(box))
			}
			box[rowAxis(x)] = op.Span{From: 0, To: rows[o.Outputs[0]]}
		}
	}
	return need
}

// mark marks the bytes of a box of elements.
func mark(bytes []bool, t *tflite.Tensor, box op.Box) {
	places := []int64{0}
	for axis, d := range t.Shape {
		var next []int64
		for _, at := range places {
			for k := box[axis].From; k < box[axis].To; k++ {
				next = append(next, at*int64(d)+k)
			}
		}
		places = next
	}
	size := int64(tflite.ElementBits(t.Type)) / 8
	for _, at := range places {
		for k := range size {
			bytes[at*size+k] = true
		}
	}
}

func rowAxis(t *tflite.Tensor) int {
	if len(t.Shape) >= 4 {
		return len(t.Shape) - 3
	}
	return max(len(t.Shape)-2, 0)
}

func rowBytes(t *tflite.Tensor) int64 {
	size, _ := t.PackedBytes()
	return size / int64(max(t.Shape[rowAxis(t)], 1))
}

// TestOnChip counts by hand what a cascade of a convolution and a depthwise one needs on chip, for
// each row of 112 pixels of 32 channels.
func TestOnChip(t *testing.T) {
	m := mobilenet(t)
	g := &tiling.Given{Cascades: []tiling.GivenCascade{{First: 0, Last: 1, Rows: 1}}}
	s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 1 << 20, Given: g})
	if err != nil {
		t.Fatal(err)
	}
	const (
		row     = 112 * 32
		kept    = 3 * row                        // the rows of a window
		picture = 3 * 224 * 3                    // three rows for each row that is new
		weights = 9*3*32 + 4*32 + 9*32 + 4*32    // with biases of four bytes
		want    = kept + row + picture + weights // in all stripes but the first and the last
	)
	if r := s.Runs[0]; r.Kept != kept || r.OnChip != want || r.LastStep != 112 {
		t.Errorf("%d bytes on chip, %d of them kept, want %d and %d", r.OnChip, r.Kept, want, kept)
	}
	if _, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: want - 1, Given: g}); err == nil {
		t.Error("a byte less is enough")
	}
}
