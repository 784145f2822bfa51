package alloc

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// solveDrawn fails unless the strategy makes a plan, which Solve has checked.
func solveDrawn(t *rapid.T, records Records, a Approach, strategy string) *Plan {
	t.Helper()
	// A drawn problem can be arbitrarily hard. Nodes end the search, which a clock would end at
	// different points.
	plan, err := Solve(context.Background(), records, Options{Approach: a, Strategy: strategy, SearchNodes: 20_000, SearchTime: time.Hour})
	if err != nil {
		t.Fatalf("%s %s: %v\n%v", a, strategy, err, records)
	}
	return plan
}

var noTime = cmpopts.IgnoreFields(Plan{}, "Elapsed")

// TestLaws holds every strategy to what is true of all plans.
func TestLaws(t *testing.T) {
	for _, approach := range []Approach{Offsets, Shared} {
		for _, s := range Strategies(approach) {
			t.Run(string(approach)+"/"+s.Name, rapid.MakeCheck(func(t *rapid.T) {
				records := reference.DrawShape(t, approach == Offsets).Draw(t, 0)
				before := append(Records(nil), records...)
				plan := solveDrawn(t, records, approach, s.Name)
				if diff := cmp.Diff(before, records, cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("the records were changed:\n%s", diff)
				}
				again := solveDrawn(t, records, approach, s.Name)
				if diff := cmp.Diff(plan, again, noTime); diff != "" {
					t.Fatalf("two runs differ:\n%s", diff)
				}
				checkPlanFields(t, plan, records, s)
			}))
		}
	}
}

// proves reports whether a strategy goes on until it has a proof.
func proves(s Strategy) bool { return s.Name == Auto || s.Name == Exact }

func checkPlanFields(t *rapid.T, plan *Plan, records Records, s Strategy) {
	if plan.Approach != s.Approach || plan.Strategy != s.Name || plan.Interrupted && !proves(s) {
		t.Fatalf("wrong labels: %+v", plan)
	}
	simple := LowerBound(s.Approach, records)
	if !proves(s) && plan.LowerBound != simple || plan.LowerBound < simple || plan.Total < plan.LowerBound {
		t.Fatalf("total %d, bound %d, LowerBound says %d", plan.Total, plan.LowerBound, simple)
	}
	if plan.Optimal != (plan.Total == plan.LowerBound) || plan.Optimal != (plan.Proof != Proof{}) {
		t.Fatalf("total %d, bound %d, optimal %v: %q", plan.Total, plan.LowerBound, plan.Optimal, plan.Proof)
	}
	leaps := s.Name == "tile-aware-printed" // over bytes that are free
	if most := mostAnyStrategyTakes(records, s.Approach); plan.Total > most && !leaps {
		t.Fatalf("total %d, which is more than %d", plan.Total, most)
	}
}

// mostAnyStrategyTakes bounds all strategies from above. A shared plan grows by a
// record's size at most with each record. An offsets plan puts a record at the next
// aligned byte above something placed before it, so alignments can cost it more
// than the naive plan, which happens to have its own order: with one alignment for
// all, each record costs its padded size; else its size and the most padding.
func mostAnyStrategyTakes(records Records, a Approach) int64 {
	most, common := problem.PinnedEnd(records), problem.CommonAlignment(records)
	for _, r := range records {
		switch {
		case r.Pinned || r.Size == 0:
		case a == Shared:
			most += r.Size
		case r.Alignment() == common:
			most += integer.RoundUp(r.Size, common)
		default:
			most += r.Size + r.Alignment() - 1
		}
	}
	if problem.PinnedEnd(records) > 0 {
		most += common - 1 // to the first aligned byte after the pinned ones
	}
	return most
}

// TestAutoIsNeverWorse wants auto, and exact, as small as any other strategy: problems as
// small as these they solve.
func TestAutoIsNeverWorse(t *testing.T) {
	for _, approach := range []Approach{Offsets, Shared} {
		t.Run(string(approach), rapid.MakeCheck(func(t *rapid.T) {
			small := reference.DrawShape(t, approach == Offsets)
			small.Records = min(small.Records, 8)
			records := small.Draw(t, 0)
			auto := solveDrawn(t, records, approach, Auto)
			exact := solveDrawn(t, records, approach, Exact)
			if !auto.Optimal || !exact.Optimal || auto.Total != exact.Total {
				t.Fatalf("auto %d bytes, optimal %v, exact %d bytes, optimal %v", auto.Total, auto.Optimal, exact.Total, exact.Optimal)
			}
			var first *Plan
			for _, s := range Strategies(approach) {
				if s.Name == Auto {
					continue
				}
				plan := solveDrawn(t, records, approach, s.Name)
				if plan.Total < auto.Total {
					t.Fatalf("%s has %d bytes, auto %d", s.Name, plan.Total, auto.Total)
				}
				if first == nil && plan.Total == auto.Total && !slices.Contains(searchStrategies, s.Name) && !slices.Contains(distanceAware, s.Name) {
					first = plan
				}
			}
			if first == nil {
				first = exact
			}
			if auto.Winner != first.Strategy || auto.Tried < 1 || auto.Tried >= len(Strategies(approach)) {
				t.Fatalf("auto tried %d and took %s, but %s has as little", auto.Tried, auto.Winner, first.Strategy)
			}
		}))
	}
}

// TestBoundsAreBelowTheOptimum finds the optimum by trying everything.
func TestBoundsAreBelowTheOptimum(t *testing.T) {
	small := reference.Shape{Records: 6, Positions: 4, Length: 3, Size: 9}
	for _, approach := range []Approach{Offsets, Shared} {
		t.Run(string(approach), rapid.MakeCheck(func(t *rapid.T) {
			s := small
			s.Aligns = rapid.SampledFrom([][]int64{{1}, {4}, {1, 2, 4}, {6, 4}, {3}}).Draw(t, "aligns")
			s.Pins = approach == Offsets && rapid.Bool().Draw(t, "pins")
			records := s.Draw(t, 0)
			best := bestOffsets(records)
			if approach == Shared {
				best = bestShared(records)
			}
			auto := solveDrawn(t, records, approach, Auto)
			if auto.LowerBound > best || auto.Total < best {
				t.Fatalf("bound %d, optimum %d, total %d", auto.LowerBound, best, auto.Total)
			}
		}))
	}
}

// bestOffsets tries every order: if the records of a best plan are placed again in
// the order of their offsets, each at the lowest free offset, none ends up higher.
func bestOffsets(records Records) int64 {
	best := lifetime.MaxTotal
	offsets := make([]int64, len(records))
	done := make([]bool, len(records))
	for i, r := range records {
		done[i], offsets[i] = r.Pinned || r.Size == 0, r.Offset
	}
	var place func(end int64)
	place = func(end int64) {
		finished := true
		for i, r := range records {
			if done[i] {
				continue
			}
			finished = false
			offset := int64(0)
			for !isFree(records, offsets, done, i, offset) {
				offset += r.Alignment()
			}
			done[i], offsets[i] = true, offset
			place(max(end, offset+r.Size))
			done[i] = false
		}
		if finished {
			best = min(best, end)
		}
	}
	place(problem.PinnedEnd(records))
	return best
}

func isFree(records Records, offsets []int64, done []bool, i int, offset int64) bool {
	for j, s := range records {
		if done[j] && s.Size > 0 && records[i].Overlaps(s) && offset < offsets[j]+s.Size && offsets[j] < offset+records[i].Size {
			return false
		}
	}
	return true
}

// bestShared tries every division into objects.
func bestShared(records Records) int64 {
	best := lifetime.MaxTotal
	var groups []Records
	var assign func(i int)
	assign = func(i int) {
		if i == len(records) {
			var total int64
			for _, group := range groups {
				var size int64
				for _, r := range group {
					size = max(size, r.Size)
				}
				total += size
			}
			best = min(best, total)
			return
		}
		for k := 0; k < len(groups); k++ {
			clash := false
			for _, r := range groups[k] {
				clash = clash || r.Size > 0 && records[i].Size > 0 && r.Overlaps(records[i])
			}
			if !clash {
				groups[k] = append(groups[k], records[i])
				assign(i + 1)
				groups[k] = groups[k][:len(groups[k])-1]
			}
		}
		groups = append(groups, Records{records[i]})
		assign(i + 1)
		groups = groups[:len(groups)-1]
	}
	assign(0)
	return best
}

func TestToOffsetsKeepsObjects(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := reference.DrawShape(t, false).Draw(t, 0)
		shared := solveDrawn(t, records, Shared, Auto)
		plan, err := shared.ToOffsets(records)
		if err != nil {
			t.Fatal(err)
		}
		starts := map[int]int64{}
		for i, object := range shared.Objects {
			if start, seen := starts[object]; seen && start != plan.Offsets[i] {
				t.Fatalf("object %d is at %d and at %d", object, start, plan.Offsets[i])
			}
			starts[object] = plan.Offsets[i]
		}
		padding := int64(0)
		for _, r := range records {
			padding += r.Alignment() - 1
		}
		if plan.Total > shared.Total && padding == 0 {
			t.Fatalf("%d bytes of objects became %d", shared.Total, plan.Total)
		}
		again, err := plan.ToOffsets(records)
		if diff := cmp.Diff(plan, again); diff != "" || err != nil {
			t.Fatalf("offsets to offsets: %v\n%s", err, diff)
		}
	})
}
