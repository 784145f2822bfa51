package inplace

import (
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime"
)

// row is a row of operators, each of which reads one tensor and makes the next. Each tensor may
// lie where the one before it does, if both are of one size.
func row(sizes ...int64) (plain, sharing Freedom) {
	for i, size := range sizes {
		plain.Records = append(plain.Records, lifetime.Record{ID: string(rune('a' + i)), First: i, Last: i + 1, Size: size})
		if i > 0 && sizes[i-1] == size {
			sharing.Takeovers = append(sharing.Takeovers, lifetime.Takeover{From: i - 1, To: i})
		}
	}
	sharing.Records = plain.Records
	return plain, sharing
}

func choose(t *testing.T, freedoms ...Freedom) *Choice {
	t.Helper()
	c, err := Choose(context.Background(), freedoms, Look(alloc.Auto))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func solve(t *testing.T, c *Choice) *alloc.Plan {
	t.Helper()
	merged, err := alloc.Solve(context.Background(), c.Merged.Records, alloc.Options{Approach: alloc.Offsets, Strategy: "naive"})
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

func TestShares(t *testing.T) {
	plain, sharing := row(16, 16, 16, 8)
	c := choose(t, plain, sharing)
	if c.Freedom != 1 || len(c.Merged.Taken) != 2 || c.Merged.Records[0].ID != "a b c" {
		t.Fatalf("%+v", c)
	}
	p, err := c.Plan(solve(t, c))
	if err != nil || !slices.Equal(p.Offsets, []int64{0, 0, 0, 16}) || p.Total != 24 || !p.Optimal {
		t.Errorf("%+v, %v", p, err)
	}
}

// Where to share gains nothing, nothing is shared.
func TestLeavesAlone(t *testing.T) {
	plain, _ := row(16, 16, 16)
	c := choose(t, plain, plain)
	p, err := c.Plan(solve(t, c))
	if err != nil || c.Freedom != 0 || len(c.Merged.Taken) > 0 || p.Total != 48 || p.LowerBound != 32 {
		t.Errorf("%+v, %v", p, err)
	}
}

// The ID of merged records has their distances.
func TestLabels(t *testing.T) {
	whole := lifetime.Record{ID: "w", First: 0, Last: 1, Size: 32}
	part := lifetime.Record{ID: "p", First: 1, Last: 2, Size: 16}
	f := Freedom{Records: []lifetime.Record{whole, part}, Takeovers: []lifetime.Takeover{{From: 0, To: 1, Offset: 16}}}
	if c := choose(t, Freedom{Records: f.Records}, f); c.Merged.Records[0].ID != "w p+16" {
		t.Errorf("%+v", c.Merged)
	}
}

// A misfit of one way proves nothing of the others, unless a bound of all of them does.
func TestVerdict(t *testing.T) {
	plain, sharing := row(16, 16, 8)
	c := choose(t, plain, sharing)
	misfit := &alloc.Verdict{Answer: alloc.Misfit, Proof: alloc.Proof{Kind: alloc.BySearch, Text: "of one way"}, Core: []int{0, 1}}
	if v := c.Verdict(misfit, 24); v.Answer != alloc.Unknown || v.Proof != (alloc.Proof{}) || v.Core != nil {
		t.Errorf("%+v", v)
	}
	if v := c.Verdict(misfit, 23); v.Answer != alloc.Misfit || v.Proof.String() != boundReason || v.Core != nil {
		t.Errorf("%+v", v)
	}
	if misfit.Answer != alloc.Misfit || len(misfit.Core) != 2 {
		t.Error("the verdict itself was changed")
	}
	only := choose(t, plain)
	if v := only.Verdict(misfit, 0); v.Answer != alloc.Misfit || !slices.Equal(v.Core, []int{0, 1}) {
		t.Errorf("with nothing to choose: %+v", v)
	}
}

// A plan found while ways were evaluated is used if it is better, or the only one in time.
func TestInstead(t *testing.T) {
	plain, sharing := row(16, 16, 8)
	c := choose(t, plain, sharing)
	larger, same := &alloc.Plan{Total: 25}, &alloc.Plan{Total: 24}
	c.trial.Interrupted = true // it looks no further than it is told
	if p := c.Instead(larger, nil, alloc.Auto); p == nil || p.Total != 24 || p.Strategy != alloc.Auto || p.Interrupted {
		t.Errorf("%+v", p)
	}
	if p := c.Instead(same, nil, alloc.Auto); p != nil {
		t.Errorf("%+v", p)
	}
	if p := c.Instead(nil, context.Canceled, "exact"); p == nil || !p.Interrupted || p.Strategy != "exact" {
		t.Errorf("%+v", p)
	}
	if p := c.Instead(nil, errors.New("another"), alloc.Auto); p != nil {
		t.Errorf("%+v", p)
	}
	for _, w := range []struct {
		capacity int64
		answer   alloc.Answer
		plan     *alloc.Plan
		optimal  bool // the evaluated plan
		instead  bool
	}{
		{capacity: 24, answer: alloc.Unknown, plan: larger, instead: true},
		{capacity: 23, answer: alloc.Unknown, plan: larger, instead: true},
		{capacity: 23, answer: alloc.Unknown, plan: same},
		{capacity: 23, answer: alloc.Unknown, plan: same, optimal: true, instead: true},
		{capacity: 23, answer: alloc.Misfit, plan: larger},
		{capacity: 24, answer: alloc.Fits, plan: same},
	} {
		c.trial.Optimal = w.optimal
		if p := c.InsteadWithin(w.capacity, &alloc.Verdict{Answer: w.answer, Plan: w.plan}, nil, alloc.Auto); w.instead != (p != nil) {
			t.Errorf("%+v: %+v", w, p)
		}
	}
	if (*Choice)(nil).Instead(larger, nil, alloc.Auto) != nil {
		t.Error("there is a plan without a choice")
	}
}

// Whenever the context ends there is a way, and its plan is right.
func TestEndedContext(t *testing.T) {
	plain, sharing := row(16, 16, 16, 8)
	late, stop := context.WithTimeout(context.Background(), -time.Second)
	defer stop()
	for _, ctx := range []context.Context{late, expiry.New(0), expiry.New(1), expiry.New(3), expiry.Interrupted(0)} {
		c, err := Choose(ctx, []Freedom{plain, sharing}, Look(alloc.Auto))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Plan(solve(t, c)); err != nil {
			t.Error(err)
		}
	}
}

func TestNoFreedom(t *testing.T) {
	if c, err := Choose(context.Background(), nil, Look(alloc.Auto)); err == nil {
		t.Errorf("%+v", c)
	}
}

func TestNoSuchStrategy(t *testing.T) {
	plain, _ := row(16)
	var unknown *alloc.UnknownStrategyError
	if _, err := Choose(context.Background(), []Freedom{plain}, Look("none such")); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

// Every plan is right by a checker that knows what may share memory, no bound is above it, and
// more freedom never ends worse than none.
func TestPlans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 8, 16, 24}), 1, 8).Draw(t, "sizes")
		plain, sharing := row(sizes...)
		for i := range plain.Records {
			plain.Records[i].Last += rapid.IntRange(0, 3).Draw(t, "longer")
		}
		sharing.Takeovers = slices.DeleteFunc(sharing.Takeovers, func(lifetime.Takeover) bool { return rapid.Bool().Draw(t, "not") })
		c, err := Choose(context.Background(), []Freedom{plain, sharing}, Look(alloc.Auto))
		if err != nil {
			t.Fatal(err)
		}
		merged, err := alloc.Solve(context.Background(), c.Merged.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Plan(merged)
		if err != nil {
			t.Fatal(err)
		}
		if err := check.Aliased(plain.Records, p.Offsets, p.Total, sharing.Takeovers, nil); err != nil {
			t.Fatal(err)
		}
		alone, err := alloc.Solve(context.Background(), plain.Records, alloc.Options{Approach: alloc.Offsets, Strategy: alloc.Exact})
		if err != nil || p.Total > alone.Total || p.LowerBound > p.Total || p.Optimal != (p.Total == p.LowerBound) && len(sharing.Takeovers) > 0 {
			t.Fatalf("%+v, alone %+v, %v", p, alone, err)
		}
	})
}
