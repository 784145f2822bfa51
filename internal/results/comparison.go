package results

import (
	"encoding/json"
	"errors"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
)

// A Comparison is the output of "compare" for models and problems: every strategy of both approaches on
// every input. In JSON each contest is an element.
type Comparison struct {
	// Results are without the inputs that could not be planned at all.
	Results []Contest
	// TensorsAlone says that the head of a model leaves kernel scratch out.
	TensorsAlone bool
}

// A Contest is all strategies of one approach on one input.
type Contest struct {
	Input           string         `json:"input"`
	Runtime         string         `json:"runtime"`
	Approach        alloc.Approach `json:"approach"`
	Records         int            `json:"records"`
	NaiveBytes      int64          `json:"naive_bytes"`
	LowerBoundBytes int64          `json:"lower_bound_bytes"`
	// Total of the best plan found, in bytes.
	BestBytes int64 `json:"best_bytes"`
	// Strategy of the best plan, the first of equals; empty if none made a plan.
	BestStrategy string `json:"best_strategy"`
	// Whether no plan is smaller than the best one found.
	ProvenOptimal bool `json:"proven_optimal"`
	// Command line that searches for a smaller plan or a proof; empty if there is a proof.
	Next string `json:"next"`
	// Result of each strategy.
	Strategies []Entry `json:"strategies"`
	Notes      []Note  `json:"notes"`
	Warnings   []Note  `json:"warnings"`
}

// An Entry is one strategy in a contest. Without a plan, Problem is the reason, the figures are zero,
// and JSON omits them.
type Entry struct {
	// Name of the strategy.
	Strategy string `json:"strategy"`
	// Size of the plan in bytes: the end of the highest tensor, or the sum of the shared objects.
	TotalBytes int64 `json:"total_bytes"`
	// Whether no plan is smaller than this one.
	ProvenOptimal bool  `json:"proven_optimal"`
	ElapsedNS     int64 `json:"elapsed_ns"`
	Interrupted   bool  `json:"interrupted"`
	// Why the strategy has no plan, for people; it then has no figures. Absent if it has one.
	Problem string `json:"problem,omitempty"`
}

// ErrNotFinished reports that a strategy had no plan within its time.
var ErrNotFinished = errors.New("not finished within the time limit")

// MarshalJSON omits missing figures.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Problem != "" {
		return json.Marshal(map[string]any{"strategy": e.Strategy, "problem": e.Problem, "interrupted": e.Interrupted})
	}
	type plain Entry
	return json.Marshal(plain(e))
}

// NewContest returns a contest over records without entries.
func NewContest(input, runtime string, a alloc.Approach, records []lifetime.Record) Contest {
	return Contest{
		Input: input, Runtime: runtime, Approach: a, Records: len(records),
		NaiveBytes: naive(a, records), LowerBoundBytes: alloc.LowerBound(a, records), Strategies: []Entry{},
		Notes: []Note{}, Warnings: []Note{},
	}
}

// Add adds a strategy's plan, or the reason why it has none.
func (c *Contest) Add(strategy string, p *alloc.Plan, err error) {
	if err != nil {
		c.Strategies = append(c.Strategies, Entry{Strategy: strategy, Problem: err.Error(), Interrupted: errors.Is(err, ErrNotFinished)})
		return
	}
	c.Strategies = append(c.Strategies, Entry{
		Strategy: strategy, TotalBytes: p.Total, ProvenOptimal: p.Optimal, ElapsedNS: p.Elapsed.Nanoseconds(), Interrupted: p.Interrupted,
	})
	better := c.BestStrategy == "" || p.Total < c.BestBytes
	if better || p.Total == c.BestBytes && p.Optimal {
		c.ProvenOptimal = p.Optimal
	}
	if better {
		c.BestBytes, c.BestStrategy = p.Total, strategy
	}
}

// CSV returns every entry as a row. Without a plan it has the problem in place of the figures.
func (c *Comparison) CSV() ([]byte, error) {
	t := &tables.Table{Columns: []tables.Column{
		{Key: "input"},
		{Key: "approach"},
		{Key: "strategy"},
		{Key: "records"},
		{Key: "naive_bytes"},
		{Key: "lower_bound_bytes"},
		{Key: "total_bytes"},
		{Key: "proven_optimal"},
		{Key: "elapsed_ns"},
		{Key: "interrupted"},
		{Key: "problem"},
	}}
	for _, r := range c.Results {
		for _, e := range r.Strategies {
			total, optimal, elapsed := any(e.TotalBytes), any(e.ProvenOptimal), any(e.ElapsedNS)
			if e.Problem != "" {
				total, optimal, elapsed = "", "", ""
			}
			t.Add(r.Input, r.Approach, e.Strategy, r.Records, r.NaiveBytes, r.LowerBoundBytes, total, optimal, elapsed, e.Interrupted, e.Problem)
		}
	}
	return t.CSV()
}

// of returns the contests of one approach.
func (c *Comparison) of(a alloc.Approach) []Contest {
	var list []Contest
	for _, r := range c.Results {
		if r.Approach == a {
			list = append(list, r)
		}
	}
	return list
}

// Unfinished returns the strategies that the time limit or an interrupt ended.
func (c *Contest) Unfinished() (names []string) {
	for _, e := range c.Strategies {
		if e.Interrupted {
			names = append(names, e.Strategy)
		}
	}
	return names
}

// entry returns a strategy's entry, nil if it made no plan.
func (c *Contest) entry(strategy string) *Entry {
	i := slices.IndexFunc(c.Strategies, func(e Entry) bool { return e.Strategy == strategy })
	if i < 0 || c.Strategies[i].Problem != "" {
		return nil
	}
	return &c.Strategies[i]
}

// excess returns the excess of the best plan over the lower bound in percent.
func (c *Contest) excess() float64 {
	if c.LowerBoundBytes == 0 {
		return 0
	}
	return 100 * float64(c.BestBytes-c.LowerBoundBytes) / float64(c.LowerBoundBytes)
}
