package rewrite

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/tflite"
)

// Whatever the file, a plan is embedded and removed right, or refused; the input is
// not touched.
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
		r, err := Embed(m, offsets, Options{Force: seed%2 == 1})
		if refused := (*RefusedError)(nil); err == nil {
			checkFuzzed(t, m, r, offsets)
		} else if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

func checkFuzzed(t *testing.T, m *tflite.Model, r *Result, offsets []int32) {
	out := sample.Parse(t, r.Data)
	sample.SameContent(t, m, out, r.Added)
	if p := onlyPlan(t, out); len(p.Offsets) != len(offsets) {
		t.Fatalf("%d offsets, want %d", len(p.Offsets), len(offsets))
	}
	if again, _ := embed(t, out, offsets); again.Method != Unchanged {
		t.Fatalf("again: %s", again.Method)
	}
	back, err := Remove(out, Options{Force: true})
	if refused := (*RefusedError)(nil); errors.As(err, &refused) {
		return // plans may share bytes with other parts
	}
	if err != nil {
		t.Fatal(err)
	}
	if gone := sample.Parse(t, back.Data); len(patch.PlanEntries(gone)) != 0 {
		t.Fatal("a plan is left")
	}
}
