package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// tensorBytes reads the data of each tensor and metadata entry by the rules of the format, in the
// simplest way.
func tensorBytes(data []byte) map[string]string {
	m, all := schema.GetRootAsModel(data, 0), map[string]string{}
	read := func(id string, index int) {
		var b schema.Buffer
		if index >= m.BuffersLength() || !m.Buffers(&b, index) {
			return
		}
		var content []byte
		switch {
		case b.DataLength() > 0:
			content = b.DataBytes()
		case b.DataBytes() == nil && b.Offset() > 1 && b.Size() > 0:
			content = data[b.Offset() : b.Offset()+b.Size()]
		}
		all[id] = string(content)
	}
	var s schema.SubGraph
	var t schema.Tensor
	var entry schema.Metadata
	for i := range m.SubgraphsLength() {
		m.Subgraphs(&s, i)
		for k := range s.TensorsLength() {
			s.Tensors(&t, k)
			read(fmt.Sprintf("%d:%d", i, k), int(t.Buffer()))
		}
	}
	for i := range m.MetadataLength() {
		m.Metadata(&entry, i)
		read(fmt.Sprintf("metadata %d", i), int(entry.Buffer()))
	}
	return all
}

// inlined checks what InlineWeights returned: every constant is in the flatbuffer, and aligned if it was
// moved, and no byte of any differs.
func inlined(t sample.TB, m *tflite.Model, r *Result) *tflite.Model {
	t.Helper()
	out := modelfile.Parse(t, r.Data)
	if list := out.OutsideConstants(); len(list) > 0 {
		t.Fatalf("still outside: %+v", list)
	}
	for i, b := range out.Buffers {
		if b.Outside || m.Buffers[i].Outside && b.Offset%16 != 0 {
			t.Fatalf("buffers[%d] is at %#x, outside: %t", i, b.Offset, b.Outside)
		}
	}
	if diff := cmp.Diff(tensorBytes(m.Data), tensorBytes(r.Data)); diff != "" {
		t.Fatalf("data differs (-old +new):\n%s", diff)
	}
	return out
}

// drawOutside returns a model whose constants lie in the flatbuffer, behind it, partly over each other,
// or nowhere.
func drawOutside(t *rapid.T) []byte {
	tail := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "tail")
	source := encode.Model{Subgraphs: []encode.Subgraph{{}}, Metadata: []encode.Metadata{{Name: "notes", Buffer: 1}}}
	sub := &source.Subgraphs[0]
	type span struct{ start, size int }
	spans := map[int]span{}
	for i := range rapid.IntRange(1, 8).Draw(t, "buffers") {
		b := encode.Buffer{}
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			b.Data = rapid.SliceOfN(rapid.Byte(), 1, 40).Draw(t, "data")
		case 1:
			b.Data = []byte{}
		case 2: // nothing
		default:
			start := rapid.IntRange(0, len(tail)).Draw(t, "start")
			spans[i] = span{start, rapid.IntRange(0, len(tail)-start).Draw(t, "size")}
			b.Offset, b.Size = 1<<20, uint64(spans[i].size)
		}
		source.Buffers = append(source.Buffers, b)
	}
	for i := range source.Buffers {
		n := len(source.Buffers[i].Data)
		if s, ok := spans[i]; ok {
			n = s.size
		}
		for range 1 + i%2 { // some share a buffer
			sub.Tensors = append(sub.Tensors, encode.Tensor{Type: schema.TensorTypeUINT8, Shape: []int32{int32(n)}, Buffer: i + 1})
		}
	}
	// The offsets begin behind the flatbuffer, whose size does not depend on their values.
	flatbuffer := len(encode.Encode(source))
	for i, s := range spans {
		source.Buffers[i].Offset = uint64(flatbuffer + s.start)
	}
	source.Tail = tail
	return encode.Encode(source)
}

// TestInlineWeights: whatever lies where, all constants end up in the flatbuffer, and a plan comes and
// goes as in other files.
func TestInlineWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawOutside(t)
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "random")
		if err != nil {
			t.Skip(err) // a buffer without data for its shape
		}
		r, err := InlineWeights(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		out := inlined(t, m, r)
		if again, err := InlineWeights(out, Options{}); err != nil || again.Method != Unchanged {
			t.Fatalf("again: %v, %v", again, err)
		}
	})
}

// TestInlineWeightsDropsTheOld: what lay behind the flatbuffer goes if it was constants alone, and stays
// if nothing says what it is.
func TestInlineWeightsDropsTheOld(t *testing.T) {
	m := sample.OpenFile(t, filepath.Join(corpus.Dir(t), "found", "second", "external_weights.tflite"))
	for _, more := range []string{"", "vendor's own"} {
		old := modelfile.Parse(t, append(bytes.Clone(m.Data), more...))
		r, err := InlineWeights(old, Options{})
		if err != nil {
			t.Fatal(err)
		}
		out := inlined(t, old, r)
		if kept := int64(len(out.Data)) > out.FlatbufferEnd; kept != (more != "") || !bytes.HasSuffix(out.Data, []byte(more)) {
			t.Errorf("%q: the file has %d bytes, its flatbuffer %d", more, len(out.Data), out.FlatbufferEnd)
		}
	}
}

// Data in another file, and data that is nowhere, is refused.
func TestInlineWeightsRefuses(t *testing.T) {
	tensor := encode.Tensor{Type: schema.TensorTypeINT8, Shape: []int32{4}, External: 1}
	source := encode.Model{
		Subgraphs: []encode.Subgraph{{Tensors: []encode.Tensor{tensor}}},
		External:  []encode.ExternalBuffer{{Group: "weights", Length: 4}},
	}
	_, err := InlineWeights(modelfile.Build(t, source), Options{})
	if refused := (*RefusedError)(nil); !errors.As(err, &refused) {
		t.Errorf("another file: %v", err)
	}
	source = encode.Model{
		Subgraphs: []encode.Subgraph{{Tensors: []encode.Tensor{{Type: schema.TensorTypeINT8, Shape: []int32{4}, Buffer: 1}}}},
		Buffers:   []encode.Buffer{{Offset: 1 << 20, Size: 4}},
	}
	if _, err := tflite.Parse(encode.Encode(source), "m"); !errors.Is(err, tflite.ErrInvalid) {
		t.Errorf("outside the file: %v", err)
	}
}

// TestRuntimesInlineWeights: with its weights inside, a model computes in both runtimes what its twin does.
func TestRuntimesInlineWeights(t *testing.T) {
	runtimes := oracle.Start(t)
	dir := filepath.Join(corpus.Dir(t), "found", "second")
	m := sample.OpenFile(t, filepath.Join(dir, "external_weights.tflite"))
	r, err := InlineWeights(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	request := oracle.Request{Arena: 1 << 20, Seed: 1, Invokes: 2, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs)}
	for _, runtime := range []string{"tflm", "litert"} {
		request.Model = filepath.Join(dir, "inline_weights_twin.tflite")
		twin := runIn(t, runtimes, request, runtime)
		request.Model = sample.Written(t, r.Data)
		if diff := cmp.Diff(twin, runIn(t, runtimes, request, runtime)); diff != "" || twin.Error != "" {
			t.Errorf("%s: %s (-twin +inlined):\n%s", runtime, twin.Error, diff)
		}
	}
}

// FuzzInlineWeights: constants are moved into the flatbuffer correctly or refused.
func FuzzInlineWeights(f *testing.F) {
	for _, data := range sample.Seeds(f) {
		f.Add(data)
	}
	for i := range 20 {
		f.Add(rapid.Custom(drawOutside).Example(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		r, err := InlineWeights(m, Options{})
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Method == Unchanged {
			return
		}
		inlined(t, m, r)
	})
}
