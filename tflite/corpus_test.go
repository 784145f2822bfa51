package tflite

import (
	"errors"
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// Every file of the corpus opens, or is rejected, as in its manifest, and never by recovering
// from a panic.
func TestCorpus(t *testing.T) {
	for _, file := range corpus.Models(t) {
		t.Run(file.Name, func(t *testing.T) {
			data, err := os.ReadFile(file.Path)
			if err != nil {
				t.Fatal(err)
			}
			m, err := parse(data, file.Name)
			if refused := err != nil; refused != (file.Exit == 3) {
				t.Fatalf("error %v, want exit code %d", err, file.Exit)
			}
			if err == nil {
				checkLaws(t, m)
			} else if !errors.Is(err, ErrInvalid) {
				t.Errorf("error %v is not ErrInvalid", err)
			}
		})
	}
}

// Known facts about files of the corpus, beyond their exit codes.
func TestCorpusFacts(t *testing.T) {
	facts := map[string]func(*Model) bool{
		"micro/person_detect.tflite": func(m *Model) bool {
			// An old file: only the deprecated field holds the code.
			c := m.OperatorCodes[m.Subgraphs[0].Operators[0].Code]
			return c.Name() == "DEPTHWISE_CONV_2D" && c.NewField == 0
		},
		"corner/multi_subgraphs_while.bin": func(m *Model) bool {
			calls := 0
			for _, o := range m.Subgraphs[0].Operators {
				calls += len(o.Subgraphs)
			}
			return calls >= 2
		},
		"corner/simple_group_norm_op.tflite": func(m *Model) bool { return count(m, outside) == 6 },
		"corner/sparse_tensor.bin":           func(m *Model) bool { return m.Subgraphs[0].Tensors[1].Sparse || m.Subgraphs[0].Tensors[0].Sparse },
		"nets/mobilenet_v1_0.25_128_quant.tflite": func(m *Model) bool {
			r := m.Trailing[len(m.Trailing)-1]
			return r.Kind == "zip" && r.End == int64(len(m.Data))
		},
		"corner/face_stylization_dummy.tflite": func(m *Model) bool { return m.Trailing[0].Kind == "zip" },
		"bad/fuzz_valid_small.tflite": func(m *Model) bool {
			return m.Subgraphs[0].Operators[0].Damaged && !m.Identified
		},
		"corner/string_input_model_with_signature.bin": func(m *Model) bool { return len(m.Signatures) == 1 },
	}
	for _, file := range corpus.Models(t) {
		check, ok := facts[file.Name]
		if !ok {
			continue
		}
		delete(facts, file.Name)
		m, err := Open(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		if !check(m) {
			t.Errorf("%s is not as known", file.Name)
		}
	}
	for name := range facts {
		t.Errorf("%s is not in the corpus", name)
	}
}

func outside(b Buffer) bool { return b.Outside }

func count(m *Model, is func(Buffer) bool) (n int) {
	for _, b := range m.Buffers {
		if is(b) {
			n++
		}
	}
	return n
}

// Reading takes little memory besides the file, for any file.
func TestCorpusMemory(t *testing.T) {
	for _, file := range corpus.Models(t) {
		data, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := allocated(data), uint64(len(data))+2<<20; got > most {
			t.Errorf("%s: %d B were allocated for %d B", file.Name, got, len(data))
		}
	}
}
