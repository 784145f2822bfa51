package tiling_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkTiles computes what each tile of an operator needs on chip from the elements that its step
// writes, one by one, and sees that the step reads what they are made of.
func checkTiles(t *testing.T, m *tflite.Model, s *tiling.Schedule, r tiling.Run) {
	t.Helper()
	sub := &m.Subgraphs[0]
	o := &sub.Operators[r.First]
	var most int64
	for step := r.FirstStep; step <= r.LastStep; step++ {
		for output, out := range o.Outputs {
			elements := touchedElements(s, &sub.Tensors[out], out, step, true)
			if len(elements) == 0 {
				continue
			}
			needs := int64(len(elements)) * elementBytes(&sub.Tensors[out])
			regions := op.Regions(m, sub, o, output)
			for i, in := range o.Inputs {
				first := slices.Index(o.Inputs, in)
				if in < 0 || first < i && slices.Equal(regions[first], regions[i]) {
					continue
				}
				x := &sub.Tensors[in]
				around := paintedBox(x, regions[i], &sub.Tensors[out], elements)
				count := int64(1)
				for _, span := range around {
					count *= span.To - span.From
				}
				needs += count * elementBytes(x)
				if !x.Constant {
					checkRead(t, s, x, in, step, around)
				}
			}
			most = max(most, needs)
		}
	}
	if r.OnChip != most {
		t.Errorf("operator %d: %d bytes on chip, painted %d", r.First, r.OnChip, most)
	}
}

// checkRead sees that a step reads a box of a tensor.
func checkRead(t *testing.T, s *tiling.Schedule, x *tflite.Tensor, tensor, step int, box op.Box) {
	t.Helper()
	size, _ := x.PackedBytes()
	needed, read := make([]bool, size), map[int64]bool{}
	mark(needed, x, box)
	for _, e := range touchedElements(s, x, tensor, step, false) {
		read[e] = true
	}
	for at, is := range needed {
		if is && !read[int64(at)/elementBytes(x)] {
			t.Fatalf("step %d does not read byte %d of tensor %d", step, at, tensor)
		}
	}
}

// touchedElements returns the elements of a tensor that a step writes, or reads.
func touchedElements(s *tiling.Schedule, x *tflite.Tensor, tensor, step int, write bool) (list []int64) {
	size := elementBytes(x)
	for _, a := range s.Tensors[slices.Index(s.Indexes, tensor)].Accesses {
		for at := a.Lo; a.Step == step && a.Write == write && at < a.Hi; at += size {
			list = append(list, at/size)
		}
	}
	return list
}

// paintedBox returns the box around what each of some elements of an output is made of.
func paintedBox(in *tflite.Tensor, region op.Region, out *tflite.Tensor, elements []int64) (around op.Box) {
	for _, e := range elements {
		box := make(op.Box, len(out.Shape))
		for axis := len(out.Shape) - 1; axis >= 0; axis-- {
			at := e % int64(out.Shape[axis])
			box[axis], e = op.Span{From: at, To: at + 1}, e/int64(out.Shape[axis])
		}
		reads := region.Reads(box)
		if slices.ContainsFunc(reads, op.Span.Empty) {
			continue
		}
		if around == nil {
			around = slices.Clone(reads)
		}
		for axis, s := range reads {
			around[axis] = op.Span{From: min(around[axis].From, s.From), To: max(around[axis].To, s.To)}
		}
	}
	if around == nil {
		around = make(op.Box, len(in.Shape))
	}
	return around
}

func elementBytes(x *tflite.Tensor) int64 { return int64(tflite.ElementBits(x.Type)) / 8 }
