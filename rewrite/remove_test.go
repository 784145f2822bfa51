package rewrite

import (
	"bytes"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

func TestRemoveNothing(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	if r := remove(t, m); r.Method != Unchanged || !bytes.Equal(r.Data, m.Data) {
		t.Errorf("%s", r.Method)
	}
}

// Plans of other tools are left out in place, wherever their entry stands, and with
// their buffer when it is the last and nothing else uses it.
func TestRemoveForeign(t *testing.T) {
	plan := encodePlan(0, make([]int32, 5))
	for _, c := range []struct {
		name    string
		model   func(*encode.Model)
		buffers int
	}{
		{"last", func(*encode.Model) {}, 3},
		{"alone", func(m *encode.Model) { m.Metadata = m.Metadata[1:] }, 3},
		{"first", func(m *encode.Model) { m.Metadata[0], m.Metadata[1] = m.Metadata[1], m.Metadata[0] }, 3},
		{"buffer in the middle", func(m *encode.Model) {
			m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte("more")})
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "more", Buffer: 4})
		}, 5},
		{"buffer in use", func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "more", Buffer: 3})
		}, 4},
		{"twice", func(m *encode.Model) { *m = sample.WithPlan(*m, plan) }, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := sample.WithPlan(sample.Chain(), plan)
			c.model(&source)
			m := modelfile.Build(t, source)
			r := remove(t, m)
			out := modelfile.Parse(t, r.Data)
			if r.Method != InPlace || r.Added != 0 || len(patch.PlanEntries(out)) != 0 {
				t.Errorf("%s, %d B, %d plans", r.Method, r.Added, len(patch.PlanEntries(out)))
			}
			if len(out.Buffers) != c.buffers {
				t.Errorf("%d buffers, want %d", len(out.Buffers), c.buffers)
			}
			sample.SameContent(t, m, out, 0)
			if again := remove(t, out); again.Method != Unchanged {
				t.Errorf("again: %s", again.Method)
			}
		})
	}
}

// A prefix that somebody changed is not cut off: nothing proves what was behind it.
func TestRemoveChangedPrefix(t *testing.T) {
	res, out := embed(t, modelfile.Build(t, sample.State()), make([]int32, 6))
	data := bytes.Clone(out.Data)
	if end := onlyPlan(t, out).At + int64(planBytes(6)); end == res.Added {
		t.Fatal("there is no padding behind the plan")
	}
	data[res.Added-1] = 1
	m := modelfile.Parse(t, data)
	r := remove(t, m)
	if r.Method != InPlace || len(r.Data) != len(data) {
		t.Errorf("%s, %d B", r.Method, len(r.Data))
	}
	sample.SameContent(t, m, modelfile.Parse(t, r.Data), 0)
}

// A vector of metadata that serves as something else too gets a copy without plans:
// here it is the vector of buffers as well, whose data is read as names.
func TestRemoveSharedVector(t *testing.T) {
	source := sample.Chain()
	source.Buffers[0].Data = []byte(PlanName + "\x00")[:len(PlanName)]
	data := encode.Encode(source)
	r := patch.RootOf(modelfile.Parse(t, data))
	buffers, _ := r.Vector(patch.FieldBuffers)
	metadata, _ := patch.FieldAt(r.Table, patch.FieldMetadata)
	patch.Output(data).Refer(metadata, buffers)
	m := modelfile.Parse(t, data)
	if len(patch.PlanEntries(m)) != 1 || len(m.Metadata) != len(m.Buffers) {
		t.Fatalf("metadata %v", m.Metadata)
	}
	res := remove(t, m)
	out := modelfile.Parse(t, res.Data)
	if res.Method != Prefix || len(patch.PlanEntries(out)) != 0 || len(out.Metadata) != 2 {
		t.Errorf("%s, metadata %v", res.Method, out.Metadata)
	}
	sample.SameContent(t, m, out, res.Added)
}

// listedPlan returns a model without tensors whose plan is also in the old list of
// metadata, which has no names.
func listedPlan() []byte {
	b := flatbuffers.NewBuilder(0)
	vector := func(list ...flatbuffers.UOffsetT) flatbuffers.UOffsetT {
		b.StartVector(4, len(list), 4)
		for i := len(list) - 1; i >= 0; i-- {
			b.PrependUOffsetT(list[i])
		}
		return b.EndVector(len(list))
	}
	plan := b.CreateByteVector(encodePlan(0, nil))
	name := b.CreateString(PlanName)
	schema.BufferStart(b)
	empty := schema.BufferEnd(b)
	schema.BufferStart(b)
	schema.BufferAddData(b, plan)
	buffers := vector(empty, schema.BufferEnd(b))
	schema.MetadataStart(b)
	schema.MetadataAddName(b, name)
	schema.MetadataAddBuffer(b, 1)
	metadata := vector(schema.MetadataEnd(b))
	b.StartVector(4, 1, 4)
	b.PrependInt32(1)
	list := b.EndVector(1)
	schema.SubGraphStart(b)
	subgraphs := vector(schema.SubGraphEnd(b))
	schema.ModelStart(b)
	schema.ModelAddVersion(b, schema.Version)
	schema.ModelAddSubgraphs(b, subgraphs)
	schema.ModelAddBuffers(b, buffers)
	schema.ModelAddMetadataBuffer(b, list)
	schema.ModelAddMetadata(b, metadata)
	b.FinishWithFileIdentifier(schema.ModelEnd(b), []byte(schema.Identifier))
	return b.FinishedBytes()
}

// The old list of metadata keeps a plan's buffer from going, not the plan.
func TestRemoveListed(t *testing.T) {
	m := modelfile.Parse(t, listedPlan())
	if r, _ := embed(t, m, nil); r.Method != InPlace {
		t.Errorf("embedded %s", r.Method)
	}
	out := modelfile.Parse(t, remove(t, m).Data)
	if len(patch.PlanEntries(out)) != 0 || len(out.Buffers) != 2 {
		t.Errorf("metadata %v, %d buffers", out.Metadata, len(out.Buffers))
	}
}
