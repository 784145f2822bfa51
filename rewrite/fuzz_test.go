package rewrite

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzEmbed: a plan, with or without a marker, is embedded and removed correctly or refused;
// the input is not modified. Every readable marker can be written.
func FuzzEmbed(f *testing.F) {
	for i, data := range sample.Seeds(f) {
		f.Add(data, uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint8) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		offsets := sample.Online(m)
		for i := range offsets {
			if (i+int(seed))%3 > 0 {
				offsets[i] = int32(i+int(seed)) % 100 * Alignment
			}
		}
		o := Options{Force: seed%2 == 1}
		if seed%4 > 1 {
			o.Marker = fuzzedMarker(t, m)
		}
		r, err := Embed(m, offsets, o)
		if refused := (*RefusedError)(nil); err == nil {
			checkFuzzed(t, m, r, offsets, o.Marker)
		} else if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

// fuzzedMarker returns the marker of a model, or another one where that cannot be read.
func fuzzedMarker(t *testing.T, m *tflite.Model) *Marker {
	t.Helper()
	marker, err := ReadMarker(m)
	if err != nil {
		if bad := (*PlanError)(nil); !errors.As(err, &bad) || bad.Offset < 0 || bad.Offset > int64(len(m.Data)) {
			t.Fatal(err)
		}
	}
	if marker == nil {
		return diagonal
	}
	return marker
}

func checkFuzzed(t *testing.T, m *tflite.Model, r *Result, offsets []int32, marker *Marker) {
	out := modelfile.Parse(t, r.Data)
	sample.SameContent(t, m, out, r.Added)
	if p := onlyPlan(t, out); len(p.Offsets) != len(offsets) {
		t.Fatalf("%d offsets, want %d", len(p.Offsets), len(offsets))
	}
	if got, err := ReadMarker(out); err != nil || (got == nil) != (marker == nil) || got != nil && *got != *marker {
		t.Fatalf("marker %v, %v, want %v", got, err, marker)
	}
	if again, _ := mark(t, out, offsets, marker); again.Method != Unchanged {
		t.Fatalf("again: %s", again.Method)
	}
	back, err := Remove(out, Options{Force: true})
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return // plans may share bytes with other parts
	}
	if err != nil {
		t.Fatal(err)
	}
	if gone := modelfile.Parse(t, back.Data); patch.Carries(gone) {
		t.Fatal("a plan or a marker is left")
	}
}
