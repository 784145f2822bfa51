package rewrite

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// seeds returns models with and without plans, and the small files of the corpus
// where there is one.
func seeds(f *testing.F) (list [][]byte) {
	for _, v := range variations() {
		list = append(list, encode.Encode(v.model), planned(f, v.model, v.offsets...).Data)
	}
	list = append(list, withoutBuffers(), largeOptions(64))
	zipped := chain()
	zipped.Tail = archive(f, int64(len(encode.Encode(zipped))))
	list = append(list, encode.Encode(zipped))
	if corpus.Find() == "" {
		return list
	}
	for _, file := range corpus.Models(f) {
		data, err := os.ReadFile(file.Path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 3<<10 {
			list = append(list, data)
		}
	}
	return list
}

// Whatever the file, Verify gives a verdict without panic, and calls no plan right
// that has a pair of overlapping tensors it did not report.
func FuzzVerify(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		v, err := Verify(m)
		if err != nil {
			if !errors.Is(err, lifetime.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		for _, finding := range v.Findings {
			if finding.Message == "" || finding.Path == "" || finding.Offset < 0 || finding.Offset > int64(len(data)) {
				t.Fatalf("finding %+v", finding)
			}
		}
		if _, err := ReadPlans(m); err != nil && v.OK() {
			t.Fatalf("verified, but %v", err)
		}
	})
}

// Whatever the file, a plan is embedded and removed right, or refused; the input is
// not touched.
func FuzzEmbed(f *testing.F) {
	for i, data := range seeds(f) {
		f.Add(data, uint8(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint8) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		offsets := online(m)
		for i := range offsets {
			if (i+int(seed))%3 > 0 {
				offsets[i] = int32(i+int(seed)) % 100 * Alignment
			}
		}
		r, err := Embed(m, offsets, Options{Force: seed%2 == 1})
		if err == nil {
			checkFuzzed(t, m, r, offsets)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

func checkFuzzed(t *testing.T, m *tflite.Model, r *Result, offsets []int32) {
	out := parse(t, r.Data)
	sameContent(t, m, out, r.Added)
	if p := onlyPlan(t, out); len(p.Offsets) != len(offsets) {
		t.Fatalf("%d offsets, want %d", len(p.Offsets), len(offsets))
	}
	if again, _ := embed(t, out, offsets); again.Method != Unchanged {
		t.Fatalf("again: %s", again.Method)
	}
	back, err := Remove(out, Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if gone := parse(t, back.Data); len(planEntries(gone)) != 0 {
		t.Fatal("a plan is left")
	}
}
