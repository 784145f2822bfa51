package planner

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
)

// A Verdict states whether a model fits into an arena.
type Verdict struct {
	// Budget is what there is, in bytes.
	Budget int64 `json:"budget_bytes"`
	// Plan is the name of the first plan that fits: the plan of the file as it is, or of a model
	// made from it. It is "" if none fits yet.
	Plan string `json:"plan"`
}

// arena parses a budget.
func arena(text string) (int64, error) {
	n, err := units.Parse(text)
	if err == nil && n < 1 {
		err = fmt.Errorf("size %q: a budget has at least 1 byte", text)
	}
	return n, err
}

// judge compares the current and the possible memory of the model with a budget.
func (s *subject) judge(r *Request) (Reply, error) {
	budget, err := arena(r.Arena)
	if err != nil {
		return Reply{}, err
	}
	v := &Verdict{Budget: budget}
	if r := s.made.Report; r.Verdict == results.DoesNotRun || r.Verdict == results.WrongResults {
		return v.reply(string(r.Verdict) + ": " + r.VerdictText), nil
	}
	best := int64(math.MaxInt64)
	for _, way := range s.ways() {
		if way.required == 0 {
			continue
		}
		best = min(best, way.required)
		if way.required > budget {
			continue
		}
		v.Plan = way.plan
		return v.reply(string(results.Fits) + way.text + ": " + results.Against(way.required, budget)), nil
	}
	if best == math.MaxInt64 {
		return v.reply(string(results.NotKnown) + ": the embedded memory plan " + s.trouble() + ". Rewrite makes another one."), nil
	}
	return v.reply(string(results.DoesNotFit) + ": the best model so far " + results.Against(best, budget) + ". Try Fit."), nil
}

func (v *Verdict) reply(text string) Reply { return Reply{Kind: "verdict", Message: text, Verdict: v} }

// A way is a model, what it takes to make it, and its required arena in bytes, which is zero if it is not known.
type way struct {
	plan, text string
	required   int64
}

// trouble returns the fault of the embedded plan, which makes the unmodified arena meaningless.
func (s *subject) trouble() string {
	if n := notes.PlanTrouble(s.made.Carried, s.model); n.Text != "" {
		return n.Text
	}
	return notes.CountedForOthers(s.made.Carried.Marker, s.made.Device.Kernels)
}

// ways are all ways by increasing change.
func (s *subject) ways() []way {
	own := way{plan: results.GraphFile}
	if s.trouble() == "" {
		own.required = s.made.Arena.Stated().Required
	}
	list := []way{own}
	for _, w := range []way{
		{plan: results.PlanRewritten, text: ", after Rewrite"},
		{plan: results.GraphReordered, text: ", after Rewrite and reorder"},
	} {
		if o := s.made.Rewritten[w.plan]; o != nil {
			w.required = o.After.Stated().Required
		}
		list = append(list, w)
	}
	return append(list, way{results.GraphFitted, ", after Fit", s.fitted})
}
