package edit

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Constants in pieces lie where they lay whole, but for one piece of each.
func TestApplyFreeRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	m := modelfile.Build(t, weighted(r, 8192, 4000, 640))
	e := keepAll(m, 0)
	for i := range 3 {
		e.inParts(m, i, slicesOf(m.Buffers[i+1].Data, 8)...)
	}
	res, out := apply(t, m, e)
	checkApplied(t, m, &e.Edit, res)
	checkAddedData(t, m, &e.Edit, out)
	if gone := goneBuffers(m, out); len(gone) != 3 {
		t.Errorf("%d buffers are gone", len(gone))
	}
	// The pieces that are left of the smaller constants lie where the larger ones leave room.
	if inside, front := places(m, out, res.Added); inside != 23 || front > 1024 {
		t.Errorf("%d pieces lie in the old bytes, %d B in front", inside, front)
	}
	// The result accepts a plan, is restored by removing it, and can be edited again.
	planned, again := embed(t, out, sample.Online(out))
	if back := remove(t, again); !bytes.Equal(back.Data, res.Data) || len(planned.Data) <= len(res.Data) {
		t.Error("removing the plan does not give the edited file")
	}
	second := keepAll(out, 0)
	second.inParts(out, 0, slicesOf(out.Buffers[4].Data, 4)...)
	res, last := apply(t, out, second)
	checkApplied(t, out, &second.Edit, res)
	if gone := goneBuffers(out, last); len(gone) != 1 {
		t.Errorf("%d buffers are gone the second time", len(gone))
	}
}

// places returns how many buffers that were added lie in the old bytes, and how many bytes
// the others have.
func places(m, out *tflite.Model, shift int64) (inside, front int) {
	for _, b := range out.Buffers[len(m.Buffers):] {
		if b.Offset >= shift {
			inside++
		} else {
			front += len(b.Data)
		}
	}
	return inside, front
}

// checkAddedData fails where an added constant has not the data that was asked for.
func checkAddedData(t sample.TB, m *tflite.Model, e *Edit, out *tflite.Model) {
	t.Helper()
	for i, added := range e.Tensors {
		tensor := &out.Subgraphs[e.Subgraph].Tensors[len(m.Subgraphs[e.Subgraph].Tensors)+i]
		b := out.Buffer(tensor)
		if added.Data != nil && (!bytes.Equal(b.Data, added.Data) || b.Offset%patch.Alignment != 0) {
			t.Fatalf("added tensor %d has other data, at %#x", i, b.Offset)
		}
	}
}

// A buffer that anything else has a use for, or may have, stays as it is.
func TestApplyNoFreeRanges(t *testing.T) {
	type change func(m *encode.Model)
	also := func(f func(*encode.Subgraph)) change { return func(m *encode.Model) { f(&m.Subgraphs[0]) } }
	for what, change := range map[string]change{
		"an operator that is kept": also(func(s *encode.Subgraph) { s.Operators[1].Inputs = []int{4, 1} }),
		"a tensor without use":     also(func(s *encode.Subgraph) { s.Tensors = append(s.Tensors, s.Tensors[1]) }),
		"an output":                also(func(s *encode.Subgraph) { s.Outputs = append(s.Outputs, 1) }),
		"an input":                 also(func(s *encode.Subgraph) { s.Inputs = append(s.Inputs, 1) }),
		"another subgraph": func(m *encode.Model) {
			m.Subgraphs = append(m.Subgraphs, encode.Subgraph{Tensors: slices.Clone(m.Subgraphs[0].Tensors[1:2])})
		},
		"metadata": func(m *encode.Model) { m.Metadata = append(m.Metadata, encode.Metadata{Name: "any", Buffer: 1}) },
		"compression": func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: compressionMetadata, Buffer: 2})
		},
		"a vendor's metadata": func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "NPU_BYTE_CODE", Buffer: 2})
		},
		"a signature": func(m *encode.Model) {
			m.Signatures = append(m.Signatures, encode.Signature{Key: "s", Inputs: map[string]int{"w": 1}})
		},
		"a position in the file": func(m *encode.Model) {
			at := bytes.Index(encode.Encode(*m), m.Buffers[0].Data)
			m.Buffers = append(m.Buffers, encode.Buffer{Offset: uint64(at + 90), Size: 4})
			// The file got longer in front of the data.
			longer := bytes.Index(encode.Encode(*m), m.Buffers[0].Data)
			m.Buffers[2].Offset += uint64(longer - at)
		},
	} {
		source := weighted(rand.New(rand.NewPCG(1, 0)), 640, 64)
		change(&source)
		checkStays(t, what, modelfile.Build(t, source))
	}
	source := weighted(rand.New(rand.NewPCG(1, 0)), 640, 64)
	checkStays(t, "an added tensor", modelfile.Build(t, source), Tensor{Name: "also", Shape: []int32{8}, Like: 1, Buffer: 1})
	for _, h := range hostileRanges(t) {
		checkStays(t, h.what, modelfile.Parse(t, h.data))
	}
}

// TestApplyFreeRangesNewer: fields newer than the schema may refer to anything, so no space is
// reused.
func TestApplyFreeRangesNewer(t *testing.T) {
	for newer, want := range map[string]int{"": 2, "options": 0} {
		c := convFiles()[4]
		c.newer = newer
		m := modelfile.Parse(t, c.encode())
		e := keepAll(m, 0)
		e.channels(m, 0)
		res, out := apply(t, m, e)
		checkApplied(t, m, &e.Edit, res)
		checkAddedData(t, m, &e.Edit, out)
		if gone := goneBuffers(m, out); len(gone) != want {
			t.Errorf("newer %q: %d buffers are gone, not %d", newer, len(gone), want)
		}
	}
}

// checkStays cuts the constant of operator 0 and asks that it stays.
func checkStays(t *testing.T, what string, m *tflite.Model, more ...Tensor) {
	t.Helper()
	e := keepAll(m, 0)
	e.inParts(m, 0, slicesOf(m.Buffers[1].Data, 5)...)
	for _, tensor := range more {
		e.tensor(tensor)
	}
	res, err := Apply(m, e.Edit, rewrite.Options{Force: true})
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	out := modelfile.Parse(t, res.Data)
	checkApplied(t, m, &e.Edit, res)
	checkAddedData(t, m, &e.Edit, out)
	if len(goneBuffers(m, out)) > 0 {
		t.Errorf("%s: the buffer is gone", what)
	}
	if inside, _ := places(m, out, res.Added); inside > 0 {
		t.Errorf("%s: %d pieces lie in the old bytes", what, inside)
	}
}
