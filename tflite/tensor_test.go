package tflite

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/schema"
)

// Elements and PackedBytes agree with arithmetic that cannot overflow.
func TestSizesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.OneOf(rapid.Int32Range(0, 9), rapid.Int32Range(0, 1<<31-1), rapid.Int32Range(-2, 2))
		tensor := Tensor{
			Type:  schema.TensorType(rapid.IntRange(0, 22).Draw(t, "type")),
			Shape: rapid.SliceOfN(dim, 0, 6).Draw(t, "shape"),
		}
		want, known := big.NewInt(1), true
		for _, d := range tensor.Shape {
			known = known && d >= 0
			want.Mul(want, big.NewInt(int64(d)))
		}
		n, ok := tensor.Elements()
		if ok != (known && want.IsInt64()) || ok && n != want.Int64() {
			t.Fatalf("%v has %d elements, %v, want %v", tensor.Shape, n, ok, want)
		}
		// Rounded up to a whole byte.
		bits := ElementBits(tensor.Type)
		want.Mul(want, big.NewInt(int64(bits)))
		want.Div(want.Add(want, big.NewInt(7)), big.NewInt(8))
		size, sized := tensor.PackedBytes()
		if sized != (ok && bits > 0 && want.IsInt64()) || sized && size != want.Int64() {
			t.Fatalf("%v %v takes %d B, %v, want %v", tensor.Type, tensor.Shape, size, sized, want)
		}
	})
}

func TestElementBits(t *testing.T) {
	dynamic := map[string]bool{"STRING": true, "RESOURCE": true, "VARIANT": true}
	for tt, name := range schema.EnumNamesTensorType {
		if (ElementBits(tt) == 0) != dynamic[name] {
			t.Errorf("%s has %d bits", name, ElementBits(tt))
		}
	}
	for _, tt := range []schema.TensorType{-128, -1, 23, 127} {
		if ElementBits(tt) != 0 {
			t.Errorf("type %d has a size", tt)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		tt    schema.TensorType
		shape []int32
		want  int64
		ok    bool
	}{
		{schema.TensorTypeFLOAT32, nil, 4, true},
		{schema.TensorTypeFLOAT32, []int32{}, 4, true},
		{schema.TensorTypeFLOAT32, []int32{0}, 0, true},
		{schema.TensorTypeINT4, []int32{3}, 2, true},
		{schema.TensorTypeUINT4, []int32{4}, 2, true},
		{schema.TensorTypeINT2, []int32{5}, 2, true},
		{schema.TensorTypeCOMPLEX128, []int32{2, 3}, 96, true},
		{schema.TensorTypeSTRING, []int32{1}, 0, false},
		{schema.TensorTypeINT8, []int32{-1, 0}, 0, false},
		{schema.TensorTypeINT8, []int32{1 << 30, 1 << 30, 1 << 30, 0}, 0, true},
		{schema.TensorTypeINT8, []int32{1 << 30, 1 << 30, 8}, 0, false},
	} {
		tensor := Tensor{Type: c.tt, Shape: c.shape}
		if got, ok := tensor.PackedBytes(); got != c.want || ok != c.ok {
			t.Errorf("%v%v: %d, %v, want %d, %v", c.tt, c.shape, got, ok, c.want, c.ok)
		}
	}
}

func TestDynamic(t *testing.T) {
	for _, c := range []struct {
		t    Tensor
		want bool
	}{
		{Tensor{}, false},
		{Tensor{Shape: []int32{1}, Signature: []int32{1}}, false},
		{Tensor{Shape: []int32{-1}}, true},
		{Tensor{Shape: []int32{1}, Signature: []int32{-1}}, true},
	} {
		if c.t.Dynamic() != c.want {
			t.Errorf("%v is dynamic: %v", c.t, !c.want)
		}
	}
}
