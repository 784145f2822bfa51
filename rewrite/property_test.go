package rewrite

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// drawModel draws a model of small tensors that operators read and write at random,
// with constants, metadata and plans of all kinds, and something behind it.
func drawModel(t *rapid.T) []byte {
	var m encode.Model
	for range rapid.IntRange(1, 2).Draw(t, "subgraphs") {
		m.Subgraphs = append(m.Subgraphs, drawSubgraph(t))
	}
	for range rapid.IntRange(0, 3).Draw(t, "buffers") {
		m.Buffers = append(m.Buffers, encode.Buffer{Data: rapid.SliceOfN(rapid.Byte(), 400, 420).Draw(t, "data")})
	}
	m.Anonymous = rapid.Bool().Draw(t, "anonymous")
	plan := encodePlan(0, make([]int32, rapid.IntRange(0, 12).Draw(t, "old offsets")))
	for range rapid.IntRange(0, 2).Draw(t, "plans") {
		m = withPlan(m, plan)
	}
	for range rapid.IntRange(0, 3).Draw(t, "metadata") {
		m.Metadata = append(m.Metadata, encode.Metadata{
			Name:   rapid.SampledFrom([]string{"", "notes", "offlinememoryallocation", PlanName + "s", PlanName}).Draw(t, "name"),
			Buffer: rapid.IntRange(0, len(m.Buffers)).Draw(t, "buffer"),
		})
	}
	return drawTail(t, m)
}

func drawSubgraph(t *rapid.T) encode.Subgraph {
	var s encode.Subgraph
	for range rapid.IntRange(1, 6).Draw(t, "tensors") {
		s.Tensors = append(s.Tensors, encode.Tensor{
			Name: rapid.StringN(0, 3, -1).Draw(t, "tensor"), Shape: rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 3).Draw(t, "shape"),
		})
	}
	index := rapid.SliceOfN(rapid.IntRange(0, len(s.Tensors)-1), 0, 3)
	s.Inputs, s.Outputs = index.Draw(t, "in"), index.Draw(t, "out")
	for range rapid.IntRange(0, 6).Draw(t, "operators") {
		s.Operators = append(s.Operators, encode.Operator{
			Builtin: schema.BuiltinOperatorADD, Inputs: index.Draw(t, "inputs"), Outputs: index.Draw(t, "outputs"),
		})
	}
	return s
}

// drawTail encodes the model with constants and a zip archive behind it.
func drawTail(t *rapid.T, m encode.Model) []byte {
	outside := rapid.IntRange(0, 3).Draw(t, "outside")
	blob := rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "blob")
	data := behind(func(at uint64) encode.Model {
		grown := m
		grown.Buffers = append([]encode.Buffer{}, m.Buffers...)
		for i := range outside {
			grown.Buffers = append(grown.Buffers, encode.Buffer{Offset: at + uint64(8*i), Size: uint64(64 - 8*i)})
		}
		return grown
	}, blob[:64*min(outside, 1)])
	switch rapid.IntRange(0, 3).Draw(t, "zip") {
	case 0:
		data = append(data, archive(t, int64(len(data)))...)
	case 1:
		data = append(data, archive(t, 0)...)
	}
	return data
}

func drawOffsets(t *rapid.T, m *tflite.Model) []int32 {
	n := countTensors(m)
	return rapid.SliceOfN(rapid.Map(rapid.Int32Range(-1, 12), func(x int32) int32 {
		if x < 0 {
			return Online
		}
		return x * Alignment
	}), n, n).Draw(t, "offsets")
}

// The laws of rewriting: everything but the plan stays, the plan is read as it was
// written, the same again changes nothing, and removing it takes back what embedding
// did.
func TestRewriteLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := parse(t, drawModel(t))
		offsets := drawOffsets(t, m)
		r, out := embed(t, m, offsets)
		sameContent(t, m, out, r.Added)
		if diff := cmp.Diff(offsets, onlyPlan(t, out).Offsets, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("plan (-want +got):\n%s", diff)
		}
		if r.Method == Prefix != (r.Added > 0) || r.Added%64 != 0 {
			t.Fatalf("%s added %d B", r.Method, r.Added)
		}
		if again, _ := embed(t, out, offsets); again.Method != Unchanged || !bytes.Equal(again.Data, out.Data) {
			t.Fatalf("again: %s", again.Method)
		}
		_, other := embed(t, out, drawOffsets(t, out))
		back := remove(t, other)
		if len(planEntries(m)) == 0 && !bytes.Equal(back.Data, m.Data) {
			t.Fatalf("%s does not give the old file back", back.Method)
		}
		gone := parse(t, back.Data)
		if len(planEntries(gone)) != 0 {
			t.Fatal("a plan is left")
		}
		sameContent(t, m, gone, 0)
	})
}

// Without variables and custom operators, the verdict on offsets is that of the
// checker of plans.
func TestVerifyAgainstCheck(t *testing.T) {
	micro := rules.Micro()
	rapid.Check(t, func(t *rapid.T) {
		m := build(t, encode.Model{Subgraphs: []encode.Subgraph{drawSubgraph(t)}})
		offsets := drawOffsets(t, m)
		_, out := embed(t, m, offsets)
		view, err := micro.View(m, -1)
		if err != nil {
			t.Fatal(err)
		}
		records, want := checked(view, offsets)
		v := verify(t, out)
		if v.Head != want || len(v.Pinned) != len(records) {
			t.Fatalf("head %d, want %d; %d pinned, want %d", v.Head, want, len(v.Pinned), len(records))
		}
		var used []lifetime.Record
		var places []int64
		var end int64
		for _, r := range records {
			// What is never used overlaps whom it likes.
			if r.Last >= 0 {
				used, places, end = append(used, r), append(places, r.Offset), max(end, r.Offset+r.Size)
			}
		}
		if err := check.Offsets(used, places, end); (err == nil) != v.OK() {
			t.Fatalf("check says %v, verify %v", err, v.Findings)
		}
	})
}

// checked returns the pinned records and their head.
func checked(view *rules.View, offsets []int32) (pinned []lifetime.Record, head int64) {
	records := view.Records()
	for i, tensor := range view.Graph.Subgraphs[0].Tensors {
		if !tensor.Planned {
			continue
		}
		r := records[0]
		records = records[1:]
		if offsets[i] != Online {
			r.Offset = int64(offsets[i])
			pinned = append(pinned, r)
			head = max(head, r.Offset+r.Size)
		}
	}
	return pinned, head
}
