package transform

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// TestHostile: rules apply to models of all operators with invalid numbers, or do not, and neither panic nor make an edit that is
// no edit.
func TestHostile(t *testing.T) {
	applied := map[string]int{}
	try := func(data []byte) {
		m, err := tflite.Parse(data, "hostile")
		if err != nil {
			return
		}
		for i := range len(table) + 1 {
			name, rules := "all rules", table
			if i < len(table) {
				name, rules = table[i].Name, table[i:i+1]
			}
			list := find(m, reference(t), rules, anywhere)
			if len(list) == 0 {
				continue
			}
			_, _, err := apply(m, list, nil, rewrite.Options{Force: true})
			if refused := (*rewrite.RefusedError)(nil); err != nil && !errors.As(err, &refused) {
				t.Errorf("%s: %v", name, err)
			}
			applied[name]++
		}
	}
	for _, code := range mutate.Codes() {
		for _, o := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			try(mutate.Zoo(code, o))
		}
	}
	for _, rule := range of(Memory, Work, Tiling) {
		for i := range 300 {
			d := newDraft(4, uint64(i))
			tree, err := mutate.Read(d.parse(t, generators[rule.Name](d)).Data)
			if err != nil {
				t.Fatal(err)
			}
			recipe := make([]byte, 1+d.IntN(12))
			for k := range recipe {
				recipe[k] = byte(d.Uint32())
			}
			tree.Mutate(recipe)
			try(tree.Encode())
		}
	}
	t.Log(applied)
}

// FuzzSubstitute: substitution keeps its laws or returns an error, and leaves the model as it is.
func FuzzSubstitute(f *testing.F) {
	for i, data := range sample.Seeds(f) {
		f.Add(data, uint8(i))
	}
	libraries := []string{"reference", "cmsis-nn-mve", "esp-nn-s3"}
	f.Fuzz(func(t *testing.T, data []byte, seed uint8) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		d := device(t, libraries[int(seed)%len(libraries)])
		r, err := Substitute(context.Background(), m, Options{Device: d, Force: seed >= 128})
		if err == nil {
			checkSubstituted(t, d, false, m, r)
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}
