package transform

import (
	"math"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// TestNearMisses: a rule does not apply to a model that differs in one respect from one to which it applies.
func TestNearMisses(t *testing.T) {
	tensor := func(d *draft, operator, input int) *[]int64 {
		return &d.sub.Tensors[d.sub.Operators[operator].Inputs[input]].Quantization.Zeros
	}
	conv := func(d *draft) int { return d.conv(d.input(i8, 1, 8, 1, 4), pointwise(8), 4) }
	connected := func(d *draft) int { return d.connected(d.input(i8, 1, 8), 8, 4, false, false) }
	two := func(d *draft) int { return d.connected(connected(d), 4, 3, false, false) }
	one := func(d *draft) int { return d.conv(d.input(i8, 1, 8, 1, 1), pointwise(8), 4) }
	pads := func(d *draft, kind schema.TensorType) int {
		x := d.input(kind, 1, 8, 8, 2)
		y := d.pad(x, []int32{0, 0, 1, 1, 1, 1, 0, 0}, false)
		w := slide{in: [2]int32{10, 10}, kernel: [2]int32{3, 3}, stride: [2]int32{1, 1}, dilation: [2]int32{1, 1}, padding: schema.PaddingVALID}
		return d.conv(y, w.fixed(), 3)
	}
	mean := func(d *draft) int {
		x := d.input(f32, 1, 3, 3, 4)
		return d.mean(x, d.like(x, 1, 1, 1, 4), []int32{1, 2}, true)
	}
	for _, test := range []struct {
		rule   *Rule
		name   string
		draw   func(d *draft) int
		change func(d *draft)
	}{
		{&convToFullyConnected, "weights with a zero point", conv, func(d *draft) { *tensor(d, 0, 1) = []int64{3} }},
		{&convToFullyConnected, "a computed filter", conv, func(d *draft) { d.computed(0, 1) }},
		{&fullyConnectedToConv, "weights with a zero point", connected, func(d *draft) { *tensor(d, 0, 1) = []int64{3} }},
		{&fullyConnectedToConv, "a computed bias", connected, func(d *draft) { d.computed(0, 2) }},
		{&fullyConnectedRank4, "another reader", two, func(d *draft) { d.relu(d.sub.Operators[0].Outputs[0]) }},
		{&fullyConnectedRank4, "an output of the network", two, func(d *draft) { d.sub.Outputs = []int{d.sub.Operators[0].Outputs[0]} }},
		{&convToDepthwise, "a computed filter", one, func(d *draft) { d.computed(0, 1) }},
		{&padToSame, "padding that SAME has elsewhere", func(d *draft) int { return pads(d, i8) }, func(d *draft) { d.repad(2, 0, 2) }},
		{&padToSame, "another reader of the PAD", func(d *draft) int { return pads(d, i8) }, func(d *draft) { d.relu(d.sub.Operators[0].Outputs[0]) }},
		{&padToSame, "another quantisation", func(d *draft) int { return pads(d, i8) }, func(d *draft) {
			q := &d.sub.Tensors[d.sub.Operators[0].Outputs[0]].Quantization
			q.Scales = []float32{q.Scales[0] * 2}
		}},
		{&padToSame, "an infinite weight", func(d *draft) int { return pads(d, f32) }, func(d *draft) {
			buffer := d.sub.Tensors[d.sub.Operators[1].Inputs[1]].Buffer - 1
			copy(d.model.Buffers[buffer].Data, []byte{0, 0, 0x80, 0x7f})
		}},
		{&meanToAveragePool, "another axis", mean, func(d *draft) { d.axes(1, 3) }},
		{&meanToAveragePool, "integers", mean, func(d *draft) {
			for _, i := range []int{d.sub.Inputs[0], d.sub.Operators[0].Outputs[0]} {
				d.sub.Tensors[i].Type, d.sub.Tensors[i].Quantization = i8, d.quantum(i8)
			}
		}},
	} {
		d := plainDraft()
		output := test.draw(d)
		if forced(t, d.parse(t, output), test.rule) == nil {
			t.Errorf("%s does not apply without %s", test.rule.Name, test.name)
		}
		test.change(d)
		if outputs := append(slices.Clone(d.sub.Outputs), output); forced(t, d.parse(t, outputs...), test.rule) != nil {
			t.Errorf("%s applies in spite of %s", test.rule.Name, test.name)
		}
	}
}

// computed makes an input of an operator an input of the graph.
func (d *draft) computed(operator, input int) {
	i := d.sub.Operators[operator].Inputs[input]
	d.sub.Tensors[i].Buffer = 0
	d.sub.Inputs = append(d.sub.Inputs, i)
}

// repad changes the padding of one dimension in the constant of the first operator.
func (d *draft) repad(place int, before, after byte) {
	data := d.model.Buffers[d.sub.Tensors[d.sub.Operators[0].Inputs[1]].Buffer-1].Data
	data[4*place], data[4*place+4] = before, after
}

// axes changes the axes of the first operator.
func (d *draft) axes(list ...byte) {
	data := d.model.Buffers[d.sub.Tensors[d.sub.Operators[0].Inputs[1]].Buffer-1].Data
	for i, axis := range list {
		data[4*i] = axis
	}
}

// TestMultiplier: a multiplier is that of the runtimes' QuantizeMultiplier.
func TestMultiplier(t *testing.T) {
	for real, want := range map[float64]multiplier{
		0: {}, 0.5: {1 << 30, 0}, 1: {1 << 30, 1}, 0.75: {3 << 29, 0}, 1 - math.Exp2(-40): {1 << 30, 1}, math.Exp2(-40): {}, math.Exp2(-31): {1 << 30, -30},
	} {
		if got := multiplierOf(real); got != want {
			t.Errorf("%g: %v, want %v", real, got, want)
		}
	}
}
