package segment

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestAudit changes one thing at a time in the file of a part, which every time is another model then: a scale, a zero
// point, an option, a byte of a weight.
func TestAudit(t *testing.T) {
	m := builtin.Model(t, "mobilenet-v2-int8")
	parts, err := Parts(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Write(m, parts[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := audit(m, parts[0], slices.Clone(file)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*schema.Model) bool{
		"a scale": func(m *schema.Model) bool {
			return inQuantization(m, func(q *schema.QuantizationParameters) bool { return q.MutateScale(0, q.Scale(0)*2) })
		},
		"a zero point": func(m *schema.Model) bool {
			return inQuantization(m, func(q *schema.QuantizationParameters) bool { return q.MutateZeroPoint(0, q.ZeroPoint(0)+1) })
		},
		"a stride": func(m *schema.Model) bool {
			var s schema.SubGraph
			var o schema.Operator
			var c schema.Conv2DOptions
			m.Subgraphs(&s, 0)
			for i := range s.OperatorsLength() {
				s.Operators(&o, i)
				if o.BuiltinOptionsType() != schema.BuiltinOptionsConv2DOptions {
					continue
				}
				table := c.Table()
				if !o.BuiltinOptions(&table) {
					continue
				}
				c.Init(table.Bytes, table.Pos)
				if c.MutateStrideW(c.StrideW() + 1) {
					return true
				}
			}
			return false
		},
		"a weight": func(m *schema.Model) bool {
			var b schema.Buffer
			for i := range m.BuffersLength() {
				if m.Buffers(&b, i); b.DataLength() > 1000 {
					return b.MutateData(b.DataLength()-1, b.Data(b.DataLength()-1)^1)
				}
			}
			return false
		},
	} {
		data := slices.Clone(file)
		if !change(schema.GetRootAsModel(data, 0)) {
			t.Errorf("%s: nothing was changed", name)
		}
		if _, err := tflite.Parse(data, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := audit(m, parts[0], data); err == nil {
			t.Errorf("%s may be another one", name)
		}
	}
}

// inQuantization changes the quantisation of the first tensor that has zero points.
func inQuantization(m *schema.Model, change func(*schema.QuantizationParameters) bool) bool {
	var s schema.SubGraph
	var t schema.Tensor
	m.Subgraphs(&s, 0)
	for i := range s.TensorsLength() {
		s.Tensors(&t, i)
		if q := t.Quantization(nil); q != nil && q.ZeroPointLength() > 0 {
			return change(q)
		}
	}
	return false
}
