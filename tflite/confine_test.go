package tflite

import (
	"encoding/binary"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Shared options are damaged for all operators that share them, even if they were verified
// before.
func TestSharedDamage(t *testing.T) {
	const n = 5
	handle := encode.Operator{
		Builtin: schema.BuiltinOperatorVAR_HANDLE, OptionsType: schema.BuiltinOptionsVarHandleOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			name := b.CreateString("container")
			schema.VarHandleOptionsStart(b)
			schema.VarHandleOptionsAddContainer(b, name)
			return schema.VarHandleOptionsEnd(b)
		},
	}
	var source encode.Subgraph
	for range n {
		source.Operators = append(source.Operators, handle)
	}
	data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{source}})
	good, err := parse(append([]byte{}, data...), "good")
	if err != nil {
		t.Fatal(err)
	}
	// The encoder writes from the end, so the first operator's options are after all others,
	// which can then share them.
	var options schema.VarHandleOptions
	operators := good.Subgraphs[0].Operators
	if !operators[0].Options(schema.BuiltinOptionsVarHandleOptions, &options) {
		t.Fatal("no options")
	}
	for i := range operators {
		at, _ := operatorOptions[unionBuiltinOptions].at(operators[i].table.Table())
		binary.LittleEndian.PutUint32(data[at:], uint32(int64(options.Table().Pos)-at))
	}
	name, length, _ := fieldOf(tableVarHandleOptions, "container").vector(options.Table())
	data[name+int64(length)] = 'x' // in place of its zero byte

	m, err := parse(data, "damaged")
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		o := &m.Subgraphs[0].Operators[i]
		if !o.Damaged || o.Options(schema.BuiltinOptionsVarHandleOptions, &options) {
			t.Errorf("operator %d: damaged %v", i, o.Damaged)
		}
	}
	if len(m.Warnings) != n {
		t.Errorf("%d warnings", len(m.Warnings))
	}
}

// The options of an undamaged operator are found only by their type.
func TestOptions(t *testing.T) {
	m, err := parse(encode.Encode(small()), "small")
	if err != nil {
		t.Fatal(err)
	}
	var o schema.IfOptions
	branch := &m.Subgraphs[0].Operators[1]
	if !branch.Options(schema.BuiltinOptionsIfOptions, &o) || o.ThenSubgraphIndex() != 1 || o.ElseSubgraphIndex() != 2 {
		t.Error("the options of IF were not found")
	}
	var w schema.WhileOptions
	if branch.Options(schema.BuiltinOptionsWhileOptions, &w) || branch.Options(schema.BuiltinOptionsNONE, &w) {
		t.Error("IF has options of WHILE")
	}
	var c schema.StablehloCaseOptions
	if branch.Options2(schema.BuiltinOptions2StablehloCaseOptions, &c) {
		t.Error("IF has options of STABLEHLO_CASE")
	}
	if m.TensorID(1, 0) != "1:0" || TensorPath(1, 2) != "subgraphs[1].tensors[2]" || OperatorPath(0, 3) != "subgraphs[0].operators[3]" {
		t.Error("names")
	}
}
