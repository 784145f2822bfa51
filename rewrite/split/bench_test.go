package split_test

import (
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

func BenchmarkCut(b *testing.B) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(b), "models", "nets", "tf2_mobilenet_v2_1.0_224_ptq.tflite"))
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range []split.Stage{
		{First: 1, Last: 13, Rows: 4, Columns: 4},
		{First: 1, Last: 13, Rows: 14, Columns: 1, Mode: split.Keep},
		{First: 1, Last: 6, Rows: 3, Columns: 1},
	} {
		b.Run(s.Mode.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := split.Cut(m, s, 1000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("runs", func(b *testing.B) {
		for b.Loop() {
			for range split.Runs(m) {
			}
		}
	})
}
