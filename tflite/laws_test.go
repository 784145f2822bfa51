package tflite

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fataler is what *testing.T, *testing.F's T and *rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkLaws fails if an accepted model breaks the invariants of its types, recomputed in the
// simplest way.
func checkLaws(t fataler, m *Model) {
	t.Helper()
	checkTrailing(t, m)
	for i, b := range m.Buffers {
		if b.Data == nil {
			if b.Offset != 0 || b.Outside {
				t.Fatalf("buffer %d has no data but a position", i)
			}
		} else if end := b.Offset + int64(len(b.Data)); !bytes.Equal(b.Data, m.Data[b.Offset:end]) {
			t.Fatalf("buffer %d is not where it says", i)
		} else if !b.Outside && end > m.FlatbufferEnd {
			t.Fatalf("buffer %d ends at %d, the flatbuffer at %d", i, end, m.FlatbufferEnd)
		}
	}
	if len(m.Subgraphs) == 0 || len(m.Warnings) > maxWarnings+1 {
		t.Fatalf("%d subgraphs, %d warnings", len(m.Subgraphs), len(m.Warnings))
	}
	for s := range m.Subgraphs {
		checkSubgraph(t, m, s)
	}
	for _, md := range m.Metadata {
		within(t, "metadata buffer", md.Buffer, 0, len(m.Buffers))
	}
	for _, s := range m.Signatures {
		within(t, "signature subgraph", s.Subgraph, 0, len(m.Subgraphs))
		for _, st := range append(append([]SignatureTensor{}, s.Inputs...), s.Outputs...) {
			within(t, "signature tensor", st.Tensor, 0, len(m.Subgraphs[s.Subgraph].Tensors))
		}
	}
}

func within(t fataler, what string, index, least, count int) {
	t.Helper()
	if index < least || index >= count {
		t.Fatalf("%s %d is not in [%d, %d)", what, index, least, count)
	}
}

func checkTrailing(t fataler, m *Model) {
	t.Helper()
	at := m.FlatbufferEnd
	for _, r := range m.Trailing {
		if r.Start != at || r.End <= r.Start {
			t.Fatalf("trailing range %v does not continue at %d", r, at)
		}
		at = r.End
	}
	if at != int64(len(m.Data)) {
		t.Fatalf("trailing ranges end at %d of %d", at, len(m.Data))
	}
}

func checkSubgraph(t fataler, m *Model, s int) {
	t.Helper()
	sub := &m.Subgraphs[s]
	producers, consumers := map[int]int{}, map[int][]int{}
	for i := range sub.Operators {
		o := &sub.Operators[i]
		within(t, "code", o.Code, 0, len(m.OperatorCodes))
		for _, in := range o.Inputs {
			within(t, "input", in, -1, len(sub.Tensors))
			if c := consumers[in]; len(c) == 0 || c[len(c)-1] != i {
				consumers[in] = append(c, i)
			}
		}
		for _, out := range o.Outputs {
			within(t, "output", out, -1, len(sub.Tensors))
			if _, known := producers[out]; !known {
				producers[out] = i
			}
		}
		for _, x := range o.Intermediates {
			within(t, "intermediate", x, 0, len(sub.Tensors))
		}
		for _, callee := range o.Subgraphs {
			within(t, "callee", callee, 0, len(m.Subgraphs))
		}
		if o.Index != i {
			t.Fatalf("operator %d has index %d", i, o.Index)
		}
	}
	for i := range sub.Tensors {
		checkTensor(t, m, sub, i, producers, consumers)
	}
}

func checkTensor(t fataler, m *Model, sub *Subgraph, i int, producers map[int]int, consumers map[int][]int) {
	t.Helper()
	tensor := &sub.Tensors[i]
	producer, made := producers[i]
	if !made {
		producer = -1
	}
	if tensor.Index != i || tensor.Producer != producer {
		t.Fatalf("tensor %d has index %d and producer %d, want %d", i, tensor.Index, tensor.Producer, producer)
	}
	if diff := cmp.Diff(consumers[i], tensor.Consumers); diff != "" {
		t.Fatalf("consumers of tensor %d (-want +got):\n%s", i, diff)
	}
	if has(sub.Inputs, i) != tensor.Input || has(sub.Outputs, i) != tensor.Output {
		t.Fatalf("tensor %d is input %v, output %v", i, tensor.Input, tensor.Output)
	}
	data := m.Buffer(tensor).Data
	if tensor.Constant != (len(data) > 0 || tensor.ExternalBuffer != 0) {
		t.Fatalf("tensor %d is constant: %v", i, tensor.Constant)
	}
	compressed := false
	for _, md := range m.Metadata {
		compressed = compressed || md.Name == "COMPRESSION_METADATA"
	}
	size, sized := tensor.PackedBytes()
	if len(data) > 0 && sized && !tensor.Sparse && !compressed && int64(len(data)) < size {
		t.Fatalf("tensor %d has %d B of data for %d B", i, len(data), size)
	}
}

func has(list []int, x int) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// allocated returns the total bytes that parsing data allocates.
func allocated(data []byte) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, _ := parse(data, "test")
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(m)
	return after.TotalAlloc - before.TotalAlloc
}

var _ fataler = (*testing.T)(nil)
