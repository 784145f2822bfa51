package split_test

import (
	"errors"
	"runtime"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// tall is three convolutions of feature maps with many rows, and few columns, or the other way
// round.
func tall(t *testing.T, rows, columns int32) *tflite.Model {
	t.Helper()
	filter := encode.Tensor{Name: "filter", Shape: []int32{1, 3, 3, 1}, Buffer: 1}
	s := encode.Subgraph{Inputs: []int{0}, Outputs: []int{3}}
	for range 4 {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "picture", Shape: []int32{1, rows, columns, 1}})
	}
	s.Tensors = append(s.Tensors, filter)
	for i := range 3 {
		op := convOperator(slide{padding: schema.PaddingSAME, strideH: 1, strideW: 1, dilateH: 1, dilateW: 1}, schema.ActivationFunctionTypeNONE)
		op.Inputs, op.Outputs = []int{i, 4}, []int{i + 1}
		s.Operators = append(s.Operators, op)
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, 36)}}}), "tall")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWorkDoesNotGrowWithRows: what a cut takes depends on how many pieces there are, and
// not on how many rows or columns the file says.
func TestWorkDoesNotGrowWithRows(t *testing.T) {
	const few, many = 1 << 10, 1 << 28
	for _, s := range []split.Stage{
		{Rows: 16, Columns: 1}, {Rows: 16, Columns: 1, Carry: true}, {Rows: 16, Columns: 1, Mode: split.Keep}, {Rows: 4, Columns: 4}, {Rows: 1, Columns: 16},
	} {
		s.Last = 2
		cost := func(rows, columns int32) uint64 {
			m := tall(t, rows, columns)
			return allocated(func() {
				if _, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors)); err != nil {
					t.Fatalf("%+v: %v", s, err)
				}
			})
		}
		if low, high := cost(few, 16), cost(many, 16); high > 2*low {
			t.Errorf("%+v: %d B for %d rows and %d B for %d", s, low, few, high, many)
		}
		if low, high := cost(16, few), cost(16, many); high > 2*low {
			t.Errorf("%+v: %d B for %d columns and %d B for %d", s, low, few, high, many)
		}
	}
}

// FuzzHostile cuts networks of all kinds of operators that can be cut, when their shapes,
// options, constants and indexes have been changed at will: what is cut is a model again.
func FuzzHostile(f *testing.F) {
	for i := range 60 {
		f.Add(i%2 == 0, uint8(i), []byte{}, uint8(i/3))
		f.Add(i%2 == 0, uint8(37*i), []byte{byte(7 * i), 0, 1, byte(5 * i), 0, byte(i), 1, 3}, uint8(i))
	}
	f.Fuzz(func(t *testing.T, floats bool, from uint8, recipe []byte, way uint8) {
		data, err := mutate.Hostile(floats, from, recipe)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, "hostile")
		if err != nil || len(m.Subgraphs) == 0 {
			return
		}
		split.Cuttable(m)
		split.ChannelCuttable(m)
		n := int(way>>3)%4 + 2
		for r := range split.Runs(m) {
			s := split.Stage{First: r.First, Last: r.Last, Rows: min(n, r.Height), Columns: 1, Carry: way&1 > 0, Widen: way&64 > 0, Mode: split.Mode(way >> 1 & 1)}
			if s.Mode == split.Recompute && way&4 > 0 {
				s.Columns = min(n, r.Width)
			}
			checkHostile(t, m, s)
		}
		for r := range split.ChannelRuns(m, 0) {
			checkHostile(t, m, split.Stage{First: r.First, Last: r.Last, Rows: 1, Columns: 1, Channels: min(n, r.Most)})
		}
	})
}

// checkHostile cuts a stage and puts the pieces in its place: either that is refused, or the
// model that comes out is one.
func checkHostile(t *testing.T, m *tflite.Model, s split.Stage) {
	t.Helper()
	base := len(m.Subgraphs[0].Tensors)
	f, err := split.Cut(m, s, base)
	if refused := new(split.UncuttableError); err != nil {
		if !errors.As(err, &refused) {
			t.Fatalf("%+v: %v", s, err)
		}
		return
	}
	r, err := edit.Apply(m, edit.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}, rewrite.Options{})
	if err != nil {
		if refused := new(rewrite.RefusedError); !errors.As(err, &refused) {
			t.Fatalf("%+v: %v", s, err)
		}
		return
	}
	if _, err := tflite.Parse(r.Data, "cut"); err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
}

// TestMoreInputs: operators with more inputs than they use are cut as if these were not there, or refused.
func TestMoreInputs(t *testing.T) {
	block := func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.SpaceToDepthOptionsStart(b)
		schema.SpaceToDepthOptionsAddBlockSize(b, 2)
		return schema.SpaceToDepthOptionsEnd(b)
	}
	for _, o := range []encode.Operator{
		{Builtin: schema.BuiltinOperatorSPACE_TO_DEPTH, OptionsType: schema.BuiltinOptionsSpaceToDepthOptions, Options: block},
		{Builtin: schema.BuiltinOperatorDEPTH_TO_SPACE, OptionsType: schema.BuiltinOptionsDepthToSpaceOptions, Options: block},
		{Builtin: schema.BuiltinOperatorRELU},
		{Builtin: schema.BuiltinOperatorADD},
		{Builtin: schema.BuiltinOperatorLOGISTIC},
	} {
		out := map[schema.BuiltinOperator][]int32{
			schema.BuiltinOperatorSPACE_TO_DEPTH: {1, 8, 8, 16}, schema.BuiltinOperatorDEPTH_TO_SPACE: {1, 32, 32, 1},
		}[o.Builtin]
		if out == nil {
			out = []int32{1, 16, 16, 4}
		}
		o.Outputs = []int{1}
		for inputs := range 4 {
			o.Inputs = make([]int, inputs+1) // all of them tensor 0
			m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
				Tensors: []encode.Tensor{{Name: "in", Shape: []int32{1, 16, 16, 4}}, {Name: "out", Shape: out}},
				Inputs:  []int{0}, Outputs: []int{1}, Operators: []encode.Operator{o},
			}}}), "more")
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []split.Stage{{Rows: 4, Columns: 1}, {Rows: 2, Columns: 2}, {Rows: 4, Columns: 1, Mode: split.Keep}} {
				checkHostile(t, m, s)
			}
		}
	}
}
