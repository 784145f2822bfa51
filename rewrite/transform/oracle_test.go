package transform

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// inputsOf returns random bytes for the inputs of a model, for each of some runs.
func inputsOf(m *tflite.Model, seed uint64) (list [][][]byte) {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := &m.Subgraphs[0]
	for range 3 {
		var inputs [][]byte
		for _, index := range s.Inputs {
			inputs = append(inputs, bytesOf(rng, &s.Tensors[index]))
		}
		list = append(list, inputs)
	}
	return list
}

// bytesOf returns random data for a tensor; wide integers are small, as they may be sizes.
func bytesOf(rng *rand.Rand, t *tflite.Tensor) (data []byte) {
	for range elements(t.Shape) {
		switch t.Type {
		case schema.TensorTypeFLOAT32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(rng.Float32()*16-8))
		case schema.TensorTypeINT8, schema.TensorTypeUINT8:
			data = append(data, byte(rng.Uint32()))
		case schema.TensorTypeINT16:
			data = binary.LittleEndian.AppendUint16(data, uint16(rng.Uint32()))
		case schema.TensorTypeINT64:
			data = binary.LittleEndian.AppendUint64(data, uint64(rng.IntN(2)))
		case schema.TensorTypeBOOL:
			data = append(data, byte(rng.IntN(2)))
		default:
			data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(20)-10))
		}
	}
	return data
}

// sameInWheel returns why two models do not have the same outputs in TensorFlow Lite Micro, "" if they have.
// failed reports that the first one does not run.
func sameInWheel(t *testing.T, r *oracle.Runtimes, a, b *tflite.Model) (why string, failed bool) {
	t.Helper()
	x, y := runIn(t, r, "tflm", a), runIn(t, r, "tflm", b)
	switch {
	case x.Error != "":
		return "the first does not run: " + x.Error, true
	case y.Error != "":
		return "the second does not run: " + y.Error, false
	case !slices.EqualFunc(x.Outputs, y.Outputs, slices.Equal):
		return "outputs differ", false
	}
	return "", false
}

// runIn runs a model three times in a runtime, with all tensors in memory of their own.
func runIn(t *testing.T, r *oracle.Runtimes, runtime string, m *tflite.Model) oracle.Answer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, m.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	arena := int64(1 << 20)
	if len(m.Data) > 1<<16 {
		arena = 1 << 25
	}
	s := &m.Subgraphs[0]
	return r.Run(t, oracle.Request{
		Runtime: runtime, Model: path, Arena: arena, Inputs: len(s.Inputs), Outputs: len(s.Outputs), Seed: 7, Invokes: 3, Linear: runtime == "tflm",
	})
}
