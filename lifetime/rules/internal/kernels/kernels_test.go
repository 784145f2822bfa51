package kernels

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/tflite"
)

// TestAsked compares the requests of kernels, in order, with those that builds of the runtime
// recorded for models of one operator.
func TestAsked(t *testing.T) {
	for _, row := range corpus.Table(t, "prepare/oneop.csv") {
		name := row["model"]
		if row["prepare_ok"] != "1" {
			continue // Prepare failed in between
		}
		m, err := tflite.Open(filepath.Join(corpus.Dir(t), "prepare", "ops", name+".tflite"))
		if err != nil {
			t.Fatal(err)
		}
		prepare64 := row["prepare64"]
		if prepare64 == "=" {
			prepare64 = row["prepare32"]
		}
		compare(t, name+" Init, 32 bits", row["init32"], asked(m, ESP, (*Kernel).Init, "+"))
		compare(t, name+" Init, 64 bits", row["init64"], asked(m, Host64, (*Kernel).Init, "+"))
		compare(t, name+" Prepare, 32 bits", row["prepare32"], asked(m, ESP, (*Kernel).Prepare, " "))
		compare(t, name+" Prepare, 64 bits", prepare64, asked(m, Host64, (*Kernel).Prepare, " "))
	}
}

func compare(t *testing.T, what, want, got string) {
	t.Helper()
	if want != got {
		t.Errorf("%s: %q, the runtime asks for %q", what, got, want)
	}
}

// asked formats the requests of the last operator of subgraph 0, the subject of the model.
func asked(m *tflite.Model, abi ABI, stage func(*Kernel, Asker), separator string) string {
	var words []string
	Each(m, Build{Reference, abi}, func(k *Kernel) {
		w := &writer{kernel: k, bare: separator == "+"}
		stage(k, w)
		if k.Subgraph == 0 {
			words = w.words
		}
	})
	return strings.Join(words, separator)
}

// writer formats requests.
type writer struct {
	kernel *Kernel
	bare   bool
	words  []string
}

func (w *writer) Temporary(t *tflite.Tensor) {
	word := fmt.Sprintf("t%d", t.Index)
	if n := Scales(t); n > 0 {
		word += fmt.Sprintf("q%d", n)
	}
	w.words = append(w.words, word)
}

func (w *writer) Keep(count, bytes int64) {
	for range count {
		if w.bare {
			w.words = append(w.words, fmt.Sprint(bytes))
		} else {
			w.words = append(w.words, fmt.Sprintf("P%d", bytes))
		}
	}
}

func (w *writer) Reads(Part)          {}
func (w *writer) Scratch(bytes int64) { w.words = append(w.words, fmt.Sprintf("S%d", bytes)) }
