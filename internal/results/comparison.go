package results

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
)

// A Comparison is what the command "compare" prints of models and problems: every
// strategy of both approaches on every input.
type Comparison struct {
	SchemaVersion int       `json:"schema_version"`
	Runtime       string    `json:"runtime"`
	Results       []Contest `json:"results"`
	Skipped       []Skipped `json:"skipped"`
}

// A Contest is all strategies of one approach on one input.
type Contest struct {
	Input           string `json:"input"`
	Approach        string `json:"approach"`
	Records         int    `json:"records"`
	NaiveBytes      int64  `json:"naive_bytes"`
	LowerBoundBytes int64  `json:"lower_bound_bytes"`
	BestBytes       int64  `json:"best_bytes"`
	// BestStrategy is the first of the best; ProvenOptimal is about its plan.
	BestStrategy  string  `json:"best_strategy"`
	ProvenOptimal bool    `json:"proven_optimal"`
	Strategies    []Entry `json:"strategies"`
}

// An Entry is one strategy in a contest. Where it made no plan, Problem says why
// and the figures are zero.
type Entry struct {
	Strategy      string `json:"strategy"`
	TotalBytes    int64  `json:"total_bytes"`
	ProvenOptimal bool   `json:"proven_optimal"`
	ElapsedNS     int64  `json:"elapsed_ns"`
	Problem       string `json:"problem,omitempty"`
}

// A Skipped input is one that could not be planned at all.
type Skipped struct {
	Input string `json:"input"`
	Error string `json:"error"`
}

// NewContest returns a contest over records without entries.
func NewContest(input string, a alloc.Approach, records []lifetime.Record) Contest {
	return Contest{
		Input: input, Approach: string(a), Records: len(records),
		NaiveBytes: naive(a, records), LowerBoundBytes: alloc.LowerBound(a, records), Strategies: []Entry{},
	}
}

// Add adds a strategy's plan, or why it made none.
func (c *Contest) Add(strategy string, p *alloc.Plan, err error) {
	if err != nil {
		c.Strategies = append(c.Strategies, Entry{Strategy: strategy, Problem: err.Error()})
		return
	}
	c.Strategies = append(c.Strategies, Entry{
		Strategy: strategy, TotalBytes: p.Total, ProvenOptimal: p.Optimal, ElapsedNS: p.Elapsed.Nanoseconds(),
	})
	better := c.BestStrategy == "" || p.Total < c.BestBytes
	if better || p.Total == c.BestBytes && p.Optimal {
		c.ProvenOptimal = p.Optimal
	}
	if better {
		c.BestBytes, c.BestStrategy = p.Total, strategy
	}
}

// CSV returns every entry as a row.
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
	}}
	for _, r := range c.Results {
		for _, e := range r.Strategies {
			if e.Problem == "" {
				t.Add(r.Input, r.Approach, e.Strategy, r.Records, r.NaiveBytes, r.LowerBoundBytes, e.TotalBytes, e.ProvenOptimal, e.ElapsedNS)
			}
		}
	}
	return t.CSV()
}

// of returns the contests of one approach.
func (c *Comparison) of(a alloc.Approach) []Contest {
	var list []Contest
	for _, r := range c.Results {
		if r.Approach == string(a) {
			list = append(list, r)
		}
	}
	return list
}

// entry returns a strategy's entry, nil when it made no plan.
func (c *Contest) entry(strategy string) *Entry {
	i := slices.IndexFunc(c.Strategies, func(e Entry) bool { return e.Strategy == strategy })
	if i < 0 || c.Strategies[i].Problem != "" {
		return nil
	}
	return &c.Strategies[i]
}

// over returns how far a total is above a bound, in percent with two decimals.
func over(total, bound int64) string {
	if bound == 0 {
		return "0.00"
	}
	return fmt.Sprintf("%.2f", 100*float64(total-bound)/float64(bound))
}
