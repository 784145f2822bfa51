package op_test

import (
	"encoding/binary"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A shapeGraph is a model that computes values from the shape of its only input, "x".
type shapeGraph struct {
	sub     encode.Subgraph
	buffers []encode.Buffer
}

// newShapeGraph has an input of the given shape.
func newShapeGraph(x ...int32) *shapeGraph {
	g := &shapeGraph{}
	g.sub.Inputs = []int{g.tensor(schema.TensorTypeFLOAT32, x)}
	g.sub.Tensors[0].Name = "x"
	return g
}

func (g *shapeGraph) tensor(kind schema.TensorType, shape []int32) int {
	g.sub.Tensors = append(g.sub.Tensors, encode.Tensor{Type: kind, Shape: shape, HasRank: true})
	return len(g.sub.Tensors) - 1
}

// numbers is a constant of INT32: a scalar, or a vector.
func (g *shapeGraph) numbers(list ...int32) int {
	var data []byte
	for _, x := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(x))
	}
	g.buffers = append(g.buffers, encode.Buffer{Data: data})
	k := g.tensor(schema.TensorTypeINT32, []int32{int32(len(list))})
	g.sub.Tensors[k].Buffer = len(g.buffers)
	return k
}

func (g *shapeGraph) scalar(x int32) int {
	k := g.numbers(x)
	g.sub.Tensors[k].Shape = []int32{}
	return k
}

// add adds an operator whose options are the fields of their table in order, nil for omitted
// ones. It returns its first output.
func (g *shapeGraph) add(code schema.BuiltinOperator, tag schema.BuiltinOptions, options []any, outputs int, out encode.Tensor, inputs ...int) int {
	version := map[schema.BuiltinOperator]int32{schema.BuiltinOperatorBROADCAST_TO: 2}[code] // LiteRT has no older one
	o := encode.Operator{Builtin: code, Version: version, Inputs: inputs, OptionsType: tag}
	if tag != 0 {
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			b.StartObject(len(options))
			for slot, v := range options {
				switch v := v.(type) {
				case bool:
					b.PrependBoolSlot(slot, v, false)
				case schema.TensorType:
					b.PrependInt8Slot(slot, int8(v), 0)
				case int32:
					b.PrependInt32Slot(slot, v, 0)
				}
			}
			return b.EndObject()
		}
	}
	first := len(g.sub.Tensors)
	for range outputs {
		o.Outputs = append(o.Outputs, g.tensor(out.Type, out.Shape))
		g.sub.Tensors[len(g.sub.Tensors)-1].HasRank = out.HasRank
	}
	g.sub.Operators = append(g.sub.Operators, o)
	return first
}

var integers = encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{}}

// vector is an output of n numbers.
func vector(n int) encode.Tensor {
	return encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{int32(n)}, HasRank: true}
}

// shape is SHAPE of x.
func (g *shapeGraph) shape() int {
	return g.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, []any{schema.TensorTypeINT32}, 1, vector(len(g.sub.Tensors[0].Shape)), 0)
}

// element is one value of a vector, taken by STRIDED_SLICE in the form of old converters, which
// do not distinguish a scalar from an unknown shape.
func (g *shapeGraph) element(of int, i int32) int {
	return g.add(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(0), int32(0), int32(0), int32(0), int32(1)}, 1,
		integers, of, g.numbers(i), g.numbers(i+1), g.numbers(1))
}

// pack is a vector of scalars.
func (g *shapeGraph) pack(scalars ...int) int {
	return g.add(schema.BuiltinOperatorPACK, schema.BuiltinOptionsPackOptions, []any{int32(len(scalars)), int32(0)}, 1, vector(len(scalars)), scalars...)
}

// floats is an output of some shape.
func floats(shape ...int32) encode.Tensor {
	return encode.Tensor{Type: schema.TensorTypeFLOAT32, Shape: shape, HasRank: true}
}

// data returns the model file with the given output tensor.
func (g *shapeGraph) data(output int) []byte {
	s := g.sub
	s.Outputs = []int{output}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: g.buffers})
}

func (g *shapeGraph) model(t *testing.T, output int) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(g.data(output), "shapes")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestShapesOfShapes has the ways in which converters compute a shape from an input's shape.
func TestShapesOfShapes(t *testing.T) {
	flatten := newShapeGraph(1, 4, 6)
	v := flatten.shape()
	flat := flatten.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, floats(1, 24), 0, flatten.pack(flatten.element(v, 0), flatten.scalar(-1)))

	fill := newShapeGraph(1, 4, 6)
	v = fill.shape()
	two := fill.add(schema.BuiltinOperatorGATHER, schema.BuiltinOptionsGatherOptions, []any{int32(0)}, 1, vector(2), v, fill.numbers(2, 0))
	joined := fill.add(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions, []any{int32(0)}, 1, vector(3), two, fill.numbers(5))
	filled := fill.add(schema.BuiltinOperatorFILL, 0, nil, 1, encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{6, 1, 5}, HasRank: true}, joined, fill.scalar(7))

	spread := newShapeGraph(1, 4, 6)
	long := spread.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, []any{schema.TensorTypeINT64}, 1, encode.Tensor{Type: schema.TensorTypeINT64, Shape: []int32{3}, HasRank: true}, 0)
	short := spread.add(schema.BuiltinOperatorCAST, schema.BuiltinOptionsCastOptions, []any{schema.TensorTypeINT64, schema.TensorTypeINT32}, 1, vector(3), long)
	twice := spread.add(schema.BuiltinOperatorMUL, schema.BuiltinOptionsMulOptions, nil, 1, vector(3), short, spread.numbers(2, 1, 1))
	wide := spread.add(schema.BuiltinOperatorBROADCAST_TO, 0, nil, 1, floats(2, 4, 6), 0, twice)

	for name, c := range map[string]struct {
		g      *shapeGraph
		output int
		want   []int32
	}{
		"SHAPE, STRIDED_SLICE, PACK, RESHAPE":       {flatten, flat, []int32{3, 40}},
		"SHAPE, GATHER, CONCATENATION, FILL":        {fill, filled, []int32{8, 3, 5}},
		"SHAPE of 64 bits, CAST, MUL, BROADCAST_TO": {spread, wide, nil},
	} {
		got, err := op.WithShapes(c.g.model(t, c.output), map[string][]int32{"x": {3, 5, 8}})
		if c.want == nil {
			if err == nil || !strings.Contains(err.Error(), "BROADCAST_TO makes are not known: the shapes [6 5 8] and") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if shape := got.Subgraphs[0].Tensors[c.output].Shape; !slices.Equal(shape, c.want) {
			t.Errorf("%s: %v, want %v", name, shape, c.want)
		}
	}
}

// TestUnknownShapesOfShapes computes a shape with an operator without facts: the file's shape
// must not be kept.
func TestUnknownShapesOfShapes(t *testing.T) {
	g := newShapeGraph(1, 4, 6)
	odd := g.add(schema.BuiltinOperatorBITWISE_XOR, 0, nil, 1, vector(3), g.shape(), g.numbers(1, 1, 1))
	out := g.add(schema.BuiltinOperatorFILL, 0, nil, 1, floats(0, 5, 7), odd, g.scalar(7))
	_, err := op.WithShapes(g.model(t, out), map[string][]int32{"x": {3, 5, 8}})
	if err == nil || !strings.Contains(err.Error(), "operator 0:2 FILL makes are not known: its input 0 is not a constant") {
		t.Error(err)
	}
	// With the shape of the file, nothing changes.
	if _, err := op.WithShapes(g.model(t, out), map[string][]int32{"x": {1, 4, 6}}); err != nil {
		t.Error(err)
	}
}

// TestReductionOfNothing reduces a tensor without elements, whose other dimensions do not
// affect the work.
func TestReductionOfNothing(t *testing.T) {
	g := newShapeGraph(1, 4)
	vast := encode.Tensor{Type: schema.TensorTypeINT32, Shape: []int32{1 << 30, 1 << 30, 0}, HasRank: true}
	empty := g.add(schema.BuiltinOperatorFILL, 0, nil, 1, vast, g.numbers(vast.Shape...), g.scalar(7))
	out := g.add(schema.BuiltinOperatorREDUCE_PROD, schema.BuiltinOptionsReducerOptions, []any{false}, 1, encode.Tensor{Type: schema.TensorTypeINT32, HasRank: true}, empty, g.numbers(0, 1, 2))
	if list, known := valuesOf(t, g.model(t, out), out, []int32{2, 4}); known {
		t.Error(list)
	}
}
