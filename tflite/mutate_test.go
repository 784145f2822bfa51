package tflite

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// checkMutant fails if a damaged file makes the reader panic, or is accepted as a model that
// breaks its invariants.
func checkMutant(t fataler, data []byte) {
	t.Helper()
	m, err := parse(data, "mutant")
	if err == nil {
		checkLaws(t, m)
		useModel(m)
	}
}

// useModel reads everything that users of the model may read; it must not panic.
func useModel(m *Model) {
	newReader().table(tableModel, schema.GetRootAsModel(m.Data, 0).Table())
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			readOptions(&m.Subgraphs[s].Operators[i])
		}
		for i := range m.Subgraphs[s].Tensors {
			t := &m.Subgraphs[s].Tensors[i]
			t.Elements()
			t.PackedBytes()
			t.Dynamic()
		}
	}
}

func TestTruncated(t *testing.T) {
	data := encode.Encode(small())
	for n := range len(data) {
		// A copy, so that reading past the end panics.
		checkMutant(t, append([]byte{}, data[:n]...))
	}
}

func TestBitFlips(t *testing.T) {
	data := encode.Encode(small())
	for i := range data {
		for bit := range 8 {
			mutant := append([]byte{}, data...)
			mutant[i] ^= 1 << bit
			checkMutant(t, mutant)
		}
	}
}

// Several words are replaced with values that are likely to do harm.
func TestSpoiltWords(t *testing.T) {
	data := encode.Encode(small())
	rapid.Check(t, func(t *rapid.T) {
		mutant := append([]byte{}, data...)
		for range rapid.IntRange(1, 6).Draw(t, "count") {
			at := rapid.IntRange(0, len(data)/2-1).Draw(t, "at") * 2
			value := rapid.SampledFrom([]uint16{0, 1, 2, 4, 6, 8, 12, 0x7f, 0x100, 0x7fff, 0x8000, 0xfffc, 0xffff}).Draw(t, "value")
			mutant[at], mutant[at+1] = byte(value), byte(value>>8)
		}
		checkMutant(t, mutant)
	})
}
