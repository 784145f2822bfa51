package oneop

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

// spoil changes one part of a model and returns a description.
func (d *drawn) spoil() string {
	var operands []int
	for _, i := range append(slices.Clone(d.op.Inputs), d.op.Outputs...) {
		if i >= 0 {
			operands = append(operands, i)
		}
	}
	if len(operands) == 0 {
		return ""
	}
	i := some(d, operands...)
	t := &d.sub.Tensors[i]
	d.computed = d.computed || d.indexes
	switch d.IntN(8) {
	case 0, 1:
		was := t.Type
		t.Type = some(d, f32, i8, u8, i16, i32, i64, boolean)
		d.values[i] = anything(d, t.Type)
		d.computed = d.computed || !d.held[i]
		if t.Type == was {
			return fmt.Sprintf("numbers of %s", d.nameOf(i))
		}
		return fmt.Sprintf("type of %s", d.nameOf(i))
	case 2:
		if len(t.Shape) == 0 {
			return ""
		}
		at := d.IntN(len(t.Shape))
		t.Shape = slices.Clone(t.Shape)
		if other := d.IntN(len(t.Shape)); t.Shape[other] != t.Shape[at] {
			t.Shape[at], t.Shape[other] = t.Shape[other], t.Shape[at]
			return fmt.Sprintf("shape of %s", d.nameOf(i))
		}
		if t.Shape[at] += 1 - 2*d.Int32N(2); t.Shape[at] < 1 {
			t.Shape[at] = 2
		}
		return fmt.Sprintf("shape of %s", d.nameOf(i))
	case 3:
		if d.chance(3) {
			t.Shape, t.HasRank = nil, d.chance(2)
		} else {
			t.Shape = append([]int32{1}, t.Shape...)
		}
		return fmt.Sprintf("rank of %s", d.nameOf(i))
	case 4:
		if n := len(d.op.Inputs); n > 0 {
			d.op.Inputs = d.op.Inputs[:n-1]
			return "last input left out"
		}
	case 5:
		if n := len(d.op.Inputs); n > 0 {
			at := d.IntN(n)
			d.op.Inputs[at] = -1
			return fmt.Sprintf("input %d is -1", at)
		}
	case 6:
		if d.held[i] && t.Type != i4 {
			delete(d.held, i)
			d.computed = true
			return fmt.Sprintf("%s at run time", d.nameOf(i))
		}
		t.Quantization = some(d, none, quantum(0.01, 3), quantum(1.0/256, -128), quantum(1.0/32768, 0), quantum(0.5, 0))
		return fmt.Sprintf("quantisation of %s", d.nameOf(i))
	case 7:
		t.Quantization = d.usual(some(d, i8, i16))
		return fmt.Sprintf("quantisation of %s", d.nameOf(i))
	}
	return ""
}

// nameOf names an operand.
func (d *drawn) nameOf(tensor int) string {
	var names []string
	if i := slices.Index(d.op.Inputs, tensor); i >= 0 {
		names = append(names, fmt.Sprintf("input %d", i))
	}
	if i := slices.Index(d.op.Outputs, tensor); i >= 0 {
		names = append(names, fmt.Sprintf("output %d", i))
	}
	return strings.Join(names, ", ")
}
