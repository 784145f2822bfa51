package edit

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// TestMetadata replaces all entries of a name with one, and nothing else.
func TestMetadata(t *testing.T) {
	model := sample.Change(sample.Chain(), func(m *encode.Model) {
		for _, name := range []string{"x", "y", "x"} {
			m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(name)})
			m.Metadata = append(m.Metadata, encode.Metadata{Name: name, Buffer: len(m.Buffers)})
		}
	})
	for _, m := range []*tflite.Model{modelfile.Build(t, model), modelfile.Build(t, sample.Chain()), modelfile.Parse(t, sample.WithoutBuffers())} {
		e := keepAll(m, 0)
		e.Metadata = &Metadata{Name: "x", Data: []byte("new")}
		r, out := apply(t, m, e)
		var want []tflite.Metadata
		for _, md := range m.Metadata {
			if md.Name != "x" {
				want = append(want, md)
			}
		}
		want = append(want, tflite.Metadata{Name: "x", Buffer: len(out.Buffers) - 1})
		if diff := cmp.Diff(want, out.Metadata); diff != "" || len(out.Buffers) != max(len(m.Buffers), 1)+1 {
			t.Errorf("%d buffers, before %d, metadata (-want +got):\n%s", len(out.Buffers), len(m.Buffers), diff)
		}
		if got := out.Buffers[len(out.Buffers)-1].Data; !bytes.Equal(got, []byte("new")) || !bytes.HasSuffix(r.Data, m.Data) {
			t.Errorf("data %q in %d bytes of changes %v", got, r.Added, r.Changes)
		}
		again, _ := apply(t, out, e)
		if third := modelfile.Parse(t, again.Data); len(third.Metadata) != len(out.Metadata) {
			t.Errorf("metadata %v, then %v", out.Metadata, third.Metadata)
		}
	}
}

// TestMetadataRemoved removes all entries of a name.
func TestMetadataRemoved(t *testing.T) {
	m := modelfile.Build(t, sample.Change(sample.Chain(), func(m *encode.Model) {
		m.Metadata = nil
		for _, name := range []string{"x", "y", "x"} {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: name, Buffer: 1})
		}
	}))
	for _, name := range []string{"x", "y"} {
		e := keepAll(m, 0)
		e.Metadata = &Metadata{Name: name}
		_, out := apply(t, m, e)
		for _, md := range out.Metadata {
			if md.Name == name {
				t.Errorf("%s is still in metadata %v", name, out.Metadata)
			}
		}
		if len(out.Buffers) != len(m.Buffers) {
			t.Errorf("%d buffers, before %d", len(out.Buffers), len(m.Buffers))
		}
		m = out
	}
	if len(m.Metadata) > 0 {
		t.Errorf("metadata %v", m.Metadata)
	}
}

// TestMetadataRefused refuses what is not for an edit to write.
func TestMetadataRefused(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	for _, md := range []Metadata{{Name: rewrite.PlanName}, {rewrite.PlanName, []byte("x")}, {rewrite.MarkerName, []byte("x")}} {
		e := keepAll(m, 0)
		e.Metadata = &md
		if _, err := Apply(m, e.Edit, rewrite.Options{}); err == nil {
			t.Errorf("%v was written", md)
		}
	}
}
