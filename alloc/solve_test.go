package alloc

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/alloc/internal/shared"
	"github.com/tflarena/tflarena/lifetime"
)

func TestRegistry(t *testing.T) {
	want := map[Approach]string{
		Offsets: "naive greedy-by-size greedy-by-breadth greedy-by-breadth-late-ops greedy-in-order strip-packing strip-packing-by-row tflm-greedy litert-arena " +
			"by-urgency tvm-conflicts hill-climb strip-packing-orders strip-packing-search auto",
		Shared: "naive equality greedy-by-size greedy-by-size-first-fit greedy-by-size-improved greedy-by-size-distance greedy-by-breadth greedy-by-breadth-late greedy-by-breadth-late-ops " +
			"greedy-in-order min-cost-flow auto",
	}
	for approach, names := range want {
		var got []string
		for _, s := range Strategies(approach) {
			got = append(got, s.Name)
			if s.Summary == "" || s.Complexity == "" || s.Source == "" && s.Name != Auto || s.Approach != approach {
				t.Errorf("incomplete: %+v", s)
			}
			if found, err := Lookup(approach, s.Name); err != nil || found.Summary != s.Summary {
				t.Errorf("Lookup(%s, %s) = %+v, %v", approach, s.Name, found, err)
			}
		}
		for _, name := range strings.Fields(names) {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+name+" ") {
				t.Errorf("%s has no %s: %v", approach, name, got)
			}
		}
	}
}

func TestUnknownStrategy(t *testing.T) {
	_, err := Lookup(Shared, "strip-packing")
	var unknown *UnknownStrategyError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), "equality, greedy-by-size,") {
		t.Errorf("got %v, want the names that exist", err)
	}
	_, err = Solve(context.Background(), nil, Options{Approach: "objects"})
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `no approach "objects"`) {
		t.Errorf("got %v, want the approaches that exist", err)
	}
}

func TestSolveRefuses(t *testing.T) {
	pin := lifetime.Record{ID: "a", First: 0, Last: 4, Size: 10, Pinned: true}
	other := lifetime.Record{ID: "b", First: 4, Last: 5, Size: 10, Pinned: true, Offset: 8}
	tests := []struct {
		name     string
		records  Records
		approach Approach
		want     []string
	}{
		{"bad records", Records{{First: 1, Last: 0}}, Offsets, []string{"interval is empty"}},
		{"pinned and shared", Records{{ID: "x"}, pin}, Shared, []string{"record 1 (a)", "no offsets"}},
		{
			"pinned on each other",
			Records{pin, {ID: "x", Size: 4}, other},
			Offsets,
			[]string{"record 0 (a, positions 0 to 4)", "record 2 (b, positions 4 to 5)", "overlap"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Solve(context.Background(), test.records, Options{Approach: test.approach})
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want it to say %q", err, want)
				}
			}
		})
	}
	_, err := Solve(context.Background(), Records{pin, other}, Options{Approach: Offsets})
	if v := (*check.Violation)(nil); !errors.As(err, &v) || v.Record != 0 || v.Other != 1 {
		t.Errorf("got %v, want a violation by records 0 and 1", err)
	}
	if _, err := Solve(context.Background(), Records{pin}, Options{Approach: Shared}); !errors.Is(err, ErrPinnedShared) {
		t.Errorf("got %v, want ErrPinnedShared", err)
	}
}

func TestTooManyRecords(t *testing.T) {
	records := network(shared.MaxFlowRecords + 1)
	_, err := Solve(context.Background(), records, Options{Approach: Shared, Strategy: "min-cost-flow"})
	var tooMany *TooManyRecordsError
	if !errors.As(err, &tooMany) || tooMany.Max != shared.MaxFlowRecords || tooMany.Records != len(records) {
		t.Errorf("got %v, want a TooManyRecordsError", err)
	}
	plan := solve(t, records, Shared, Auto)
	if want := len(Strategies(Shared)) - 2; plan.Tried != want {
		t.Errorf("auto tried %d strategies, want %d: all but min-cost-flow", plan.Tried, want)
	}
	for i := range records {
		if i > 0 {
			records[i].Size = 0 // empty records do not count
		}
	}
	solve(t, records, Shared, "min-cost-flow")
}

func TestEmptyRecords(t *testing.T) {
	for _, approach := range []Approach{Offsets, Shared} {
		for _, s := range Strategies(approach) {
			if plan := solve(t, nil, approach, s.Name); plan.Total != 0 || !plan.Optimal {
				t.Errorf("%s %s of nothing: %+v", approach, s.Name, plan)
			}
			plan := solve(t, Records{rec(0, 0, 3), rec(0, 2, 2)}, approach, s.Name)
			if plan.Total != 0 || len(plan.Offsets)+len(plan.Objects) != 2 {
				t.Errorf("%s %s of empty records: %+v", approach, s.Name, plan)
			}
		}
	}
	empty := lifetime.Record{First: 0, Last: 9, Pinned: true, Offset: 100}
	plan := solve(t, Records{rec(8, 0, 1), empty, rec(8, 1, 2), rec(0, 1, 1)}, Offsets, "greedy-in-order")
	if diff := cmp.Diff([]int64{0, 100, 8, 0}, plan.Offsets); diff != "" || plan.Total != 16 {
		t.Errorf("total %d, offsets want - got +:\n%s", plan.Total, diff)
	}
}

// TestExtremes: the largest sizes and positions that CheckRecords lets pass.
func TestExtremes(t *testing.T) {
	const size = lifetime.MaxTotal/3 - 1
	const early, late = math.MinInt / 8, math.MaxInt / 8
	far := Records{rec(size, early, late), rec(size, late, late), rec(size, early, early)}
	for _, approach := range []Approach{Offsets, Shared} {
		for _, s := range Strategies(approach) {
			if plan := solve(t, far, approach, s.Name); s.Name != "naive" && plan.Total > 3*size {
				t.Errorf("%s %s: %+v", approach, s.Name, plan)
			}
		}
	}
	high := Records{
		rec(1, 0, 0),
		{Size: 1, Align: lifetime.MaxTotal / 2},
		{Size: 9, Pinned: true, Offset: lifetime.MaxTotal - 9},
	}
	for _, s := range Strategies(Offsets) {
		if plan := solve(t, high, Offsets, s.Name); plan.LowerBound != lifetime.MaxTotal {
			t.Errorf("%s: bound %d", s.Name, plan.LowerBound)
		}
	}
}

// countdown is a context that ends after it has been asked a number of times.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestInterrupted(t *testing.T) {
	records := network(900)
	for _, approach := range []Approach{Offsets, Shared} {
		for _, s := range Strategies(approach) {
			ctx := &countdown{context.Background(), 0}
			if _, err := Solve(ctx, records, Options{Approach: approach, Strategy: s.Name}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s %s: got %v, want context.Canceled", approach, s.Name, err)
			}
			ctx.left = 2 // enough to begin
			_, err := Solve(ctx, records, Options{Approach: approach, Strategy: s.Name})
			quick := s.Name == "naive" || s.Name == "equality" || s.Name == Auto || s.Name == Exact || s.Name == "greedy-in-order" && approach == Shared
			if !quick && !errors.Is(err, context.Canceled) {
				t.Errorf("%s %s, interrupted: got %v, want context.Canceled", approach, s.Name, err)
			}
		}
	}
	plan, err := Solve(&countdown{context.Background(), 4}, records, Options{Approach: Offsets})
	if err != nil || !plan.Interrupted || plan.Winner != "naive" || plan.Tried != 1 {
		t.Errorf("auto interrupted: %+v, %v", plan, err)
	}
}

func TestProgress(t *testing.T) {
	type step struct {
		strategy string
		total    int64
	}
	var steps []step
	plan, err := Solve(context.Background(), problemB, Options{Approach: Shared, Progress: func(now Progress) {
		if now.Bound < 152 {
			t.Errorf("bound %d, want 152 or, once proven, more", now.Bound)
		}
		if n := len(steps); n == 0 || now.Total < steps[n-1].total {
			steps = append(steps, step{now.Strategy, now.Total})
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	last := int64(math.MaxInt64)
	for _, s := range steps {
		if s.total >= last {
			t.Errorf("no better plan was reported: %v", steps)
		}
		last = s.total
	}
	if want := (step{plan.Winner, plan.Total}); len(steps) < 2 || !reflect.DeepEqual(steps[len(steps)-1], want) {
		t.Errorf("reports %v, want the last to be %v", steps, want)
	}
}
