package edit

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Options of a piece are those of its parent but for the padding; of Piece they are
// the same table.
func TestApplyOptions(t *testing.T) {
	for _, c := range convFiles() {
		m := modelfile.Parse(t, c.encode())
		e := keepAll(m, 0)
		e.strips(m, 0)
		r, out := apply(t, m, e)
		checkApplied(t, m, &e.Edit, r)
		for _, op := range out.Subgraphs[0].Operators {
			var conv schema.Conv2DOptions
			var depthwise schema.DepthwiseConv2DOptions
			switch {
			case op.Options(schema.BuiltinOptionsConv2DOptions, &conv):
				bias := schema.TensorTypeFLOAT32
				if c.kind == schema.TensorTypeINT8 {
					bias = schema.TensorTypeINT32
				}
				if conv.Padding() != schema.PaddingVALID || conv.StrideH() != c.stride || conv.StrideW() != c.stride ||
					conv.DilationHFactor() != 1 || conv.FusedActivationFunction() != c.activation || conv.QuantizedBiasType() != bias {
					t.Errorf("%+v: options changed", c)
				}
			case op.Options(schema.BuiltinOptionsDepthwiseConv2DOptions, &depthwise):
				if depthwise.Padding() != schema.PaddingVALID || depthwise.StrideH() != c.stride || depthwise.DepthMultiplier() != c.out/c.in ||
					depthwise.DilationWFactor() != 1 || depthwise.FusedActivationFunction() != c.activation {
					t.Errorf("%+v: options changed", c)
				}
			}
		}
	}
}

// Pools keep their options too.
func TestApplyPool(t *testing.T) {
	source := sample.Chain()
	op := &source.Subgraphs[0].Operators[1]
	op.Builtin, op.OptionsType = schema.BuiltinOperatorAVERAGE_POOL_2D, schema.BuiltinOptionsPool2DOptions
	op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.Pool2DOptionsStart(b)
		schema.Pool2DOptionsAddStrideW(b, 2)
		schema.Pool2DOptionsAddStrideH(b, 3)
		schema.Pool2DOptionsAddFilterWidth(b, 4)
		schema.Pool2DOptionsAddFilterHeight(b, 5)
		schema.Pool2DOptionsAddFusedActivationFunction(b, schema.ActivationFunctionTypeRELU)
		return schema.Pool2DOptionsEnd(b)
	}
	m := modelfile.Build(t, source)
	e := keepAll(m, 0)
	e.Operators[1] = Operator{Kind: Valid, Of: 1, Inputs: []int{2}, Outputs: []int{3}}
	r, out := apply(t, m, e)
	checkApplied(t, m, &e.Edit, r)
	var pool schema.Pool2DOptions
	if !out.Subgraphs[0].Operators[1].Options(schema.BuiltinOptionsPool2DOptions, &pool) || pool.Padding() != schema.PaddingVALID ||
		pool.StrideW() != 2 || pool.StrideH() != 3 || pool.FilterWidth() != 4 || pool.FilterHeight() != 5 ||
		pool.FusedActivationFunction() != schema.ActivationFunctionTypeRELU {
		t.Error("options changed")
	}
	source.Subgraphs[0].Operators[1].Options = nil
	checkEditRefused(t, modelfile.Build(t, source), &e.Edit, "has no options of its kind that could be read", false)
}

// The codes of new operators have the version that the type and the rank of their input
// ask for, and one of the file is taken where it is the same.
func TestApplyCodes(t *testing.T) {
	type codes map[string]int32
	for _, c := range []struct {
		kind  schema.TensorType
		shape []int32
		want  codes
	}{
		{schema.TensorTypeFLOAT32, []int32{1, 4}, codes{"PAD": 1, "SLICE": 1, "STRIDED_SLICE": 1, "CONCATENATION": 1}},
		{schema.TensorTypeUINT8, []int32{1, 4}, codes{"PAD": 1, "SLICE": 1, "STRIDED_SLICE": 1, "CONCATENATION": 1}},
		{schema.TensorTypeINT8, []int32{1, 4}, codes{"PAD": 2, "SLICE": 2, "STRIDED_SLICE": 2, "CONCATENATION": 2}},
		{schema.TensorTypeINT16, []int32{1, 4}, codes{"PAD": 3, "SLICE": 4, "STRIDED_SLICE": 1, "CONCATENATION": 3}},
		{schema.TensorTypeBOOL, []int32{1, 4}, codes{"PAD": 1, "SLICE": 1, "STRIDED_SLICE": 3, "CONCATENATION": 1}},
		{schema.TensorTypeINT8, []int32{1, 1, 1, 1, 4}, codes{"PAD": 4, "SLICE": 5, "STRIDED_SLICE": 4, "CONCATENATION": 2}},
	} {
		source := sample.Chain()
		source.Subgraphs[0].Tensors[0] = encode.Tensor{Name: "in", Type: c.kind, Shape: c.shape}
		source.Subgraphs[0].Operators[2].Builtin = schema.BuiltinOperatorSLICE // version 1
		m := modelfile.Build(t, source)
		e := keepAll(m, 0)
		for kind := Pad; kind <= Concatenation; kind++ {
			in := make([]int, builtins[added[kind]].least)
			e.Operators = append(e.Operators, Operator{Kind: kind, Inputs: in, Outputs: []int{e.like("new", 0, c.shape...)}, Axis: -1})
		}
		r, out := apply(t, m, e)
		checkApplied(t, m, &e.Edit, r)
		got := codes{}
		for _, op := range out.Subgraphs[0].Operators[3:] {
			code := out.OperatorCodes[op.Code]
			got[op.Name] = code.Version
			if code.NewField != code.Builtin {
				t.Errorf("%s: the new field is %s", op.Name, code.NewField)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v %v (-want +got):\n%s", c.kind, c.shape, diff)
		}
		if added := len(out.OperatorCodes) - len(m.OperatorCodes); (added == 3) != (c.want["SLICE"] == 1) {
			t.Errorf("%v: %d codes added", c.kind, added)
		}
	}
}

// A cut quantisation has the range's numbers, a whole one is the same table, and tensors
// with the same data share a buffer.
func TestApplyChannels(t *testing.T) {
	m := modelfile.Parse(t, convFiles()[4].encode())
	e := keepAll(m, 0)
	data := bytes.Repeat([]byte{1}, 3*3*3*4)
	a := e.tensor(Tensor{Name: "a", Shape: []int32{3, 3, 3, 4}, Like: 1, Channels: &Range{2, 5}, Data: data})
	b := e.tensor(Tensor{Name: "b", Shape: []int32{3, 3, 3, 4}, Like: 1, Channels: &Range{5, 8}, Data: bytes.Clone(data)})
	whole := e.tensor(Tensor{Name: "whole", Shape: []int32{8, 1}, Like: 1, Channels: &Range{0, 8}})
	one := e.tensor(Tensor{Name: "one", Shape: []int32{8, 1}, Like: 0, Channels: &Range{3, 4}})
	old := e.tensor(Tensor{Name: "old", Shape: []int32{9, 32}, Like: -1, Type: schema.TensorTypeINT8, Buffer: 1})
	_, out := apply(t, m, e)
	tensors := out.Subgraphs[0].Tensors
	if tensors[a].Buffer != tensors[b].Buffer || !bytes.Equal(out.Buffers[tensors[a].Buffer].Data, data) || tensors[old].Buffer != 1 {
		t.Errorf("buffers: %+v", tensors)
	}
	if at := out.Buffers[tensors[a].Buffer].Offset; at%patch.Alignment != 0 {
		t.Errorf("data at %d", at)
	}
	quantisation := func(i int) *schema.QuantizationParameters {
		table := tensors[i].Table()
		return table.Quantization(nil)
	}
	all := quantisation(1)
	for i, from := range map[int]int{a: 2, b: 5} {
		q := quantisation(i)
		if q.ScaleLength() != 3 || q.ZeroPointLength() != 3 || q.QuantizedDimension() != 0 {
			t.Fatalf("%d scales, %d zero points", q.ScaleLength(), q.ZeroPointLength())
		}
		for k := range 3 {
			if q.Scale(k) != all.Scale(from+k) || q.ZeroPoint(k) != all.ZeroPoint(from+k) {
				t.Errorf("channel %d differs", k)
			}
		}
	}
	if q := quantisation(old); q != nil {
		t.Error("a tensor like none has a quantisation")
	}
	for i, like := range map[int]int{whole: 1, one: 0} {
		if x, y := quantisation(i).Table(), quantisation(like).Table(); x.Pos != y.Pos {
			t.Errorf("tensor %d does not share its quantisation", i)
		}
	}
}

// Edits that fit no model are errors that say why.
func TestApplyErrors(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	like := Tensor{Name: "new", Shape: []int32{1, 4}, Like: 2}
	slice := func(from, to int) Operator {
		return Operator{Kind: Slice, Inputs: []int{from, 1, 1}, Outputs: []int{to}}
	}
	piece := func(of, from, to int) Operator {
		return Operator{Kind: Piece, Of: of, Inputs: []int{from}, Outputs: []int{to}}
	}
	for want, change := range map[string]func(e *making){
		"edit of subgraph 1: the model has 1 subgraphs":  func(e *making) { e.Subgraph = 1 },
		"edit of subgraph -1: the model has 1 subgraphs": func(e *making) { e.Subgraph = -1 },
		"like tensor 5, but the subgraph has 5":          func(e *making) { e.tensor(Tensor{Like: 5}) },
		"like tensor -2, but the subgraph has 5":         func(e *making) { e.tensor(Tensor{Like: -2}) },
		"shape [1 0] has the dimension 0":                func(e *making) { e.like("", 2, 1, 0) },
		"shape [-1] has the dimension -1":                func(e *making) { e.like("", 2, -1) },
		"channels [2, 2) are none": func(e *making) {
			e.tensor(Tensor{Like: 2, Shape: []int32{1}, Channels: &Range{2, 2}})
		},
		"type 99 is not known": func(e *making) { e.tensor(Tensor{Like: -1, Type: 99}) },
		"STRING[1] has no size": func(e *making) {
			e.tensor(Tensor{Like: -1, Type: schema.TensorTypeSTRING, Shape: []int32{1}})
		},
		"FLOAT32[2147483647 2147483647 2147483647] has no size":      func(e *making) { e.like("", 2, 1<<31-1, 1<<31-1, 1<<31-1) },
		"buffer 3, the model has 3":                                  func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{1}, Buffer: 3}) },
		"buffer -1, the model has 3":                                 func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{1}, Buffer: -1}) },
		"both data of its own and buffer 1":                          func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{1}, Buffer: 1, Data: make([]byte, 4)}) },
		"data of 3 B for a tensor that takes 4 B":                    func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{1}, Data: make([]byte, 3)}) },
		"data of 0 B for a tensor that takes 4 B":                    func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{1}, Data: []byte{}}) },
		"buffer 1 has 16 B, but the tensor takes 20 B":               func(e *making) { e.tensor(Tensor{Like: 2, Shape: []int32{5}, Buffer: 1}) },
		"operator 1: operator 3 of the file, but the subgraph has 3": func(e *making) { e.Operators[1].Of = 3 },
		"operator 1: operator -1 of the file":                        func(e *making) { e.Operators[1].Of = -1 },
		"operator 0: operator 3 of the file":                         func(e *making) { e.Operators[0] = piece(3, 0, 2) },
		"kind 10 is not known":                                       func(e *making) { e.Operators[0].Kind = 10 },
		"ADD cannot be added":                                        func(e *making) { e.Operators[0].Kind = New },
		"kind -1 is not known":                                       func(e *making) { e.Operators[0].Kind = -1 },
		"input tensor 5, there are 5":                                func(e *making) { e.Operators[0] = piece(0, 5, 2) },
		"input tensor -2, there are 5":                               func(e *making) { e.Operators[0] = piece(0, -2, 2) },
		"output tensor 5, there are 5":                               func(e *making) { e.Operators[0] = piece(0, 0, 5) },
		"output tensor -1, there are 5":                              func(e *making) { e.Operators[0] = piece(0, 0, -1) },
		"SLICE cannot have 2 inputs": func(e *making) {
			e.Operators[0] = Operator{Kind: Slice, Inputs: []int{0, 1}, Outputs: []int{2}}
		},
		"PAD cannot have 0 outputs":          func(e *making) { e.Operators[0] = Operator{Kind: Pad, Inputs: []int{0, 1}} },
		"CONCATENATION cannot have 0 inputs": func(e *making) { e.Operators[0] = Operator{Kind: Concatenation, Outputs: []int{2}} },
		"SLICE cannot do without an input": func(e *making) {
			e.Operators[0] = Operator{Kind: Slice, Inputs: []int{0, 1, -1}, Outputs: []int{2}}
		},
		"operator 0:0 FULLY_CONNECTED of the file: FULLY_CONNECTED has no padding that could be changed": func(e *making) {
			e.Operators[0] = piece(0, 0, 2)
			e.Operators[0].Kind = Valid
		},
		"operator 1: operator 0 of the file is kept twice": func(e *making) { e.Operators[1].Of = 0 },
		`operator 0 reads tensor 0:3 "b", which no operator before it makes`: func(e *making) {
			e.Operators[0], e.Operators[2] = e.Operators[2], e.Operators[0]
		},
		`operator 1 reads tensor 0:3 "b", which no operator before it makes`: func(e *making) {
			e.Operators = append(e.Operators[:1], e.Operators[2:]...)
		},
		`tensor 0:4 "out" is an output of the graph, but no operator makes it`: func(e *making) { e.Operators = e.Operators[:2] },
		`operator 3 makes tensor 0:2 "a", which is there already`:              func(e *making) { e.Operators = append(e.Operators, slice(0, 2)) },
		`operator 3 makes tensor 0:0 "in", which is there already`:             func(e *making) { e.Operators = append(e.Operators, slice(2, 0)) },
		`operator 3 makes tensor 0:1 "weight", which is there already`:         func(e *making) { e.Operators = append(e.Operators, slice(2, 1)) },
		`operator 0 reads tensor 0:5 "new", which no operator before it makes`: func(e *making) {
			e.tensor(like)
			e.Operators[0] = piece(0, 5, 2)
		},
		`operator 4 makes tensor 0:5 "new", which is there already`: func(e *making) {
			e.tensor(like)
			e.Operators = append(e.Operators, slice(2, 5), slice(2, 5))
		},
	} {
		e := keepAll(m, 0)
		change(e)
		checkEditError(t, m, &e.Edit, want)
	}
}

func checkEditError(t *testing.T, m *tflite.Model, e *Edit, want string) {
	t.Helper()
	_, err := Apply(m, *e, rewrite.Options{Force: true})
	if refused := (*patch.RefusedError)(nil); err == nil || errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
