package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

var diagonal = &Marker{Version: MarkerVersion, Alias: "diagonal", Kernels: "reference"}

// mark embeds a plan with a marker, or without one where it is nil.
func mark(t sample.TB, m *tflite.Model, offsets []int32, marker *Marker) (*Result, *tflite.Model) {
	t.Helper()
	r, err := Embed(m, offsets, Options{Marker: marker})
	if err != nil {
		t.Fatal(err)
	}
	out := modelfile.Parse(t, r.Data)
	got, err := ReadMarker(out)
	if diff := cmp.Diff(marker, got); diff != "" || err != nil {
		t.Fatalf("marker: %v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff(offsets, onlyPlan(t, out).Offsets, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("plan (-want +got):\n%s", diff)
	}
	sample.SameContent(t, m, out, r.Added)
	return r, out
}

// The bytes of a marker are those of the format, in a buffer behind the plan's.
func TestMarkerBytes(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	r, out := mark(t, m, sample.ChainPlan, diagonal)
	p := onlyPlan(t, out)
	md := out.Metadata[len(out.Metadata)-1]
	if md.Name != "tflarena_plan" || md.Buffer != p.Buffer+1 || p.Entry != len(out.Metadata)-2 {
		t.Errorf("metadata %v, plan in buffers[%d]", out.Metadata, p.Buffer)
	}
	if got := string(out.Buffers[md.Buffer].Data); got != `{"version":1,"alias":"diagonal","kernels":"reference"}` {
		t.Errorf("marker %s", got)
	}
	if at := out.Buffers[md.Buffer].Offset; at%Alignment != 0 || at > p.At || p.At%Alignment != 0 || r.Added%64 != 0 {
		t.Errorf("marker at %d, plan at %d, %d B added", at, p.At, r.Added)
	}
	if !strings.Contains(strings.Join(r.Changes, "\n"), "metadata[2] tflarena_plan is new, its marker in buffers[4]") {
		t.Errorf("changes: %q", r.Changes)
	}
}

// A marker comes, changes and goes without the file growing, and the way back to the first
// file stays open.
func TestMarkerAgain(t *testing.T) {
	for _, m := range []*tflite.Model{modelfile.Build(t, sample.Chain()), modelfile.Parse(t, sample.WithoutBuffers())} {
		offsets := sample.Online(m)
		plain, out := mark(t, m, offsets, nil)
		for _, c := range []struct {
			marker *Marker
			want   Method
			length int // of the marker in the file
		}{
			{diagonal, Prefix, 54},
			{diagonal, Unchanged, 54},
			{&Marker{1, "safe", "cmsis_nn"}, InPlace, 54},
			{&Marker{1, "safe", "a-b@1.2"}, InPlace, 54},
			{diagonal, InPlace, 54},
			{&Marker{1, "diagonal", "a-library-with-a-long-name"}, Prefix, 71},
			{diagonal, InPlace, 71},
			{nil, Prefix, 0},
		} {
			var r *Result
			r, out = mark(t, out, offsets, c.marker)
			if r.Method != c.want {
				t.Errorf("%v: %s, want %s", c.marker, r.Method, c.want)
			}
			if entries := patch.MarkerEntries(out); len(entries) > 0 && len(out.Buffers[out.Metadata[entries[0]].Buffer].Data) != c.length {
				t.Errorf("%v: %q", c.marker, out.Buffers[out.Metadata[entries[0]].Buffer].Data)
			}
			if back := remove(t, out); back.Method != Restored || !bytes.Equal(back.Data, m.Data) {
				t.Errorf("%v, removed: %s, %d B of %d B", c.marker, back.Method, len(back.Data), len(m.Data))
			}
		}
		if !bytes.Equal(out.Data, plain.Data) {
			t.Error("without the marker it is not the file that never had one")
		}
	}
}

// TestMarkerOverOther: Embed and Remove handle another writer's plan and marker.
func TestMarkerOverOther(t *testing.T) {
	plan := encodePlan(7, make([]int32, 5))
	for _, c := range []struct {
		name   string
		model  encode.Model
		marker *Marker
		want   Method
	}{
		{"both fit", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), sample.Marker), diagonal, InPlace},
		{"marker in front", sample.WithPlan(sample.WithMarker(sample.Chain(), sample.Marker), plan), diagonal, InPlace},
		{"what is there cannot be read", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), strings.Repeat("x", 60)), diagonal, InPlace},
		{"no marker", sample.WithPlan(sample.Chain(), plan), diagonal, Prefix},
		{"no plan", sample.WithMarker(sample.Chain(), sample.Marker), diagonal, Prefix},
		{"no plan, and none asked for", sample.WithMarker(sample.Chain(), sample.Marker), nil, Prefix},
		{"none asked for", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), sample.Marker), nil, InPlace},
		{"no room for the marker", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), "{}"), diagonal, Prefix},
		{"no room for the plan", sample.WithMarker(sample.WithPlan(sample.Chain(), plan[:12]), sample.Marker), diagonal, Prefix},
		{"far too much room", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), strings.Repeat(" ", patch.MaxMarker+1)), diagonal, Prefix},
		{"twice", sample.WithMarker(sample.WithMarker(sample.WithPlan(sample.Chain(), plan), "{}"), sample.Marker), diagonal, InPlace},
		{"one buffer for both", sample.Change(sample.WithPlan(sample.Chain(), plan), func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: MarkerName, Buffer: 3})
			m.Buffers[2].Data = append(plan, make([]byte, 100)...)
		}), diagonal, Prefix},
		{"one buffer for both, and none asked for", sample.Change(sample.WithPlan(sample.Chain(), plan), func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: MarkerName, Buffer: 3})
		}), nil, Prefix},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := modelfile.Build(t, c.model)
			r, out := mark(t, m, sample.ChainPlan, c.marker)
			if r.Method != c.want {
				t.Errorf("%s, want %s", r.Method, c.want)
			}
			if again, _ := mark(t, out, sample.ChainPlan, c.marker); again.Method != Unchanged {
				t.Errorf("again: %s", again.Method)
			}
			gone := modelfile.Parse(t, remove(t, out).Data)
			if patch.Carries(gone) {
				t.Error("a plan or a marker is left")
			}
			sample.SameContent(t, m, gone, 0)
		})
	}
}

// Removing takes both out, with the buffers that nothing else uses, and a marker that has
// lost its plan.
func TestRemoveMarker(t *testing.T) {
	plan := encodePlan(0, make([]int32, 5))
	for _, c := range []struct {
		name    string
		model   encode.Model
		buffers int
	}{
		{"behind the plan", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), sample.Marker), 3},
		{"in front of the plan", sample.WithPlan(sample.WithMarker(sample.Chain(), sample.Marker), plan), 3},
		{"alone", sample.WithMarker(sample.Chain(), sample.Marker), 3},
		{"empty", sample.WithMarker(sample.WithPlan(sample.Chain(), plan), ""), 3},
		{"plan's buffer in use", sample.Change(sample.WithMarker(sample.WithPlan(sample.Chain(), plan), sample.Marker), func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "more", Buffer: 3})
		}), 4},
		{"marker's buffer in use", sample.Change(sample.WithMarker(sample.WithPlan(sample.Chain(), plan), sample.Marker), func(m *encode.Model) {
			m.Metadata = append(m.Metadata, encode.Metadata{Name: "more", Buffer: 4})
		}), 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := modelfile.Build(t, c.model)
			r := remove(t, m)
			out := modelfile.Parse(t, r.Data)
			if r.Method != InPlace || r.Added != 0 || patch.Carries(out) || len(out.Buffers) != c.buffers {
				t.Errorf("%s, %d B, metadata %v, %d buffers", r.Method, r.Added, out.Metadata, len(out.Buffers))
			}
			sample.SameContent(t, m, out, 0)
		})
	}
}

// A new order of the operators takes the marker out with the plan.
func TestReorderMarked(t *testing.T) {
	m := modelfile.Build(t, sample.Fork())
	_, out := mark(t, m, sample.Online(m), diagonal)
	r, err := Reorder(out, [][]int{{1, 0, 2, 3}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := modelfile.Parse(t, r.Data); r.Method != Restored || patch.Carries(got) {
		t.Errorf("%s, metadata %v", r.Method, got.Metadata)
	}
}

func TestEmbedRefusesMarkers(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	for _, c := range []struct {
		marker Marker
		want   string
	}{
		{Marker{}, "version 0"},
		{Marker{2, "diagonal", "reference"}, "only version 1 is known"},
		{Marker{1, "", "reference"}, `alias is "", which is not a word`},
		{Marker{1, "Diagonal", "reference"}, `alias is "Diagonal"`},
		{Marker{1, "diagonal", "a b"}, `kernels are "a b"`},
		{Marker{1, "diagonal", strings.Repeat("k", 33)}, "not a word"},
	} {
		if _, err := Embed(m, sample.ChainPlan, Options{Marker: &c.marker}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.marker, err, c.want)
		}
	}
}

// A marker is read whatever white space and order it has, and nothing else is let through.
func TestReadMarker(t *testing.T) {
	const good = `{"version":1,"alias":"diagonal","kernels":"reference"}`
	space := strings.Repeat(" ", patch.MaxMarker-len(good))
	for _, c := range []struct {
		texts []string
		want  string // in the error
	}{
		{nil, "none"},
		{[]string{good}, ""},
		{[]string{sample.Marker}, ""},
		{[]string{"\r\n\t" + good + "\n"}, ""},
		{[]string{good + space}, ""},
		{[]string{good, good}, ""},
		{[]string{good + space + " "}, "it has 1025 B, more than the 1024 B of a marker"},
		{[]string{""}, "it has no data"},
		{[]string{" "}, "not a JSON object"},
		{[]string{"offsets"}, "not a JSON object"},
		{[]string{good + good}, "not a JSON object"},
		{[]string{good[:40]}, "not a JSON object"},
		{[]string{`["version",1]`}, "not a JSON object"},
		{[]string{strings.Repeat("{", 1000)}, "not a JSON object"},
		{[]string{`{}`}, `no field "version"`},
		{[]string{`{"version":1,"kernels":"reference"}`}, `no field "alias"`},
		{[]string{`{"version":1,"alias":"diagonal"}`}, `no field "kernels"`},
		{[]string{`{"alias":["new"],"version":2,"also":0}`}, "it has version 2, and only version 1 is known"},
		{[]string{`{"version":null,"alias":"diagonal","kernels":"reference"}`}, "version 0"},
		{[]string{`{"version":1.5,"alias":"diagonal","kernels":"reference"}`}, `its field "version" is "1.5"`},
		{[]string{`{"version":1,"alias":7,"kernels":"reference"}`}, `its field "alias" is "7"`},
		{[]string{`{"Version":1,"alias":"diagonal","kernels":"reference"}`}, `no field "version"`},
		{[]string{`{"version":1,"alias":"diagonal","kernels":"reference","more":1,"also":2}`}, `the field "also", which version 1 does not have`},
		{[]string{`{"version":1,"alias":"diagonal","kernels":"reference","kernels":"all"}`}, `the field "kernels" twice`},
		{[]string{`{"version":1,"alias":"diagonal","kernels":"\u001b[2J"}`}, `its kernels are "\x1b[2J", which is not a word`},
		{[]string{good, good + " "}, "metadata[2]: it differs from the one of metadata[1]"},
	} {
		model := sample.Chain()
		for _, text := range c.texts {
			model = sample.WithMarker(model, text)
		}
		m := modelfile.Build(t, model)
		got, err := ReadMarker(m)
		if c.want == "" || c.texts == nil {
			if err != nil || (got == nil) != (c.texts == nil) || got != nil && *got != *diagonal {
				t.Errorf("%q: %v, %v", c.texts, got, err)
			}
			continue
		}
		bad := (*PlanError)(nil)
		if !errors.As(err, &bad) || got != nil || !strings.Contains(err.Error(), c.want) || bad.Law != "marker" {
			t.Errorf("%q: %v, %v, want %q", c.texts, got, err, c.want)
			continue
		}
		at := m.Buffers[len(m.Buffers)-1].Offset
		if where := fmt.Sprintf("buffers[%d]", len(m.Buffers)-1); bad.Path != where || bad.Offset != at {
			t.Errorf("%q: at %s, %d, want %s, %d", c.texts, bad.Path, bad.Offset, where, at)
		}
	}
}
