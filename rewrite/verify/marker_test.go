package verify

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
)

// A marker is reported beside a plan, right or wrong, and is a finding where it cannot be
// read or has no plan.
func TestMarker(t *testing.T) {
	right, wrong := sample.PlanData(1, sample.ChainPlan), sample.PlanData(1, []int32{8, -1, -1, -1, -1})
	failure := []verdict{{LawMarker, Failure}}
	for _, c := range []struct {
		name    string
		model   encode.Model
		read    bool
		want    []verdict
		message string
	}{
		{"none", sample.WithPlan(sample.Chain(), right), false, nil, ""},
		{"right", sample.WithMarker(sample.WithPlan(sample.Chain(), right), sample.Marker), true, nil, ""},
		{"in front", sample.WithPlan(sample.WithMarker(sample.Chain(), sample.Marker), right), true, nil, ""},
		{"of a wrong plan", sample.WithMarker(sample.WithPlan(sample.Chain(), wrong), sample.Marker), true, []verdict{{LawAlignment, Failure}}, ""},
		{"of a plan that cannot be read", sample.WithMarker(sample.WithPlan(sample.Chain(), right[:8]), sample.Marker), true, []verdict{{LawLength, Failure}}, ""},
		{"of no plan", sample.WithMarker(sample.Chain(), sample.Marker), true, failure, "but no plan for it"},
		{"unread", sample.WithMarker(sample.WithPlan(sample.Chain(), right), "{}"), false, failure, `no field "version"`},
		{"newer", sample.WithMarker(sample.WithPlan(sample.Chain(), right), `{"version":2}`), false, failure, "version 2"},
		{"unread, of no plan", sample.WithMarker(sample.Chain(), "{}"), false, failure, `no field "version"`},
		{"two", sample.WithMarker(sample.WithMarker(sample.WithPlan(sample.Chain(), right), sample.Marker), sample.Marker), true, nil, ""},
		{"two that differ", sample.WithMarker(sample.WithMarker(sample.WithPlan(sample.Chain(), right), sample.Marker), "{}"), false, failure, "differs"},
		{"unread, of a wrong plan", sample.WithMarker(sample.WithPlan(sample.Chain(), wrong), ""), false, []verdict{{LawMarker, Failure}, {LawAlignment, Failure}}, "no data"},
	} {
		m := modelfile.Build(t, c.model)
		v := verify(t, m)
		if diff := cmp.Diff(c.want, verdicts(v)); diff != "" || v.OK() != (c.want == nil) {
			t.Errorf("%s (-want +got):\n%s%v", c.name, diff, v.Findings)
			continue
		}
		if (v.Marker != nil) != c.read || c.read && *v.Marker != (rewrite.Marker{Version: 1, Alias: "diagonal", Kernels: "reference"}) {
			t.Errorf("%s: marker %v", c.name, v.Marker)
		}
		if len(v.Findings) == 0 {
			continue
		}
		f := v.Findings[0]
		if f.Path == "" || f.Offset < 0 || f.Offset > int64(len(m.Data)) || !strings.Contains(f.Message, c.message) {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

// A record of tiled blocks of another model is a note, and the plan is right all the same.
func TestBlocks(t *testing.T) {
	model := sample.WithPlan(sample.Chain(), sample.PlanData(1, sample.ChainPlan))
	for data, want := range map[string][]verdict{"\x01\x00": nil, "\x02": {{LawBlocks, Note}}} {
		recorded := sample.Change(model, func(m *encode.Model) {
			m.Buffers = append(m.Buffers, encode.Buffer{Data: []byte(data)})
			m.Metadata = append(m.Metadata, encode.Metadata{Name: blocks.Name, Buffer: len(m.Buffers)})
		})
		v := verify(t, modelfile.Build(t, recorded))
		if diff := cmp.Diff(want, verdicts(v)); diff != "" || !v.OK() {
			t.Errorf("%q (-want +got):\n%s", data, diff)
		}
	}
}
