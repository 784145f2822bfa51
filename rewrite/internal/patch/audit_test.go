package patch

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/schema"
)

// The audit sees a difference in every part of a file, whatever it is.
func TestAudit(t *testing.T) {
	m := modelfile.Build(t, sample.Chain())
	for _, c := range []struct {
		want   string
		change func(*encode.Model)
	}{
		{"header", func(m *encode.Model) { m.Anonymous = true }},
		{"header", func(m *encode.Model) { m.Description = "other" }},
		{"header", func(m *encode.Model) { m.Version = 4 }},
		{"operator codes", func(m *encode.Model) { m.Subgraphs[0].Operators[0].Builtin = schema.BuiltinOperatorADD }},
		{"signatures", func(m *encode.Model) { m.Signatures = []encode.Signature{{Key: "run"}} }},
		{"metadata", func(m *encode.Model) { m.Metadata[0].Name = "other" }},
		{"metadata", func(m *encode.Model) { m.Metadata = nil }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs = append(m.Subgraphs, m.Subgraphs[0]) }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs[0].Name = "other" }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs[0].Tensors[0].Shape[0] = 2 }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs[0].Operators[0].Inputs[0] = 3 }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs[0].Operators = m.Subgraphs[0].Operators[:2] }},
		{"subgraphs", func(m *encode.Model) { m.Subgraphs[0].Outputs = []int{3} }},
		{"buffers", func(m *encode.Model) { m.Buffers[0].Data[3] = 8 }},
		{"buffers", func(m *encode.Model) { m.Buffers = append(m.Buffers, encode.Buffer{}) }},
	} {
		source := sample.Chain()
		c.change(&source)
		other := modelfile.Build(t, source)
		if got := Difference(m, other, 0); got != c.want {
			t.Errorf("difference in %q, want %q", got, c.want)
		}
		refused := (*RefusedError)(nil)
		if err := audit(m, other.Data, 0, Carried{}); !errors.As(err, &refused) || refused.Force {
			t.Errorf("a file with other %s: %v, want a refusal that nothing overrides", c.want, err)
		}
	}
	if err := audit(m, m.Data, 0, Carried{}); err != nil {
		t.Error(err)
	}
	if audit(m, m.Data, 0, Carried{Plan: sample.PlanData(1, sample.ChainPlan)}) == nil {
		t.Error("a file without the plan passed")
	}
	if audit(m, m.Data[:100], 0, Carried{}) == nil {
		t.Error("a broken file passed")
	}
}

// What a file carries is the plan and the marker that were asked for, or neither.
func TestCarriedBy(t *testing.T) {
	plan, marker := sample.PlanData(1, sample.ChainPlan), []byte(sample.Marker)
	planned := sample.WithPlan(sample.Chain(), plan)
	for _, c := range []struct {
		name  string
		model encode.Model
		want  Carried
		same  bool
	}{
		{"nothing", sample.Chain(), Carried{}, true},
		{"a plan", planned, Carried{Plan: plan}, true},
		{"a plan too many", planned, Carried{}, false},
		{"no plan", sample.Chain(), Carried{Plan: plan}, false},
		{"no marker", planned, Carried{plan, marker}, false},
		{"a marker too many", sample.WithMarker(planned, sample.Marker), Carried{Plan: plan}, false},
		{"a marker alone", sample.WithMarker(sample.Chain(), sample.Marker), Carried{}, false},
		{"both", sample.WithMarker(planned, sample.Marker), Carried{plan, marker}, true},
		{"a marker with spaces", sample.WithMarker(planned, sample.Marker+"  "), Carried{plan, marker}, true},
		{"a marker with more", sample.WithMarker(planned, sample.Marker+" x"), Carried{plan, marker}, false},
		{"a marker with less", sample.WithMarker(planned, "{"), Carried{plan, marker}, false},
		{"two markers", sample.WithMarker(sample.WithMarker(planned, sample.Marker), sample.Marker), Carried{plan, marker}, false},
	} {
		if got := c.want.CarriedBy(modelfile.Build(t, c.model)); got != c.same {
			t.Errorf("%s: %v, want %v", c.name, got, c.same)
		}
	}
}

// The audit opens the archive of labels.
func TestAuditArchive(t *testing.T) {
	source := sample.Chain()
	size := int64(len(encode.Encode(source)))
	source.Tail = sample.Archive(t, size)
	m := modelfile.Build(t, source)
	for name, tail := range map[string][]byte{
		"moved":  sample.Archive(t, size+4),
		"none":   nil,
		"broken": bytes.ReplaceAll(source.Tail, []byte("PK\x01\x02"), []byte("PK\x01\x03")),
		"other":  bytes.ReplaceAll(source.Tail, []byte("labels"), []byte("LABELS")),
	} {
		source.Tail = tail
		err := SameArchive(m, modelfile.Build(t, source).Data, 0)
		// Readers find an archive that moved without its positions all the same.
		if (err == nil) != (name == "moved") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
