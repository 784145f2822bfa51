package oneop_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// unexplained are models whose behaviour does not follow from the file, each with the reason.
var unexplained = map[string]string{
	"dtln_noise_suppression.tflite": "rounding of an LSTM grows to two steps in the layers after it",
	"mixer.int8.tflite":             "rounding of FULLY_CONNECTED grows to four steps in the layers after it",
	"fuzz_valid_small.tflite":       "the wheel's Python part cannot read the file",
	"person_detect_vela.tflite":     "the wheel has no kernel of the Ethos-U driver",
	"ethos_u.tflite":                "the wheel has no kernel of the Ethos-U driver",
	"external_weights.tflite":       "it runs on memory that nobody wrote, which is no run",
	"fit_panic_window_23.tflite":    "its output has no shape, so the kernel writes outside it",
}

// crashing are models that crash or not by chance, depending on the memory after their buffers.
var crashing = map[string]bool{"fit_panic_window_23.tflite": true}

// TestFaultsOfModels: a real model without a fault runs in TensorFlow Lite Micro as in LiteRT's
// reference kernels, and one with a fault that fails a check does not.
func TestFaultsOfModels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take a while")
	}
	oracle.Require(t)
	const most = 2e8 // multiply-accumulates, which take the reference kernels seconds
	var paths []string
	for _, f := range corpus.Accepted(t) {
		if !f.Slow() {
			paths = append(paths, f.Path)
		}
	}
	for _, pattern := range []string{"found/*.tflite", "found/second/*.tflite", "wakewords/*.tflite"} {
		more, err := filepath.Glob(filepath.Join(corpus.Dir(t), filepath.FromSlash(pattern)))
		if err != nil || len(more) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, more...)
	}
	var mu sync.Mutex
	runs, stops, wrong, explained := 0, 0, 0, []string{}
	judge := func(t *testing.T, name string, m *tflite.Model, d oracle.Difference) {
		faults := rules.Micro().Faults(m)
		why := verdict(faults, d)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case d.Stage != "" && slices.ContainsFunc(faults, func(f rules.Fault) bool { return f.Custom }):
			stops++ // the wheel lacks the kernel of an application
		case d.Stage == "invoke" && slices.ContainsFunc(faults, func(f rules.Fault) bool { return f.Fails }):
			wrong++ // a write outside of its buffers may also hang or crash
		case why != "" && d.Stage == "" && (len(rules.Overwritten(m)) > 0 || sums(m)):
			runs++ // LiteRT computes something else than the model describes
		case why != "" && unexplained[name] != "":
			explained = append(explained, name)
		case why != "":
			t.Errorf("%s: %s: %+v, %v", name, why, d, faults)
		case d.Stage != "":
			stops++
		case len(faults) > 0:
			t.Logf("%s: %v", name, faults[0])
			wrong++
		default:
			runs++
		}
	}
	const batches = 20 // loading both runtimes takes longer than most models
	oracle.Each(t, batches, func(t *testing.T, _ *oracle.Runtimes, i int) {
		var models []*tflite.Model
		var list []oracle.Comparison
		for k := i; k < len(paths); k += batches {
			m, err := tflite.Open(paths[k])
			if err != nil || op.RunMACs(m, 0) > most || len(m.Data) > 1<<25 {
				continue
			}
			models = append(models, m)
			list = append(list, oracle.Comparison{
				Model: m.Data, Arena: 1 << 25, Outputs: len(m.Subgraphs[0].Outputs),
				Inputs: [][][]byte{drawInputs(m, 1), drawInputs(m, 2)},
			})
		}
		for k, d := range oracle.Compare(t, list) {
			judge(t, filepath.Base(models[k].Name), models[k], d)
		}
	})
	t.Logf("%d models run, %d do not, %d have a fault", runs, stops, wrong)
	for name := range unexplained {
		if !slices.Contains(explained, name) && !crashing[name] {
			t.Errorf("%s is as predicted: %s", name, unexplained[name])
		}
	}
	if !t.Failed() && (runs < 60 || stops < 30 || wrong < 5) {
		t.Error("too few to tell")
	}
}

// sums reports whether a model adds up integers, which LiteRT's reference kernel does incorrectly.
func sums(m *tflite.Model) bool {
	s := &m.Subgraphs[0]
	return slices.ContainsFunc(s.Operators, func(o tflite.Operator) bool {
		return o.Name == "SUM" && s.Operand(o.Inputs, 0) != nil && s.Operand(o.Inputs, 0).Type != schema.TensorTypeFLOAT32
	})
}

// drawInputs returns the bytes of small numbers for the inputs of a model.
func drawInputs(m *tflite.Model, seed uint64) (inputs [][]byte) {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := &m.Subgraphs[0]
	for _, index := range s.Inputs {
		t := &s.Tensors[index]
		n, _ := t.Elements()
		var data []byte
		for range n {
			switch t.Type {
			case schema.TensorTypeFLOAT32:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(rng.Float32()*2-1))
			case schema.TensorTypeINT8, schema.TensorTypeUINT8:
				data = append(data, byte(rng.Uint32()))
			case schema.TensorTypeINT16:
				data = binary.LittleEndian.AppendUint16(data, uint16(rng.Uint32()))
			case schema.TensorTypeINT64, schema.TensorTypeUINT64:
				data = binary.LittleEndian.AppendUint64(data, uint64(rng.IntN(2)))
			case schema.TensorTypeBOOL:
				data = append(data, byte(rng.IntN(2)))
			default:
				data = binary.LittleEndian.AppendUint32(data, uint32(rng.IntN(2)))
			}
		}
		inputs = append(inputs, data)
	}
	return inputs
}
