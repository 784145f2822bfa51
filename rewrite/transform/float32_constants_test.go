package transform

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func TestWidenedHalf(t *testing.T) {
	for half, want := range map[uint16]float32{
		0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 0x7bff: 65504, 1: 0x1p-24, 0x83ff: -1023 * 0x1p-24, 0x0400: 0x1p-14,
		0x7c00: float32(math.Inf(1)), 0xfc00: float32(math.Inf(-1)),
	} {
		if got := math.Float32frombits(widenedHalf(half)); got != want {
			t.Errorf("%#04x is %v, want %v", half, got, want)
		}
	}
	if !math.IsNaN(float64(math.Float32frombits(widenedHalf(0x7e00)))) || widenedHalf(0x8000) != 1<<31 {
		t.Error("NaN and -0 stay")
	}
}

func TestFloat32Constants(t *testing.T) {
	data := binary.LittleEndian.AppendUint16(nil, 0x3c00)
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: data}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				{Type: f32, Shape: []int32{1}}, {Type: f16, Shape: []int32{1}, Buffer: 1}, {Type: f32, Shape: []int32{1}}, {Type: f32, Shape: []int32{1}},
			},
			Inputs: []int{0}, Outputs: []int{3},
			Operators: []encode.Operator{
				{Builtin: schema.BuiltinOperatorDEQUANTIZE, Inputs: []int{1}, Outputs: []int{2}},
				{Builtin: schema.BuiltinOperatorMAXIMUM, Inputs: []int{0, 2}, Outputs: []int{3}},
			},
		}},
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	checkRule(t, &float32Constants, example{"a constant", m, "MAXIMUM FLOAT32[1] FLOAT32[1] > FLOAT32[1]"})
	changed, _, err := apply(m, find(m, rules.DefaultDevice(), []*Rule{&float32Constants}, anywhere), nil, (&Options{}).rewrite())
	if err != nil {
		t.Fatal(err)
	}
	s := &changed.Subgraphs[0]
	if got := changed.Buffer(s.Operand(s.Operators[0].Inputs, 1)).Data; binary.LittleEndian.Uint32(got) != math.Float32bits(1) {
		t.Errorf("the constant is %v", got)
	}
}
