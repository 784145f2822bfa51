package benchmarks

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// An optimum is what is known of one model under one rule set with one approach.
type optimum struct {
	model, rules string
	approach     alloc.Approach
	records      int
	// All in bytes: the simple bound, the best total of the strategies in the tables of
	// Pisarchyk and Lee, that of every strategy but exact and auto, and the minimum.
	bound, paper, heuristic, total int64
	// floor is the proven bound in bytes, below the total only where nothing is proven.
	floor int64
	// nodes counts those of the exact search, and quick says that it was not needed.
	nodes int64
	quick bool
}

// searching are the strategies that auto turns to when the quick ones have no proof.
var searching = []string{"exact", "hill-climb", "strip-packing-search"}

// matters says that the minimum is news: above the simple bound, or below what the
// heuristics find.
func (o optimum) matters() bool { return o.total > o.bound || o.heuristic > o.total }

func (o optimum) proven() bool { return o.floor == o.total }

// TestOptima keeps optima.md what the planners prove: every model of the corpus, every
// rule set, both approaches.
func TestOptima(t *testing.T) {
	const name = "optima.md"
	var got bytes.Buffer
	writeOptima(&got, optima(t))
	golden.File(t, name, got.Bytes())
}

func optima(t *testing.T) []optimum {
	t.Helper()
	var list []optimum
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range rules.Names() {
			records := recordsOf(t, m, name)
			for _, a := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
				o := optimumOf(t, a, records)
				o.model, o.rules = f.Name, name
				list = append(list, o)
			}
		}
	}
	return list
}

func recordsOf(t *testing.T, m *tflite.Model, name string) []lifetime.Record {
	t.Helper()
	r, err := rules.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v.Records()
}

// optimaNodes is ten times what the longest search of the corpus takes: what is found does not
// depend on the machine.
const optimaNodes = 100_000

// optimumOf plans records with a search that is ended by its nodes, and not by the clock.
func optimumOf(t *testing.T, a alloc.Approach, records []lifetime.Record) optimum {
	t.Helper()
	plan := solve(t.Context(), t, records, alloc.Options{Approach: a, SearchTime: time.Hour, SearchNodes: optimaNodes})
	if plan.Optimal && plan.LowerBound != plan.Total {
		t.Errorf("total %d is called optimal, and the bound is %d", plan.Total, plan.LowerBound)
	}
	o := optimum{
		approach: a, records: len(records), bound: alloc.LowerBound(a, records),
		total: plan.Total, floor: plan.LowerBound, nodes: plan.Nodes,
	}
	o.quick = o.total == o.bound && !slices.Contains(searching, plan.Winner)
	paper, others := heuristics(a)
	o.paper = bestOf(t, a, records, paper, o.total)
	if o.heuristic = o.paper; o.paper > o.total {
		o.heuristic = min(o.paper, bestOf(t, a, records, others, o.total))
	}
	if o.heuristic < o.total {
		t.Errorf("a heuristic needs %d bytes, auto %d", o.heuristic, o.total)
	}
	return o
}

// heuristics returns the strategies in the tables of Pisarchyk and Lee, and the others
// except exact and auto.
func heuristics(a alloc.Approach) (paper, others []string) {
	for _, p := range papers {
		if p.approach != a {
			continue
		}
		for _, row := range p.rows {
			if row.strategy != RowBound && row.strategy != RowNaive {
				paper = append(paper, row.strategy)
			}
		}
	}
	for _, s := range alloc.Strategies(a) {
		if s.Name != "exact" && s.Name != alloc.Auto && !slices.Contains(paper, s.Name) {
			others = append(others, s.Name)
		}
	}
	return paper, others
}

// bestOf returns the smallest total of some strategies in bytes. It looks no further
// once one is down to enough.
func bestOf(t *testing.T, a alloc.Approach, records []lifetime.Record, strategies []string, enough int64) int64 {
	t.Helper()
	best := int64(-1)
	for _, s := range strategies {
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: a, Strategy: s})
		if tooMany := (*alloc.TooManyRecordsError)(nil); errors.As(err, &tooMany) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if best < 0 || plan.Total < best {
			best = plan.Total
		}
		if best <= enough {
			break
		}
	}
	return best
}
