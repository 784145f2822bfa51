package mip

import (
	"bytes"
	"context"
	"flag"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// file returns a program as the solver is to get it.
func file(t testing.TB, form string, approach alloc.Approach, records []lifetime.Record, apart Forbid, upper int64) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch {
	case approach == alloc.Shared && form == "lp":
		err = WriteSharedLP(&b, records)
	case approach == alloc.Shared:
		err = WriteSharedMPS(&b, records)
	case form == "lp":
		err = WriteLP(&b, records, apart, upper)
	default:
		err = WriteMPS(&b, records, apart, upper)
	}
	if err != nil {
		t.Fatalf("%v\n%+v", err, records)
	}
	return b.Bytes()
}

// total solves the program of records and reads the solution.
func total(t testing.TB, s solver, form string, approach alloc.Approach, records []lifetime.Record, apart Forbid, upper int64) (bytes int64, proven bool) {
	t.Helper()
	program := file(t, form, approach, records, apart, upper)
	solution, proven := s.run(t, form, program)
	bytes, err := read(approach, records, apart, solution)
	if err != nil && proven {
		t.Fatalf("%s %s: %v\n%s\n%s", s.name, form, err, solution, program)
	}
	return bytes, proven
}

func read(approach alloc.Approach, records []lifetime.Record, apart Forbid, solution []byte) (total int64, err error) {
	if approach == alloc.Shared {
		_, _, total, err = ReadSharedSolution(bytes.NewReader(solution), records)
		return total, err
	}
	_, total, err = ReadSolution(bytes.NewReader(solution), records, apart)
	return total, err
}

// TestSolversFindTheBest compares with every plan there is, for problems small enough.
func TestSolversFindTheBest(t *testing.T) {
	for _, s := range []solver{cbc, glpsol} {
		for _, form := range []string{"lp", "mps"} {
			t.Run(s.name+" "+form, func(t *testing.T) {
				s.need(t)
				for seed := range int64(40) {
					// The plans there are of a problem a thousand times as large are
					// those of the problem: that is what units promise.
					shape := shape{records: 5, positions: 4, length: 4, size: 5, extras: true, scale: 1}
					scale := 1 + 999*(seed%2)
					want := scale * bestOffsets(shape.draw(seeded(seed)), clash)
					shape.scale = scale
					records := shape.draw(seeded(seed))
					if got, proven := total(t, s, form, alloc.Offsets, records, nil, 0); proven && got != want {
						t.Errorf("seed %d: %d bytes, the best is %d\n%+v", seed, got, want, records)
					}
					shape.records, shape.extras = 7, false
					records = shape.draw(seeded(seed))
					want = bestShared(records)
					if got, proven := total(t, s, form, alloc.Shared, records, nil, 0); proven && got != want {
						t.Errorf("seed %d: objects of %d bytes, the best are %d\n%+v", seed, got, want, records)
					}
				}
			})
		}
	}
}

var problems = flag.Int("problems", 20, "how many larger problems a solver proves")

// TestSolverProvesExact has a solver prove the results of strategies for larger problems: exact finds
// the optimum, no bound is above it, and no plan below.
func TestSolverProvesExact(t *testing.T) {
	cbc.need(t)
	for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		t.Run(string(approach), func(t *testing.T) {
			proofs := 0
			for seed := range int64(*problems) {
				shape := shape{records: 25, positions: 12, length: 4, size: 9, scale: 1 + 63*(seed%2)}
				shape.extras = approach == alloc.Offsets && seed%4 == 0
				records := shape.draw(seeded(seed))
				if proves(t, approach, records, nil) {
					proofs++
				}
			}
			t.Logf("%d of %d proven", proofs, *problems)
			if proofs < *problems*9/10 {
				t.Errorf("only %d of %d problems were proven: the test says little", proofs, *problems)
			}
		})
	}
}

// proves compares a solver's proven optimum with plans, if it has one.
func proves(t *testing.T, approach alloc.Approach, records []lifetime.Record, apart Forbid) bool {
	t.Helper()
	solve := func(strategy string) *alloc.Plan {
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: approach, Strategy: strategy, Forbidden: apart})
		if err != nil {
			t.Fatalf("%v\n%+v", err, records)
		}
		return plan
	}
	plan := solve(alloc.Auto)
	best, proven := total(t, cbc, "lp", approach, records, apart, plan.Total)
	if !proven {
		return false
	}
	if plan.LowerBound > best || best > plan.Total || plan.Optimal && plan.Total != best {
		t.Errorf("the optimum is %d, auto says %d, bound %d, optimal %v\n%+v", best, plan.Total, plan.LowerBound, plan.Optimal, records)
	}
	if _, err := alloc.Lookup(approach, "exact"); err != nil {
		return true
	}
	if exact := solve("exact"); exact.Total != best {
		t.Errorf("the optimum is %d, exact says %d\n%+v", best, exact.Total, records)
	}
	return true
}
