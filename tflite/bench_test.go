package tflite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

func BenchmarkParse(b *testing.B) {
	dir := corpus.Dir(b)
	for _, name := range []string{"nets/dp_net.tflite", "nets/yamnet_audio_classifier_with_metadata.tflite", "nets/kwt1_non_stream.tflite"} {
		data, err := os.ReadFile(filepath.Join(dir, "models", filepath.FromSlash(name)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data, name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
