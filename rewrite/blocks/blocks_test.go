package blocks

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// tiled is a model of a convolution in two strips and a pool, and record describes it.
func tiled(records ...[]byte) encode.Model {
	tensor := func(rows int32) encode.Tensor {
		return encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{1, rows, 8, 2}}
	}
	op := func(code schema.BuiltinOperator, out int, in ...int) encode.Operator {
		return encode.Operator{Builtin: code, Inputs: in, Outputs: []int{out}}
	}
	const slice, conv, join = schema.BuiltinOperatorSLICE, schema.BuiltinOperatorRELU, schema.BuiltinOperatorCONCATENATION
	m := encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{tensor(8), tensor(0), tensor(8), tensor(4), tensor(4), tensor(3), tensor(5), tensor(5), tensor(5)},
		Inputs:  []int{0}, Outputs: []int{2},
		Operators: []encode.Operator{
			op(conv, 3, 0), op(conv, 4, 3), op(slice, 6, 0), op(conv, 7, 6), op(conv, 8, 7), op(join, 2, 4, 8),
		},
	}}}
	for i, data := range records {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: data})
		m.Metadata = append(m.Metadata, encode.Metadata{Name: Name, Buffer: i + 1})
	}
	return m
}

func record() *Record {
	shape := []int32{1, 8, 8, 2}
	return &Record{Blocks: []Block{{
		Originals: []Original{{0, shape}, {1, shape}, {2, shape}},
		Operators: []Operator{{Code: 0, Same: true, Inputs: []int{0, -1}, Output: 1}, {Code: 0, Inputs: []int{1}, Output: 2}},
		First:     3,
		Tiles:     []Tile{{1, 0}, {2, 0}, {Original: -1}, {0, 3 * 16}, {1, 3 * 16}, {2, 3 * 16}},
	}}}
}

func encoded(t *testing.T, r *Record) []byte {
	t.Helper()
	data, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRead reads a record back, once or twice in a model.
func TestRead(t *testing.T) {
	data := encoded(t, record())
	for _, m := range []encode.Model{tiled(data), tiled(data, data)} {
		got, err := Read(modelfile.Build(t, m))
		if diff := cmp.Diff(record(), got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	if got, err := Read(modelfile.Build(t, tiled())); got != nil || err != nil {
		t.Errorf("without a record: %v, %v", got, err)
	}
	if len(data) != 47 {
		t.Errorf("%d bytes: %v", len(data), data)
	}
}

// TestRecordOf tells tiled operators from others.
func TestRecordOf(t *testing.T) {
	m := modelfile.Build(t, tiled(encoded(t, record())))
	r := Of(m)
	for i := range m.Subgraphs[0].Operators {
		if !r.Tiled(0, &m.Subgraphs[0].Operators[i]) || r.Tiled(1, &m.Subgraphs[0].Operators[i]) {
			t.Errorf("operator %d", i)
		}
	}
	if r.Tiled(0, &tflite.Operator{Inputs: []int{0, -1}, Outputs: []int{2}}) {
		t.Error("an operator that is none of the block's is one")
	}
	var wholes []int
	for tensor := range 10 {
		wholes = append(wholes, r.Whole(0, tensor))
	}
	if diff := cmp.Diff([]int{-1, -1, -1, 1, 2, -1, 0, 1, 2, -1}, wholes); diff != "" {
		t.Errorf("wholes (-want +got):\n%s", diff)
	}
	if len(Of(modelfile.Build(t, tiled([]byte{9}))).Blocks) != 0 || Size(m) != 47 {
		t.Error("a record that cannot be read has blocks")
	}
}

// TestReadRefuses refuses bytes that are no record, and records of another model.
func TestReadRefuses(t *testing.T) {
	good := encoded(t, record())
	changed := func(change func(*Block)) []byte {
		r := record()
		change(&r.Blocks[0])
		return encoded(t, r)
	}
	for want, data := range map[string][]byte{
		"it ends too early":                {},
		"version 2, and only version 1":    {2},
		"it has a number above 5, 5 B":     {1, 9, 0, 0, 0, 0},
		"a number above 9223372036854775":  {1, 1, 0, 1, 1, 0, 0, 3, 1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"it has a number above 1":          {1, 1, 0, 1, 1, 0, 1, 0, 2, 0, 0, 3, 0},
		"it has a number above -1":         {1, 1, 0, 0, 1, 0, 0, 0, 0, 3, 1, 0},
		"1 B follow its end":               append(slices.Clone(good), 0),
		"0 tensors from index 3":           changed(func(b *Block) { b.Tiles = nil }),
		"6 tensors from index 4":           changed(func(b *Block) { b.First = 4 }),
		"in subgraph 1, but the model has": changed(func(b *Block) { b.Subgraph = 1 }),
		"original tensor 3 is not in":      changed(func(b *Block) { b.Originals[2].Tensor = 3 }),
		"original tensor 0 is not in":      changed(func(b *Block) { b.Originals[1].Tensor = 0 }),
		"tensor 2 has another shape":       changed(func(b *Block) { b.Originals[2].Shape = []int32{1, 8, 8, 3} }),
		"tensor 1 has another shape":       changed(func(b *Block) { b.Originals[1].Shape = []int32{8, 8, 2} }),
		"operator code 3, but":             changed(func(b *Block) { b.Operators[0].Code = 3 }),
		"reads tensors from index 3":       changed(func(b *Block) { b.Operators[1].Inputs[0] = 3 }),
		"two operators make tensor 1":      changed(func(b *Block) { b.Operators[1].Output = 1 }),
		"tensor 3 is not a tile of":        changed(func(b *Block) { b.Operators[0].Code = 1 }),
		"tensor 6 is not a tile of":        changed(func(b *Block) { b.Tiles[3].Start = 4 * 16 }),
		"tensor 7 is not a tile of":        changed(func(b *Block) { b.Tiles[4].Start = 2 }),
		"tensor 8 is not a tile of":        changed(func(b *Block) { b.Tiles[5].Start = 1 << 40 }),
	} {
		checkRefused(t, tiled(data), want)
	}
	checkRefused(t, tiled(good, append([]byte{1}, good...)), "it differs from the one in metadata[0]")
	twice := record()
	twice.Blocks = append(twice.Blocks, twice.Blocks[0])
	checkRefused(t, tiled(encoded(t, twice)), "block 1 is not in order")
	made := tiled(good)
	made.Subgraphs[0].Operators[5].Builtin = schema.BuiltinOperatorADD
	checkRefused(t, made, "tensor 2 is made by operator 5 ADD")
	typed := tiled(good)
	typed.Subgraphs[0].Tensors[4].Type = schema.TensorTypeINT16
	checkRefused(t, typed, "tensor 4 is not a tile of tensor 2")
}

func checkRefused(t *testing.T, model encode.Model, want string) {
	t.Helper()
	r, err := Read(modelfile.Build(t, model))
	if e := (*Error)(nil); r != nil || !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, %v: want %q", r, err, want)
	}
}

// FuzzRead reads any bytes without a panic, and what it accepts it writes again.
func FuzzRead(f *testing.F) {
	good, err := record().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte{1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 3, 1, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		m := modelfile.Build(t, tiled(data))
		r, err := Read(m)
		if err != nil || r == nil {
			return
		}
		for i := range m.Subgraphs[0].Tensors {
			r.Whole(0, i)
		}
		again, err := r.Encode()
		if err != nil || len(again) > len(data) {
			t.Fatalf("%v: %v, %v", data, again, err)
		}
		if other, problem := parse(again, 1<<16); problem != "" || !cmp.Equal(r, other) {
			t.Fatalf("%v, then %v: %s", r, other, problem)
		}
	})
}
