package rewrite

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// drawModel draws a model of small tensors that operators read and write at random,
// with constants, metadata and plans of all kinds, and something behind it.
func drawModel(t *rapid.T) []byte {
	var m encode.Model
	for range rapid.IntRange(1, 2).Draw(t, "subgraphs") {
		m.Subgraphs = append(m.Subgraphs, sample.DrawSubgraph(t))
	}
	for range rapid.IntRange(0, 3).Draw(t, "buffers") {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: rapid.SliceOfN(rapid.Byte(), 400, 420).Draw(t, "data")})
	}
	m.Anonymous = rapid.Bool().Draw(t, "anonymous")
	plan := encodePlan(0, make([]int32, rapid.IntRange(0, 12).Draw(t, "old offsets")))
	for range rapid.IntRange(0, 2).Draw(t, "plans") {
		m = sample.WithPlan(m, plan)
	}
	for range rapid.IntRange(0, 2).Draw(t, "markers") {
		m = sample.WithMarker(m, rapid.SampledFrom([]string{"", "{}", sample.Marker}).Draw(t, "marker"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "metadata") {
		m.Metadata = append(m.Metadata, encode.Metadata{
			Name:   rapid.SampledFrom([]string{"", "notes", "offlinememoryallocation", PlanName + "s", PlanName, MarkerName}).Draw(t, "name"),
			Buffer: rapid.IntRange(0, len(m.Buffers)).Draw(t, "buffer"),
		})
	}
	return drawTail(t, m)
}

// drawTail encodes the model with constants and a zip archive behind it.
func drawTail(t *rapid.T, m encode.Model) []byte {
	outside := rapid.IntRange(0, 3).Draw(t, "outside")
	blob := rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "blob")
	data := sample.Behind(func(at uint64) encode.Model {
		grown := m
		grown.Buffers = append([]encode.Buffer{}, m.Buffers...)
		for i := range outside {
			grown.Buffers = append(grown.Buffers, encode.Buffer{Offset: at + uint64(8*i), Size: uint64(64 - 8*i)})
		}
		return grown
	}, blob[:64*min(outside, 1)])
	switch rapid.IntRange(0, 3).Draw(t, "zip") {
	case 0:
		data = append(data, sample.Archive(t, int64(len(data)))...)
	case 1:
		data = append(data, sample.Archive(t, 0)...)
	}
	return data
}

// drawMarker draws what is to stand beside a plan, or nothing.
func drawMarker(t *rapid.T) *Marker {
	if rapid.Bool().Draw(t, "unmarked") {
		return nil
	}
	word := rapid.StringMatching("[a-z0-9_-]{1,32}")
	return &Marker{MarkerVersion, word.Draw(t, "alias"), word.Draw(t, "kernels")}
}

// alternating returns one marker after the other, four in all. What another tool left in the
// file may be replaced by the first two of them, behind which the file has its size.
func alternating(a, b *Marker) []*Marker { return []*Marker{a, b, a, b} }

// The laws of rewriting: everything but the plan and its marker stays, both are read as
// they were written, the same again changes nothing, and removing them takes back what
// embedding did, however often. The size is known before.
func TestRewriteLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := modelfile.Parse(t, drawModel(t))
		offsets := sample.DrawOffsets(t, m)
		marker := drawMarker(t)
		r, out := mark(t, m, offsets, marker)
		if size, err := EmbeddedSize(m, offsets, Options{Marker: marker}); err != nil || size != int64(len(r.Data)) {
			t.Fatalf("%d B are foretold as %d: %v", len(r.Data), size, err)
		}
		if r.Method == Prefix != (r.Added > 0) || r.Added%64 != 0 {
			t.Fatalf("%s added %d B", r.Method, r.Added)
		}
		if again, _ := mark(t, out, offsets, marker); again.Method != Unchanged || !bytes.Equal(again.Data, out.Data) {
			t.Fatalf("again: %s", again.Method)
		}
		other, most := out, len(out.Data)
		for i, marker := range alternating(drawMarker(t), marker) {
			_, other = mark(t, other, sample.DrawOffsets(t, out), marker)
			if i > 1 && len(other.Data) > most {
				t.Fatalf("the file grew from %d B to %d B", most, len(other.Data))
			}
			most = max(most, len(other.Data))
		}
		back := remove(t, other)
		if !patch.Carries(m) && !bytes.Equal(back.Data, m.Data) {
			t.Fatalf("%s does not give the old file back", back.Method)
		}
		gone := modelfile.Parse(t, back.Data)
		if patch.Carries(gone) {
			t.Fatal("a plan or a marker is left")
		}
		sample.SameContent(t, m, gone, 0)
	})
}
