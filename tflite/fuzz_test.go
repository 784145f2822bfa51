package tflite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// No input makes the reader panic, and accepted models obey their invariants.
func FuzzParse(f *testing.F) {
	f.Add([]byte{})
	f.Add(encode.Encode(small()))
	f.Add(encode.Encode(calls(3, func(i int) (int32, int32, bool) { return 2, 2, i < 2 })))
	f.Add(shared(3).bytes())
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkMutant(t, data) })
}

// seeds returns the small files of the corpus, if available.
func seeds(f *testing.F) (out [][]byte) {
	dir := corpus.Find()
	if dir == "" {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(dir, "models", "*", "*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || info.Size() > 4<<10 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}
