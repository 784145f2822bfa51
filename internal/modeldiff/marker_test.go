package modeldiff

import (
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Changes of a marker in both directions. Readable markers are compared by contents, others by bytes.
func TestMarkerChange(t *testing.T) {
	back := map[PlanChange]PlanChange{PlanAdded: PlanRemoved}
	for _, c := range []struct {
		a, b string
		want PlanChange
	}{
		{"", "", ""},
		{"", `{"version":1,"alias":"diagonal","kernels":"reference"}`, PlanAdded},
		{"", `?`, PlanAdded},
		{`{"version":1,"alias":"diagonal","kernels":"reference"}`, `{ "alias":"diagonal","version":1,"kernels":"reference"} `, PlanSame},
		{`{"version":1,"alias":"diagonal","kernels":"reference"}`, `{"version":1,"alias":"diagonal","kernels":"cmsis_nn"}`, PlanChanged},
		{`{"version":1,"alias":"diagonal","kernels":"reference"}`, `?`, PlanChanged},
		{`{"version":2}`, `{"version":2}`, PlanSame},
		{`{"version":2}`, `{"version":3}`, PlanChanged},
	} {
		a, b := marked(t, c.a), marked(t, c.b)
		there, here := Compare(a, b), Compare(b, a)
		want := c.want
		if back[want] != "" {
			want = back[want]
		}
		if there.Plan.MarkerChange != c.want || here.Plan.MarkerChange != want || there.Plan.Change != PlanNone {
			t.Errorf("%s -> %s: %q, and back %q, want %q; plan %q", c.a, c.b, there.Plan.MarkerChange, here.Plan.MarkerChange, c.want, there.Plan.Change)
		}
		if differs := c.want != "" && c.want != PlanSame; there.Plan.Differs() != differs || there.Metadata.Differs() {
			t.Errorf("%s -> %s: differs %v, metadata %+v", c.a, c.b, there.Plan.Differs(), there.Metadata)
		}
	}
}

// marked returns a model with a marker, or without one where the text is empty.
func marked(t *testing.T, text string) *tflite.Model {
	t.Helper()
	source := encode.Model{Subgraphs: []encode.Subgraph{{Name: "main"}}}
	if text != "" {
		source.Buffers = []encode.Buffer{{Data: []byte(text)}}
		source.Metadata = []encode.Metadata{{Name: rewrite.MarkerName, Buffer: 1}}
	}
	m, err := tflite.Parse(encode.Encode(source), "marked")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
