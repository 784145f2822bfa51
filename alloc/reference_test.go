package alloc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/reference"
)

// searches are the strategies that have no definition but where they start: they may
// not be worse.
var searches = map[string]string{"hill-climb": "by-urgency", "strip-packing-search": "strip-packing-orders"}

func TestOffsetsMatchDefinitions(t *testing.T) {
	for _, s := range Strategies(Offsets) {
		if s.Name == Auto || s.Name == Exact || searches[s.Name] != "" {
			continue
		}
		define := reference.Offsets[s.Name]
		if define == nil {
			t.Errorf("strategy %s has no definition to compare with", s.Name)
			continue
		}
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := reference.DrawShape(t, true).Draw(t, 1)
			plan := solveDrawn(t, records, Offsets, s.Name)
			if diff := cmp.Diff(define(records), plan.Offsets); diff != "" {
				t.Fatalf("definition - strategy +:\n%s", diff)
			}
		}))
	}
}

func TestSharedMatchDefinitions(t *testing.T) {
	for _, s := range Strategies(Shared) {
		if s.Name == Auto || s.Name == Exact {
			continue
		}
		define := reference.Shared[s.Name]
		if define == nil {
			t.Errorf("strategy %s has no definition to compare with", s.Name)
			continue
		}
		t.Run(s.Name, rapid.MakeCheck(func(t *rapid.T) {
			records := reference.DrawShape(t, false).Draw(t, 1)
			plan := solveDrawn(t, records, Shared, s.Name)
			want := define(records)
			if diff := cmp.Diff(want.Of, append([]int{}, plan.Objects...)); diff != "" && len(records) > 0 {
				t.Fatalf("definition - strategy +:\n%s", diff)
			}
			if diff := cmp.Diff(want.Sizes, plan.ObjectSizes); diff != "" {
				t.Fatalf("sizes: definition - strategy +:\n%s", diff)
			}
		}))
	}
}
