package tflite

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
)

// A damage is a modification of the small model.
type damage struct {
	name string
	// model modifies the model, bytes the encoded file.
	model func(*encode.Model)
	bytes func(data []byte, m *Model)
}

// put returns a damage that overwrites four bytes at a position in the file.
func put(name string, value uint32, at func(*Model) int64) damage {
	return damage{name: name, bytes: func(data []byte, m *Model) {
		binary.LittleEndian.PutUint32(data[at(m):], value)
	}}
}

// build returns a damage done before encoding.
func build(name string, model func(*encode.Model)) damage { return damage{name: name, model: model} }

// operatorAt returns the position of a field of operator i of the first subgraph.
func operatorAt(f fieldRef, i int) func(*Model) int64 {
	return func(m *Model) int64 {
		pos, _ := f.at(m.Subgraphs[0].Operators[i].table.Table())
		return pos
	}
}

func rootField(name string) func(*Model) int64 {
	return func(m *Model) int64 {
		pos, _ := fieldOf(tableModel, name).at(schema.GetRootAsModel(m.Data, 0).Table())
		return pos
	}
}

// target returns the target of the offset at a position.
func target(at func(*Model) int64) func(*Model) int64 {
	return func(m *Model) int64 {
		return at(m) + int64(binary.LittleEndian.Uint32(m.Data[at(m):]))
	}
}

// behind returns the position n bytes after another one.
func behind(n int64, at func(*Model) int64) func(*Model) int64 {
	return func(m *Model) int64 { return at(m) + n }
}

// slot returns a damage that moves the version to an offset in the root table.
func slot(name string, offset uint16) damage {
	return damage{name: name, bytes: func(data []byte, m *Model) {
		root := int64(schema.GetRootAsModel(data, 0).Table().Pos)
		vtable := root - int64(int32At(data, root))
		binary.LittleEndian.PutUint16(data[vtable+4:], offset)
	}}
}

func damages() []damage {
	start := func(*Model) int64 { return 0 }
	inputs, options := operatorAt(operatorInputs, 0), operatorAt(fieldOf(tableOperator, "builtin_options"), 1)
	description, subgraphs := rootField("description"), rootField("subgraphs")
	op := func(m *encode.Model, i int) *encode.Operator { return &m.Subgraphs[0].Operators[i] }
	tensor := func(m *encode.Model, i int) *encode.Tensor { return &m.Subgraphs[0].Tensors[i] }
	return []damage{
		put("root outside", 0x7ffffff0, start),
		put("root misaligned", 25, start),
		put("root zero", 0, start),
		slot("field before its table's fields", 2),
		slot("field misaligned", 6),
		slot("field behind its table", 0x100),
		put("offset zero", 0, subgraphs),
		put("offset outside", 0xfffffff0, subgraphs),
		put("offset misaligned", 0x22, subgraphs),
		put("vector too long", 0xf0000000, target(inputs)),
		put("vector of tables too long", 0x40000000, target(subgraphs)),
		put("table without vtable", 0x7fffffff, behind(0, target(behind(4, target(subgraphs))))),
		put("string too long", 0x7fffffff, target(description)),
		put("string without end", 4, target(description)),
		put("tensor index", 0x7fffffff, behind(4, target(inputs))),
		put("branch misaligned", 0x3, options),
		put("branch below zero", 0xffffffff, func(m *Model) int64 {
			var o schema.IfOptions
			m.Subgraphs[0].Operators[1].Options(schema.BuiltinOptionsIfOptions, &o)
			pos, _ := fieldOf(tableIfOptions, "then_subgraph_index").at(o.Table())
			return pos
		}),
		build("no subgraphs", func(m *encode.Model) { m.Subgraphs, m.Signatures = nil, nil }),
		build("operator input", func(m *encode.Model) { op(m, 0).Inputs[2] = -2 }),
		build("operator output", func(m *encode.Model) { op(m, 1).Outputs[0] = 6 }),
		build("intermediate", func(m *encode.Model) { op(m, 0).Intermediates[0] = -1 }),
		build("graph input", func(m *encode.Model) { m.Subgraphs[0].Inputs = []int{0, 9} }),
		build("graph output", func(m *encode.Model) { m.Subgraphs[1].Outputs = []int{-1} }),
		build("buffer", func(m *encode.Model) { tensor(m, 3).Buffer = 4 }),
		build("negative dimension", func(m *encode.Model) { tensor(m, 3).Shape = []int32{1, -4} }),
		build("short constant", func(m *encode.Model) { tensor(m, 1).Shape = []int32{17} }),
		build("overflowing constant", func(m *encode.Model) { tensor(m, 1).Shape = []int32{1 << 30, 1 << 30, 1 << 30} }),
		build("metadata buffer", func(m *encode.Model) { m.Metadata[0].Buffer = 5 }),
		build("signature subgraph", func(m *encode.Model) { m.Signatures[0].Subgraph = 3 }),
		build("signature tensor", func(m *encode.Model) { m.Signatures[0].Outputs["b"] = 6 }),
		build("branch outside", func(m *encode.Model) { *op(m, 1) = ifOperator(nil, nil, 1, 3) }),
		build("circle", func(m *encode.Model) {
			m.Subgraphs[2].Operators = []encode.Operator{ifOperator(nil, nil, 1, 0)}
		}),
		build("buffer outside the file", func(m *encode.Model) {
			m.Buffers[0] = encode.Buffer{Offset: 1 << 20, Size: 16}
		}),
		build("buffer size wraps", func(m *encode.Model) {
			m.Buffers[0] = encode.Buffer{Offset: 64, Size: 1<<64 - 32}
		}),
	}
}

// damagedOptions damages options that no lifetime depends on.
func damagedOptions() damage {
	d := put("damaged options", 0x7ffffff0, operatorAt(fieldOf(tableOperator, "builtin_options"), 1))
	d.model = func(m *encode.Model) { m.Subgraphs[0].Operators[1].Builtin = schema.BuiltinOperatorADD }
	return d
}

// apply returns the damaged file.
func (d damage) apply(t *testing.T) []byte {
	t.Helper()
	source := small()
	if d.model != nil {
		d.model(&source)
	}
	data := encode.Encode(source)
	if d.bytes == nil {
		return data
	}
	m, err := parse(append([]byte{}, data...), "small")
	if err != nil {
		t.Fatal(err)
	}
	d.bytes(data, m)
	return data
}

// Every damage is rejected with its path and offset.
func TestErrors(t *testing.T) {
	var got strings.Builder
	for _, d := range damages() {
		_, err := parse(d.apply(t), "spoilt")
		if err == nil {
			t.Errorf("%s: was accepted", d.name)
		}
		fmt.Fprintf(&got, "%s: %v\n", d.name, err)
	}
	golden.File(t, filepath.Join("testdata", "errors.golden"), []byte(got.String()))
}

// Unusual but harmless contents are accepted, with a warning.
func TestWarnings(t *testing.T) {
	cases := []damage{
		build("nothing", func(*encode.Model) {}),
		build("anonymous", func(m *encode.Model) { m.Anonymous = true }),
		build("version", func(m *encode.Model) { m.Version = 4 }),
		build("long constant", func(m *encode.Model) { m.Subgraphs[0].Tensors[1].Shape = []int32{15} }),
		build("unknown constant", func(m *encode.Model) { m.Subgraphs[0].Tensors[1].Shape = []int32{-1} }),
		build("empty data", func(m *encode.Model) { m.Buffers[0].Data = []byte{} }),
		build("variable with data", func(m *encode.Model) { m.Subgraphs[0].Tensors[2].Buffer = 1 }),
		build("external and embedded", func(m *encode.Model) { m.Subgraphs[0].Tensors[1].External = 1 }),
		build("signature", func(m *encode.Model) { m.Subgraphs[0].Tensors[0].Dynamic = []int32{-1} }),
		build("compressed", func(m *encode.Model) {
			m.Subgraphs[0].Tensors[1].Shape = []int32{64}
			m.Metadata[0].Name = "COMPRESSION_METADATA"
		}),
		build("new type", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Type = 23 }),
		build("name", func(m *encode.Model) { m.Subgraphs[0].Tensors[3].Name = "\xff" }),
		build("nameless custom", func(m *encode.Model) {
			m.Subgraphs[0].Operators[0].Builtin = schema.BuiltinOperatorCUSTOM
		}),
		build("other options", func(m *encode.Model) {
			m.Subgraphs[0].Operators[1].Builtin = schema.BuiltinOperatorWHILE
		}),
		build("options of a newer schema", func(m *encode.Model) {
			m.Subgraphs[0].Operators[1].OptionsType = 200
			m.Subgraphs[0].Operators[1].Builtin = schema.BuiltinOperatorADD
		}),
		damagedOptions(),
		build("buffer inside", func(m *encode.Model) { m.Buffers[0] = encode.Buffer{Offset: 64, Size: 16} }),
	}
	var got strings.Builder
	for _, c := range cases {
		m, err := parse(c.apply(t), c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkLaws(t, m)
		fmt.Fprintf(&got, "%s: %v\n", c.name, m.Warnings)
	}
	golden.File(t, filepath.Join("testdata", "warnings.golden"), []byte(got.String()))
}
