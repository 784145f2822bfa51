package rules

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestTailSequences compares the persistent allocations, one by one, with those recorded by a
// 32-bit build of the runtime.
func TestTailSequences(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus.Dir(t), "kernels", "tail32_esp_reference.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	models, lines := 0, bufio.NewScanner(f)
	for lines.Scan() {
		name, want, ok := strings.Cut(lines.Text(), ": ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		models++
		m := openCorpus(t, name)
		device := DefaultDevice()
		if strings.HasPrefix(name, "okay_nabu") {
			device.ResourceVariables = 12 // as in the recorded application
		}
		var got sequence
		requests := device.Requests(m)
		Load{Kept: m, Requests: requests}.arena(device, got.add)
		if got := got.String(); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if err := lines.Err(); err != nil || models != 25 {
		t.Errorf("%d models, want 25: %v", models, err)
	}
}

// sequence is a run-length encoded list of allocations.
type sequence struct {
	items  []string
	counts []int64
}

func (s *sequence) add(count int64, b block) {
	if b.bytes == 0 {
		return // nothing was allocated or recorded
	}
	item := fmt.Sprintf("%d/%d", b.bytes, b.align)
	if n := len(s.items); n > 0 && s.items[n-1] == item {
		s.counts[n-1] += count
		return
	}
	s.items, s.counts = append(s.items, item), append(s.counts, count)
}

func (s *sequence) String() string {
	var words []string
	for i, item := range s.items {
		if s.counts[i] > 1 {
			item = fmt.Sprintf("%d*%s", s.counts[i], item)
		}
		words = append(words, item)
	}
	return strings.Join(words, " ")
}

func openCorpus(t *testing.T, base string) *tflite.Model {
	t.Helper()
	m, err := tflite.Open(corpus.Model(t, base).Path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestHugeArenas: impossible arena sizes saturate and never become negative.
func TestHugeArenas(t *testing.T) {
	huge := encode.Tensor{Name: "x", Type: schema.TensorTypeFLOAT32, Shape: []int32{1 << 30, 1 << 30, 1 << 30}}
	state := huge
	state.Variable = true
	var operators []encode.Operator
	for code := range schema.EnumNamesBuiltinOperator {
		operators = append(operators, encode.Operator{Builtin: code, Inputs: []int{0, 1, 0, -1}, Outputs: []int{0}})
	}
	for name := range map[string]bool{"SignalFramer": true, "SignalDelay": true, "TFLite_Detection_PostProcess": true, "none": true} {
		operators = append(operators, encode.Operator{Builtin: schema.BuiltinOperatorCUSTOM, Custom: name, Inputs: []int{0, 1, 0}, Outputs: []int{0}})
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{huge, state}, Inputs: []int{0}, Outputs: []int{0, 1}, Operators: operators,
	}}}), "huge")
	if err != nil {
		t.Fatal(err)
	}
	for _, abi := range ABIs() {
		device, err := DefaultDevice().WithABI(abi)
		if err != nil {
			t.Fatal(err)
		}
		a := Load{Kept: m, Planned: 1, Head: maxArena, Requests: device.Requests(m)}.Arena(device)
		if a.Used < 0 || a.Used > maxArena || a.Required < 0 || a.Required > maxArena+arenaAlign || a.Tail < 0 || a.Setup < 0 {
			t.Errorf("%s: used %d, tail %d, required %d, setup %d", abi, a.Used, a.Tail, a.Required, a.Setup)
		}
	}
}
