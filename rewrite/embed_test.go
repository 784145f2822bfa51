package rewrite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// The bytes of a plan are those of the format: version, subgraphs, count, offsets.
func TestEncodePlan(t *testing.T) {
	got := encodePlan(1, sample.ChainPlan)
	var want []byte
	for _, word := range []int32{1, 1, 5, 0, -1, 16, 0, 16} {
		want = binary.LittleEndian.AppendUint32(want, uint32(word))
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func TestEmbedPrefix(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	r, out := embed(t, m, sample.ChainPlan)
	if r.Method != Prefix || r.Added <= 0 || r.Added%64 != 0 || int64(len(r.Data)-len(m.Data)) != r.Added {
		t.Errorf("%s added %d B to %d B and gives %d B", r.Method, r.Added, len(m.Data), len(r.Data))
	}
	if !bytes.Equal(r.Data[r.Added:], m.Data) {
		t.Error("the old bytes are not as they were")
	}
	p := onlyPlan(t, out)
	want := Plan{Entry: 1, Buffer: 4, Version: 1, Subgraphs: 1, Offsets: sample.ChainPlan, Spare: []byte{}, At: p.At}
	want.Buffer = len(out.Buffers) - 1
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if p.At%Alignment != 0 {
		t.Errorf("the plan lies at %d", p.At)
	}
	sample.SameContent(t, m, out, r.Added)
	if len(r.Changes) < 2 {
		t.Errorf("changes: %q", r.Changes)
	}
}

// The same plan again changes nothing; another one overwrites it; both leave the
// way back to the first file.
func TestEmbedTwice(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	_, out := embed(t, m, sample.ChainPlan)
	again, _ := embed(t, out, sample.ChainPlan)
	if again.Method != Unchanged || again.Added != 0 || !bytes.Equal(again.Data, out.Data) {
		t.Errorf("the same plan again: %s", again.Method)
	}
	other := []int32{32, -1, 0, 32, -1}
	r, changed := embed(t, out, other)
	if r.Method != InPlace || r.Added != 0 {
		t.Errorf("another plan: %s, %d B", r.Method, r.Added)
	}
	if diff := cmp.Diff(other, onlyPlan(t, changed).Offsets); diff != "" {
		t.Error(diff)
	}
	back := remove(t, changed)
	if back.Method != Restored || !bytes.Equal(back.Data, m.Data) {
		t.Errorf("removed: %s, %d B of %d B", back.Method, len(back.Data), len(m.Data))
	}
}

func TestEmbedRefusesOffsets(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	for _, c := range []struct {
		offsets []int32
		want    string
	}{
		{nil, "0 offsets"},
		{make([]int32, 6), "6 offsets"},
		{[]int32{0, -1, 8, 0, 0}, "not a multiple of 16"},
		{[]int32{0, -1, -2, 0, 0}, "below -1"},
		{[]int32{0, -1, -16, 0, 0}, "below -1"},
	} {
		if _, err := Embed(m, c.offsets, Options{Force: true}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.offsets, err, c.want)
		}
	}
}

// How an existing plan is replaced.
func TestEmbedOverPlan(t *testing.T) {
	short, exact := make([]byte, 12), encodePlan(7, make([]int32, 5))
	roomy := append(encodePlan(0, []int32{0, 0, 0, 0, 0}), 1, 2, 3, 4, 5)
	for _, c := range []struct {
		name  string
		model func(*encode.Model)
		data  []byte
		want  Method
	}{
		{"exact", nil, exact, InPlace},
		{"with spare bytes", nil, roomy, InPlace},
		{"without room", nil, short, Prefix},
		{"empty", nil, []byte{}, Prefix},
		{"twice", func(m *encode.Model) { *m = sample.WithPlan(*m, exact) }, exact, InPlace},
		{"first without room", func(m *encode.Model) { *m = sample.WithPlan(*m, short) }, exact, InPlace},
		{"shared with metadata", func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "other", Buffer: 3})
		}, exact, Prefix},
		{"shared with a tensor", func(m *encode.Model) {
			m.Subgraphs[0].Tensors[1].Shape, m.Subgraphs[0].Tensors[1].Buffer = []int32{8}, 3
		}, exact, Prefix},
		{"two entries, one buffer", func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: PlanName, Buffer: 3})
		}, exact, InPlace},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := sample.Chain()
			if c.model != nil {
				c.model(&source)
			}
			m := modelfile.Build(t, sample.WithPlan(source, c.data))
			r, out := embed(t, m, sample.ChainPlan)
			if r.Method != c.want {
				t.Errorf("%s, want %s", r.Method, c.want)
			}
			p := onlyPlan(t, out)
			if diff := cmp.Diff(sample.ChainPlan, p.Offsets); diff != "" || p.Version != 1 || p.Subgraphs != 1 {
				t.Errorf("plan %+v:\n%s", p, diff)
			}
			if c.want == InPlace && len(p.Spare) != len(m.Buffers[p.Buffer].Data)-planBytes(5) {
				t.Errorf("spare bytes %v", p.Spare)
			}
			sample.SameContent(t, m, out, r.Added)
			again, _ := embed(t, out, sample.ChainPlan)
			if again.Method != Unchanged {
				t.Errorf("again: %s", again.Method)
			}
			gone := modelfile.Parse(t, remove(t, out).Data)
			if len(patch.PlanEntries(gone)) != 0 {
				t.Error("a plan is left")
			}
			sample.SameContent(t, m, gone, 0)
		})
	}
}

// Without buffers, tensors still refer to buffer 0, which stays the one without data.
func TestEmbedWithoutBuffers(t *testing.T) {
	data := sample.WithoutBuffers()
	m := modelfile.Parse(t, data)
	if len(m.Buffers) != 0 || countTensors(m) == 0 {
		t.Fatalf("%d buffers, %d tensors", len(m.Buffers), countTensors(m))
	}
	r, out := embed(t, m, sample.Online(m))
	if len(out.Buffers) != 2 || out.Buffers[0].Present || onlyPlan(t, out).Buffer != 1 {
		t.Errorf("buffers %+v", out.Buffers)
	}
	for _, tensor := range out.Subgraphs[0].Tensors {
		if tensor.Constant {
			t.Errorf("tensor %q became a constant", tensor.Name)
		}
	}
	sample.SameContent(t, m, out, r.Added)
	if back := remove(t, out); !bytes.Equal(back.Data, data) {
		t.Error("removing it does not restore the file")
	}
}

// A file without identifier keeps having none.
func TestEmbedAnonymous(t *testing.T) {
	source := sample.Chain()
	source.Anonymous = true
	m := modelfile.Build(t, source)
	_, out := embed(t, m, sample.ChainPlan)
	if out.Identified {
		t.Error("the identifier is new")
	}
}

// A root table with a field that the schema does not know is not carried over, not
// even by force, but a plan in it is overwritten.
func TestNewerField(t *testing.T) {
	for _, c := range []struct {
		plan []byte
		want Method
	}{{nil, ""}, {encodePlan(0, make([]int32, 5)), InPlace}} {
		source := sample.Chain()
		if c.plan != nil {
			source = sample.WithPlan(source, c.plan)
		}
		m := newer(t, source)
		r, err := Embed(m, sample.ChainPlan, Options{Force: true})
		if c.want == "" {
			var refused *RefusedError
			if !errors.As(err, &refused) || refused.Force || !strings.Contains(refused.Reason, "field 10") {
				t.Errorf("error %v", err)
			}
		} else if err != nil || r.Method != c.want {
			t.Errorf("%v, %v", r, err)
		}
	}
}

// newer returns a model whose root table has field 10. Its vtable is in front of the
// table, and moved to the end of the room that a prefix leaves.
func newer(t *testing.T, source encode.Model) *tflite.Model {
	t.Helper()
	old := encode.Encode(source)
	table := int(binary.LittleEndian.Uint32(old))
	vtable := table - int(int32(binary.LittleEndian.Uint32(old[table:])))
	size := int(binary.LittleEndian.Uint16(old[vtable:]))
	const room = 64
	// The root table follows its new vtable, and everything it refers to comes later.
	out := make([]byte, room+16+len(old))
	copy(out[room+16:], old)
	copy(out[4:], schema.Identifier)
	at := 8 + 26
	at += at % 4
	binary.LittleEndian.PutUint32(out, uint32(at))
	binary.LittleEndian.PutUint16(out[8:], 26)
	field := 4
	for id := range 11 {
		var from int
		if 4+2*id+2 <= size {
			from = int(binary.LittleEndian.Uint16(old[vtable+4+2*id:]))
		}
		if from == 0 && id < 10 {
			continue
		}
		binary.LittleEndian.PutUint16(out[8+4+2*id:], uint16(field))
		switch id {
		case 0:
			copy(out[at+field:at+field+4], old[table+from:])
		case 10:
			binary.LittleEndian.PutUint32(out[at+field:], 12345)
		default:
			target := table + from + int(binary.LittleEndian.Uint32(old[table+from:])) + room + 16
			binary.LittleEndian.PutUint32(out[at+field:], uint32(target-at-field))
		}
		field += 4
	}
	binary.LittleEndian.PutUint16(out[10:], uint16(field))
	binary.LittleEndian.PutUint32(out[at:], uint32(at-8))
	return modelfile.Parse(t, out)
}
