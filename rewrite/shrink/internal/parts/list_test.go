package parts

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
)

// much is more work than the stages of any network here are.
const much = 1 << 30

// outline is what a part is, without its candidate.
type outline struct {
	From, To int
	Cost     Cost
	Stage    string
}

func outlines(list []Part) (out []outline) {
	for _, p := range list {
		o := outline{From: p.From, To: p.To, Cost: p.Cost}
		if s := p.Stage; s != nil {
			o.Stage = cmp.Diff(nil, *s)
		}
		out = append(out, o)
	}
	return out
}

// TestList: the operators as they are make a path, only runs that need more than enough are
// stages, each stage is of operators that can be cut and of its run, none is as good as an
// earlier one of the same run, and the list is the same each time.
func TestList(t *testing.T) {
	stages := 0
	for seed := range uint64(8) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			row := rowOf(t, drawn(t, seed), alias)
			enough := row.Own(0, row.Len()).Peak * 2 / 3
			list := row.List(t.Context(), enough, much, math.MaxInt64, nil)
			if _, effort := row.spans(max(enough, row.Floor()), much); effort != &efforts[0] {
				t.Errorf("seed %d: left stages out", seed)
			}
			at := 0
			for k, p := range list {
				s := p.Stage
				if s == nil {
					if p.From != at {
						t.Errorf("seed %d: the operators as they are go on at %d, not at %d", seed, p.From, at)
					}
					at = p.To
					continue
				}
				stages++
				if s.First != p.From || s.Last != p.To-1 || row.Own(p.From, p.To).Peak <= enough || s.Channels < 2 && !row.open(p.From, p.To) {
					t.Errorf("seed %d: %d to %d in pieces as %+v", seed, p.From, p.To, *s)
				}
				if slices.ContainsFunc(list[:k], func(q Part) bool { return q.From == p.From && q.To == p.To && q.Cost.Beats(p.Cost) }) {
					t.Errorf("seed %d: %+v is no better than one in front of it", seed, *s)
				}
			}
			if at != row.Len() {
				t.Errorf("seed %d: the operators as they are end at %d of %d", seed, at, row.Len())
			}
			again := row.List(t.Context(), enough, much, math.MaxInt64, nil)
			if diff := cmp.Diff(outlines(list), outlines(again)); diff != "" {
				t.Errorf("seed %d: another list:\n%s", seed, diff)
			}
		}
	}
	if stages < 50 {
		t.Errorf("%d stages: too few to tell", stages)
	}
}

// TestListWithinWork: a limit of the multiply-accumulates leaves out what is above it, and nothing else.
func TestListWithinWork(t *testing.T) {
	less := 0
	for seed := range uint64(8) {
		row := rowOf(t, drawn(t, seed), rules.NoAlias)
		all := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		var most int64
		for _, p := range all {
			most = max(most, p.Cost.MACs)
		}
		for _, limit := range []int64{0, most / 20, most / 3, most} {
			var want []Part
			for _, p := range all {
				if p.Cost.MACs <= limit {
					want = append(want, p)
				}
			}
			if len(want) < len(all) {
				less++
			}
			if diff := cmp.Diff(outlines(want), outlines(row.List(t.Context(), 0, much, limit, nil))); diff != "" {
				t.Errorf("seed %d, %d multiply-accumulates:\n%s", seed, limit, diff)
			}
		}
	}
	if less == 0 {
		t.Error("no limit leaves anything out")
	}
}

// TestListWithLess: with less work there are no other runs, the search says that it left some
// out, and when the context ends there is still a path of the operators as they are.
func TestListWithLess(t *testing.T) {
	for seed := range uint64(10) {
		row := rowOf(t, drawn(t, seed), rules.NoAlias)
		all := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		runs := map[span]bool{}
		for _, p := range all {
			runs[span{from: p.From, to: p.To}] = true
		}
		some := row.List(t.Context(), 0, 1, math.MaxInt64, nil)
		if _, effort := row.spans(0, 1); effort == &efforts[0] && len(row.cuttable) > 0 && row.open(0, row.Len()) {
			t.Errorf("seed %d: nothing is left out", seed)
		}
		for _, p := range some {
			if !runs[span{from: p.From, to: p.To}] {
				t.Errorf("seed %d: from %d to %d with less work only", seed, p.From, p.To)
			}
		}
		for looks := range 20 {
			ctx := expiry.New(looks)
			list := row.List(ctx, 0, much, math.MaxInt64, nil)
			if paths := Frontier(t.Context(), list, row.Len()); len(paths) == 0 {
				t.Errorf("seed %d: no path after %d looks", seed, looks)
			}
			if ctx.After() > 20 {
				t.Errorf("seed %d: looked %d times after the end", seed, ctx.After())
			}
		}
	}
}

// TestRefined: what is refined are the runs that a path cuts, and the paths get no worse.
func TestRefined(t *testing.T) {
	for seed := range uint64(10) {
		row := rowOf(t, drawn(t, seed), rules.NoAlias)
		list := row.List(t.Context(), 0, 2000, math.MaxInt64, nil)
		paths := Frontier(t.Context(), list, row.Len())
		last := paths[len(paths)-1]
		finer := row.Refined(t.Context(), []Path{last}, math.MaxInt64)
		for _, p := range finer {
			if !slices.ContainsFunc(last.Stages, func(s split.Stage) bool { return s.First == p.From && s.Last == p.To-1 }) {
				t.Errorf("seed %d: the path does not cut from %d to %d", seed, p.From, p.To)
			}
		}
		paths = Frontier(t.Context(), append(list, finer...), row.Len())
		if got := paths[len(paths)-1].Cost.Peak; got > last.Cost.Peak {
			t.Errorf("seed %d: peak %d, %d before", seed, got, last.Cost.Peak)
		}
	}
}
