package slim_test

import (
	"bytes"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/slim"
	"github.com/tflarena/tflarena/schema"
)

// TestSlim removes everything that nothing needs, and keeps the names that programs use.
func TestSlim(t *testing.T) {
	m := modelfile.Build(t, wasteful())
	check(t, m, rewrite.Options{})
	r, out := slimmed(t, m)
	var names []string
	for _, x := range out.Subgraphs[0].Tensors {
		names = append(names, x.Name)
	}
	if diff := cmp.Diff([]string{"input", "", "in between", "", "output"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if out.Description != "" || out.Subgraphs[0].Name != "" || len(out.Buffers) != 3 || len(out.Metadata) != 1 || out.Metadata[0].Name != "min_runtime_version" {
		t.Errorf("description %q, name %q, %d buffers, metadata %v", out.Description, out.Subgraphs[0].Name, len(out.Buffers), out.Metadata)
	}
	if s := out.Signatures[0]; s.Key != "serve" || s.Inputs[0].Tensor != 0 || s.Outputs[0].Tensor != 2 {
		t.Errorf("signature %+v", s)
	}
	saved := map[slim.Kind]int64{}
	for _, s := range r.Savings {
		saved[s.Kind] = s.Bytes
	}
	for _, kind := range []slim.Kind{slim.Names, slim.DebugMetadata, slim.Tensors, slim.Buffers, slim.DuplicateBuffers, slim.DuplicateTables} {
		if saved[kind] < 16 {
			t.Errorf("%s: %d B saved", kind, saved[kind])
		}
	}
}

// TestMerged: constants and quantisations with equal contents share their bytes, and shapes do
// not.
func TestMerged(t *testing.T) {
	_, out := slimmed(t, modelfile.Build(t, wasteful()))
	x, y := &out.Subgraphs[0].Tensors[1], &out.Subgraphs[0].Tensors[3]
	s, u := x.Table(), y.Table()
	p, q := s.Quantization(nil), u.Quantization(nil)
	if x.Buffer != y.Buffer || p.Table().Pos != q.Table().Pos {
		t.Errorf("buffers %d and %d, quantisations at %d and %d", x.Buffer, y.Buffer, p.Table().Pos, q.Table().Pos)
	}
	if at := func(t flatbuffers.Table) flatbuffers.UOffsetT { return t.Vector(flatbuffers.UOffsetT(t.Offset(4))) }; at(s.Table()) == at(u.Table()) {
		t.Error("the shapes share their bytes")
	}
}

// TestKeptIndexes: indexes that other parts of the file refer to stay.
func TestKeptIndexes(t *testing.T) {
	plain := wasteful()
	for _, c := range []struct {
		name             string
		model            encode.Model
		tensors, buffers bool
	}{
		{"nothing", plain, false, false},
		{"plan", sample.WithPlan(plain, sample.PlanData(1, []int32{0, -1, -1, 64, -1, 0})), true, false},
		{"record of tiled blocks", withMetadata(plain, "tflarena_blocks"), true, false},
		{"unknown metadata", withMetadata(plain, "mine"), true, true},
	} {
		m := modelfile.Build(t, c.model)
		_, out := slimmed(t, m)
		tensors, buffers := len(out.Subgraphs[0].Tensors) == len(m.Subgraphs[0].Tensors), len(out.Buffers) == len(m.Buffers)
		if tensors != c.tensors || buffers != c.buffers {
			t.Errorf("%s: all tensors %t, all buffers %t", c.name, tensors, buffers)
		}
	}
}

func withMetadata(m encode.Model, name string) encode.Model {
	m.Buffers = append(m.Buffers[:len(m.Buffers):len(m.Buffers)], encode.Buffer{Data: []byte("anything")})
	m.Metadata = append(m.Metadata[:len(m.Metadata):len(m.Metadata)], encode.Metadata{Name: name, Buffer: len(m.Buffers)})
	return m
}

// TestWritten: a constant that an operator writes shares no bytes with others.
func TestWritten(t *testing.T) {
	source := wasteful()
	source.Subgraphs[0].Operators[0].Outputs = []int{1}
	_, out := slimmed(t, modelfile.Build(t, source))
	if x := out.Subgraphs[0].Tensors; len(out.Buffers) != 4 || x[1].Buffer == x[3].Buffer {
		t.Errorf("%d buffers, of tensors %d and %d", len(out.Buffers), x[1].Buffer, x[3].Buffer)
	}
}

// TestValidation: LiteRT knows the subgraphs that validate a delegate by their names.
func TestValidation(t *testing.T) {
	source := wasteful()
	source.Subgraphs = append(source.Subgraphs, encode.Subgraph{Name: "VALIDATION:main"})
	_, out := slimmed(t, modelfile.Build(t, source))
	if name := out.Subgraphs[1].Name; name != "VALIDATION:main" {
		t.Errorf("name %q", name)
	}
}

// TestArchive: a zip archive after the flatbuffer moves along.
func TestArchive(t *testing.T) {
	for _, fromFile := range []bool{true, false} {
		source, base := wasteful(), int64(0)
		if fromFile {
			base = int64(len(encode.Encode(source)))
		}
		source.Tail = sample.Archive(t, base)
		m := modelfile.Build(t, source)
		check(t, m, rewrite.Options{})
		r, _ := slimmed(t, m)
		if r.After >= r.Before {
			t.Errorf("%d B of %d", r.After, r.Before)
		}
		sample.CheckZip(t, m.Data, r.Data)
	}
}

// TestTail: unknown bytes after the flatbuffer stay.
func TestTail(t *testing.T) {
	source := wasteful()
	source.Tail = []byte("\x06 and more")
	r, _ := slimmed(t, modelfile.Build(t, source))
	if !bytes.HasSuffix(r.Data, source.Tail) {
		t.Error("the bytes are gone")
	}
}

// TestUnused: a code that no operator has goes, unless a record names codes by index.
func TestUnused(t *testing.T) {
	source := wasteful()
	source.Subgraphs[0].Operators = append(source.Subgraphs[0].Operators, encode.Operator{Builtin: schema.BuiltinOperatorMUL})
	data := encode.Encode(source)
	root := schema.GetRootAsModel(data, 0)
	var sub schema.SubGraph
	root.Subgraphs(&sub, 0)
	var op schema.Operator
	sub.Operators(&op, 2)
	if !op.MutateOpcodeIndex(0) {
		t.Fatal("no code")
	}
	m := modelfile.Parse(t, data)
	_, out := slimmed(t, m)
	if len(m.OperatorCodes) != 2 || len(out.OperatorCodes) != 1 {
		t.Errorf("%d codes of %d", len(out.OperatorCodes), len(m.OperatorCodes))
	}
}

// TestNothing: a file in which nothing can be saved is returned as it is.
func TestNothing(t *testing.T) {
	_, m := slimmed(t, modelfile.Build(t, wasteful()))
	r, err := slim.Slim(m, rewrite.Options{})
	if err != nil || &r.Data[0] != &m.Data[0] || r.Savings != nil {
		t.Errorf("%v, %v", r.Savings, err)
	}
}
