package transform

import (
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
)

// TestRulesTogether: random networks have the same outputs in TensorFlow Lite Micro before and after all rules together, applied
// wherever they match, several times.
func TestRulesTogether(t *testing.T) {
	n := 12
	if *golden.Audit {
		n = 1000
	}
	oracle.Each(t, n, func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		d := newDraft(5, uint64(i))
		before := d.parse(t, d.network())
		after := allForced(t, before)
		if after == before {
			return
		}
		a := oracle.Request{Runtime: "tflm", Model: sample.Written(t, before.Data), Arena: 1 << 20, Seed: 1, Invokes: 2, Inputs: 1, Outputs: 1}
		b := a
		b.Model = sample.Written(t, after.Data)
		was := runtimes.Run(t, a)
		if was.Error != "" {
			t.Errorf("network %d: %s", i, was.Error)
		}
		sample.SameRun(t, fmt.Sprintf("network %d", i), was, runtimes.Run(t, b))
	})
}

// network adds a chain of operators to which rules apply, some of them with other readers, and returns its output.
func (d *draft) network() int {
	x := d.image(some(d, f32, i8))
	for range 1 + d.IntN(5) {
		x = d.imageStep(x)
	}
	shape := d.sub.Tensors[x].Shape
	if d.IntN(2) == 0 {
		x = d.reshape(x, shape[0], int32(elements(shape[1:])))
	}
	for range d.IntN(4) {
		x = d.rowStep(x)
	}
	return x
}

// imageStep adds an operator that makes another image.
func (d *draft) imageStep(x int) int {
	shape := d.sub.Tensors[x].Shape
	w := slide{in: [2]int32(shape[1:3]), kernel: [2]int32{1, 1}, stride: [2]int32{1, 1}, dilation: [2]int32{1, 1}, padding: some(d, schema.PaddingSAME, schema.PaddingVALID)}
	switch d.IntN(8) {
	case 0:
		return d.conv(x, w.fixed(), d.dim(8))
	case 1:
		w.kernel, w.padding = w.in, schema.PaddingVALID
		return d.conv(x, w.fixed(), d.dim(8))
	case 2:
		w.kernel = [2]int32{min(2, w.in[0]), min(3, w.in[1])}
		return d.depthwise(x, w.fixed(), d.dim(3))
	case 3:
		y := d.pad(x, []int32{0, 0, 1, 1, 0, 1, 0, 0}, false)
		w.in, w.kernel, w.padding = [2]int32{w.in[0] + 2, w.in[1] + 1}, [2]int32{3, 2}, schema.PaddingVALID
		return d.conv(y, w.fixed(), d.dim(4))
	case 4:
		return d.reshape(x, shape...)
	case 5:
		return d.connected(x, shape[3], d.dim(8), true, false)
	case 6:
		w.kernel, w.padding = w.in, schema.PaddingVALID
		return d.pool(schema.BuiltinOperatorAVERAGE_POOL_2D, x, w.fixed(), schema.ActivationFunctionTypeNONE)
	}
	return d.reshape(d.reshape(x, int32(elements(shape))), shape...)
}

// rowStep adds an operator that makes rows, or keeps them.
func (d *draft) rowStep(x int) int {
	shape := d.sub.Tensors[x].Shape
	n := int32(elements(shape))
	switch d.IntN(4) {
	case 0:
		return d.reshape(x, n/shape[len(shape)-1], shape[len(shape)-1])
	case 1:
		return d.reshape(x, 1, n)
	}
	return d.connected(x, some(d, shape[len(shape)-1], n), 4*d.dim(4), false, d.IntN(2) == 0)
}
