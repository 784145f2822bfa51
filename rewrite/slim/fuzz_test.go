package slim_test

import (
	"bytes"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzSlim: a file is refused or becomes no larger, and the same again; the input is not
// modified.
func FuzzSlim(f *testing.F) {
	list := append(sample.Seeds(f), encode.Encode(wasteful()), sample.Twins(), mutate.Branches())
	for _, of := range []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8} {
		list = append(list, mutate.Network(of))
	}
	for i, data := range list {
		f.Add(data, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, data []byte, force bool) {
		before := bytes.Clone(data)
		if m, err := tflite.Parse(data, "fuzz"); err == nil {
			check(t, m, rewrite.Options{Force: force})
		}
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}
