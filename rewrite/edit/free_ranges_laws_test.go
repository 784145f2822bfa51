package edit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestApplyFreeRangesLaws: reusing the space of constants corrupts no byte, for random constants,
// sharing and slices. In hostile files, references point into constants.
func TestApplyFreeRangesLaws(t *testing.T) {
	ranges, hostile := 0, 0
	property.Until(t, func() bool { return ranges > 0 && hostile > 0 }, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		m := modelfile.Parse(t, encode.Encode(drawWeighted(t, r)))
		bad := rapid.Bool().Draw(t, "hostile")
		if bad {
			if m = redirected(m, r); m == nil {
				return
			}
			hostile++
		}
		e := keepAll(m, 0)
		e.retiring(m, r)
		res, err := Apply(m, e.Edit, rewrite.Options{})
		if refused := (*patch.RefusedError)(nil); err != nil && bad && !errors.As(err, &refused) {
			return // the shapes of tensors are nonsense
		}
		if err != nil {
			t.Fatal(err)
		}
		if res.Method == rewrite.Unchanged {
			return
		}
		out := modelfile.Parse(t, res.Data)
		checkApplied(t, m, &e.Edit, res)
		checkAddedData(t, m, &e.Edit, out)
		ranges += len(goneBuffers(m, out))
	})
}

// drawWeighted draws a model whose constants share buffers with each other, with metadata and
// with another subgraph.
func drawWeighted(t *rapid.T, r *rand.Rand) encode.Model {
	sizes := rapid.SliceOfN(rapid.IntRange(1, 300), 1, 6).Draw(t, "sizes")
	m := weighted(r, sizes...)
	some := rapid.IntRange(1, len(sizes))
	for range rapid.IntRange(0, 2).Draw(t, "shared") {
		a, b := some.Draw(t, "tensor"), some.Draw(t, "buffer")
		if sizes[a-1] <= sizes[b-1] {
			m.Subgraphs[0].Tensors[a].Buffer = b
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "metadata") == 0 {
		m.Metadata = append(m.Metadata, encode.Metadata{Name: "any", Buffer: some.Draw(t, "of")})
	}
	if rapid.IntRange(0, 2).Draw(t, "subgraph") == 0 {
		m.Subgraphs = append(m.Subgraphs, encode.Subgraph{Tensors: slices.Clone(m.Subgraphs[0].Tensors[1 : 1+some.Draw(t, "tensors")])})
	}
	return m
}

// redirected returns a model in which references lead into the data of buffers, nil where
// some tries give none that is valid.
func redirected(m *tflite.Model, r *rand.Rand) *tflite.Model {
	for range 20 {
		data := bytes.Clone(m.Data)
		for range 1 + r.IntN(3) {
			redirect(m, data, r)
		}
		if other, err := tflite.Parse(data, "hostile"); err == nil && !bytes.Equal(data, m.Data) {
			return other
		}
	}
	return nil
}

// redirect makes a reference in a file lead somewhere into the data of a buffer, where that
// is in front of it.
func redirect(m *tflite.Model, data []byte, r *rand.Rand) {
	b := m.Buffers[1+r.IntN(len(m.Buffers)-1)]
	target := (b.Offset - 4 + int64(r.IntN(len(b.Data)+4))) &^ 3
	var places []int64
	for i := range m.Buffers[1:] {
		places = append(places, entryOf(m, i+1), dataField(m, i+1))
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			table := m.Subgraphs[s].Tensors[i].Table()
			if at, ok := patch.FieldAt(table.Table(), tensorShapeField); ok {
				places = append(places, at)
			}
		}
	}
	if at := places[r.IntN(len(places))]; at < target {
		patch.Output(data).Refer(at, target)
	}
}

// A hostileRoom is a file, and what refers to the bytes of buffer 1 there.
type hostileRoom struct {
	what string
	data []byte
}

// hostileRanges are files in which the bytes of buffer 1 are read as something else too.
func hostileRanges(t testing.TB) (list []hostileRoom) {
	fresh := func() (data []byte, m *tflite.Model) {
		source := weighted(rand.New(rand.NewPCG(1, 0)), 640, 64)
		source.Buffers = append(source.Buffers, encode.Buffer{Data: []byte("any")})
		source.Metadata = []encode.Metadata{{Name: "any", Buffer: 3}}
		m = modelfile.Build(t, source)
		return bytes.Clone(m.Data), m
	}
	refer := func(what string, data []byte, at, target int64) {
		if at >= target {
			t.Fatalf("%s: the reference at %#x cannot lead back to %#x", what, at, target)
		}
		patch.Output(data).Refer(at, target)
		list = append(list, hostileRoom{what, data})
	}
	// Buffer 3 refers to the same vector, or to one within it.
	for _, inside := range []int64{0, 100} {
		data, m := fresh()
		refer(fmt.Sprintf("a vector %d B further", inside), data, dataField(m, 3), m.Buffers[1].Offset-4+inside)
	}
	data, m := fresh()
	refer("the same table", data, entryOf(m, 3), patch.RootOf(m).Targets(patch.FieldBuffers)[1])

	data, m = fresh()
	var s schema.SubGraph
	var tensor schema.Tensor
	schema.GetRootAsModel(data, 0).Subgraphs(&s, 0)
	s.Tensors(&tensor, 2)
	shape, _ := patch.FieldAt(tensor.Table(), tensorShapeField)
	at := m.Buffers[1].Offset + 40
	le.PutUint32(data[at:], 1)
	le.PutUint32(data[at+4:], 64)
	refer("a shape", data, shape, at)
	return list
}

// dataField returns where the reference to a buffer's data is.
func dataField(m *tflite.Model, index int) int64 {
	var b schema.Buffer
	schema.GetRootAsModel(m.Data, 0).Buffers(&b, index)
	at, _ := patch.FieldAt(b.Table(), 0)
	return at
}

// entryOf returns where the reference to a buffer's table is.
func entryOf(m *tflite.Model, index int) int64 {
	pos, _ := patch.RootOf(m).Vector(patch.FieldBuffers)
	return pos + 4 + 4*int64(index)
}
