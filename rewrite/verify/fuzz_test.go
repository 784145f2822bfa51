package verify

import (
	"errors"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzVerify: Plan returns a verdict without a panic and reports every pair of tensors that
// overlap in memory while both are live.
func FuzzVerify(f *testing.F) {
	for _, data := range sample.Seeds(f) {
		f.Add(data)
	}
	for seed := range uint64(4) {
		for _, x := range trialsOf(f, seed) {
			f.Add(x.planned(f, 0, nil).Data)
			f.Add(x.planned(f, 16, rewrite.OverlapMarker("diagonal", "reference")).Data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := tflite.Parse(data, "fuzz")
		if err != nil {
			return
		}
		v, err := Plan(m)
		if err != nil {
			if !errors.Is(err, lifetime.ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		for _, finding := range v.Findings {
			if finding.Message == "" || finding.Path == "" || finding.Offset < 0 || finding.Offset > int64(len(data)) {
				t.Fatalf("finding %+v", finding)
			}
		}
		if _, err := rewrite.ReadPlans(m); err != nil && v.OK() {
			t.Fatalf("verified, but %v", err)
		}
		if marker, err := rewrite.ReadMarker(m); err != nil && v.OK() || (marker == nil) != (v.Marker == nil) {
			t.Fatalf("verified, but marker %v, %v", marker, err)
		}
		checkOverlaps(t, m, v)
	})
}

// checkOverlaps fails when a pair of tensors overlaps that v does not report: as a
// failure, or as intended where a custom operator has one of them. It compares every
// pair, where there are few enough.
func checkOverlaps(t *testing.T, m *tflite.Model, v *Report) {
	t.Helper()
	const most = 100 // tensors, and far fewer pairs than Verify lists
	n := len(sample.Online(m))
	if len(v.Plans) == 0 || n > most {
		return
	}
	p := v.Plans[len(v.Plans)-1]
	if entries := patch.PlanEntries(m); p.Entry != entries[len(entries)-1] || len(p.Offsets) != n {
		return // the runtime does not follow it
	}
	reported, permitted, listed := map[[2]string]Severity{}, map[[2]string]bool{}, 0
	for _, f := range v.Findings {
		if f.Law != LawOverlap && f.Law != LawTakeover {
			continue
		}
		listed++
		if len(f.Tensors) == 2 {
			pair := [2]string{f.Tensors[0].ID, f.Tensors[1].ID}
			reported[pair], permitted[pair] = f.Severity, f.Law == LawTakeover // of which the rules have tests
		}
	}
	uses := derived(t, m, p.Offsets)
	for i, a := range uses {
		for _, b := range uses[:i] {
			if a.First > b.Last || b.First > a.Last || a.Start >= b.End || b.Start >= a.End || listed >= maxOverlaps {
				continue
			}
			severity, found := reported[[2]string{b.ID, a.ID}]
			if !found || severity != Failure && !(a.custom || b.custom || permitted[[2]string{b.ID, a.ID}]) {
				t.Fatalf("%s and %s overlap: reported %v, %q", b.Use, a.Use, found, severity)
			}
		}
	}
}

// A use is a [Use], and whether a custom operator makes or reads the tensor.
type use struct {
	Use
	custom bool
}

// derived returns the tensors that are placed, not empty and in use, in the order of
// the plan. Variables among them are tensors like others.
func derived(t *testing.T, m *tflite.Model, offsets []int32) (uses []use) {
	t.Helper()
	plain := *m
	plain.Subgraphs = slices.Clone(m.Subgraphs)
	index, place, custom := 0, map[string]int64{}, map[string]bool{}
	for s := range plain.Subgraphs {
		sub := &plain.Subgraphs[s]
		sub.Tensors = slices.Clone(sub.Tensors)
		for i := range sub.Tensors {
			id := m.TensorID(s, i)
			place[id] = int64(offsets[index])
			sub.Tensors[i].Variable = sub.Tensors[i].Variable && offsets[index] == rewrite.Online
			index++
			for o, op := range sub.Operators {
				if m.OperatorCodes[op.Code].Builtin == schema.BuiltinOperatorCUSTOM {
					custom[id] = custom[id] || sub.Tensors[i].Producer == o || slices.Contains(sub.Tensors[i].Consumers, o)
				}
			}
		}
	}
	for _, r := range sample.Micro(t, &plain).Records() {
		if offset := place[r.ID]; offset != rewrite.Online && r.Last >= 0 && r.Size > 0 {
			uses = append(uses, use{Use{r.ID, r.Name, r.First, r.Last, offset, offset + r.Size}, custom[r.ID]})
		}
	}
	return uses
}

// The comparison sees an overlap that is not reported.
func TestCheckOverlaps(t *testing.T) {
	m := sample.Planned(t, sample.Chain(), make([]int32, 5)...)
	uses := derived(t, m, make([]int32, 5))
	if len(uses) != 4 {
		t.Fatalf("%d tensors are placed, want all but the weight", len(uses))
	}
	pairs := 0
	for i, a := range uses {
		for _, b := range uses[:i] {
			if a.First <= b.Last && b.First <= a.Last {
				pairs++
			}
		}
	}
	if n := len(verify(t, m).Findings); pairs != 3 || n < pairs {
		t.Errorf("%d pairs overlap, %d findings", pairs, n)
	}
}
