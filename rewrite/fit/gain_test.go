package fit

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
)

// drawnRung returns a rung of small numbers, so that many are the same.
func drawnRung(t *rapid.T) *Rung {
	n := func(name string) int64 { return rapid.Int64Range(0, 3).Draw(t, name) }
	r := &Rung{Figures: rules.Figures{Head: n("head"), Tail: n("tail")}, ExtraMACs: n("work"), FileBytes: n("bytes")}
	r.Used = r.Head + r.Tail
	r.Required = r.Used + n("setup")
	return r
}

func drawnFitter(t *rapid.T) *fitter {
	g := &Goal{MaxOverhead: -1}
	if rapid.Bool().Draw(t, "head") {
		g.HeadBudget = rapid.Int64Range(1, 4).Draw(t, "head budget")
	}
	if rapid.Bool().Draw(t, "arena") {
		g.Budget = rapid.Int64Range(1, 7).Draw(t, "arena budget")
	}
	f := &fitter{goal: g, report: &Report{OwnMACs: 4, Rungs: []Rung{*drawnRung(t)}}}
	f.room = f.roomFor()
	return f
}

// TestPrefersIsAnOrder: no rung is preferred to itself, of two at most one is, and what is
// preferred to the preferred is preferred; one within the goal is preferred to any that is not.
func TestPrefersIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawnFitter(t)
		a, b, c := drawnRung(t), drawnRung(t), drawnRung(t)
		switch {
		case f.prefers(a, a):
			t.Fatalf("%+v is preferred to itself", a)
		case f.prefers(a, b) && f.prefers(b, a):
			t.Fatalf("%+v and %+v are preferred to each other", a, b)
		case f.prefers(a, b) && f.prefers(b, c) && !f.prefers(a, c):
			t.Fatalf("%+v is preferred to %+v, and that to %+v, but not the first to the last", a, b, c)
		case f.goal.met(a) && !f.goal.met(b) && !f.prefers(a, b):
			t.Fatalf("%+v meets the goal, %+v does not, and is not worse", a, b)
		}
	})
}

// TestKeep: a ladder goes down, and its arena grows only where that is no loss.
func TestKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawnFitter(t)
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			last, r := *f.best(), drawnRung(t)
			r.wrong = rapid.Bool().Draw(t, "wrong")
			kept := f.keep(r, f.model)
			if kept != (f.best().Head < last.Head) || kept && (f.best().wrong || f.best().Required > max(last.Required, f.room)) {
				t.Fatalf("%+v behind %+v, kept: %t", r, last, kept)
			}
		}
	})
}

// TestLeastWithRoom: a part fits the margin of the least limit with room for it, and not that of
// the multiple before it.
func TestLeastWithRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64Range(0, 1<<40).Draw(t, "bytes")
		limit := leastWithRoom(bytes)
		if limit%parts.Align != 0 || limit-limit/margin < bytes {
			t.Fatalf("%d B in %d", bytes, limit)
		}
		if less := limit - parts.Align; less >= 0 && less-less/margin >= bytes {
			t.Fatalf("%d B have room in %d, too", bytes, less)
		}
	})
}

// TestPrices: prices are of both kinds, those that make work dear and those that make memory
// dear, and no two are the same. Where the arena is bounded the dearest work comes first.
func TestPrices(t *testing.T) {
	for _, arena := range []int64{0, 1} {
		c := &choice{fit: &fitter{goal: &Goal{Budget: arena}}}
		seen, high, low := map[float64]bool{}, 0, 0
		list := c.prices()
		for _, p := range list {
			if p <= 0 || seen[p] {
				t.Errorf("%v", list)
			}
			seen[p] = true
			if p > 1 {
				high++
			} else if p < 1 {
				low++
			}
		}
		if first := list[0]; high < 3 || low < 3 || (arena > 0) != (first > 1) || len(list) <= otherPrice {
			t.Errorf("%v", list)
		}
	}
}

// TestPromising: what is promising may meet the goal and is a gain, and each is no better than
// the one in front of it by what the goal counts.
func TestPromising(t *testing.T) {
	for seed := range uint64(6) {
		c := chooser(t, drawn(t, seed), "")
		f := c.fit
		own := f.best()
		last := int64(0)
		for _, p := range c.promising {
			if p.Cost.Peak >= own.Head || p.Cost.Peak < last || len(p.Stages()) == 0 {
				t.Errorf("seed %d: %+v behind %d, own head %d", seed, p.Cost, last, own.Head)
			}
			last = p.Cost.Peak
		}
		f.goal.HeadBudget = (last + own.Head) / 2
		growth := 0.0
		for _, p := range f.promising(c.paths) {
			if now := f.growth(p.Cost, 1); p.Cost.Peak > f.goal.HeadBudget || now < growth {
				t.Errorf("seed %d: %+v within %d", seed, p.Cost, f.goal.HeadBudget)
			} else {
				growth = now
			}
		}
		f.goal.Budget = own.Required
		macs := int64(-1 << 60)
		for _, p := range f.promising(c.paths) {
			if p.Cost.MACs < macs || f.arena(p.Cost.Peak, p.Cost) > f.goal.Budget {
				t.Errorf("seed %d: %+v within %d", seed, p.Cost, f.goal.Budget)
			}
			macs = p.Cost.MACs
		}
	}
}
