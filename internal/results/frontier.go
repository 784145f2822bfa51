package results

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// A Frontier is the output of "fit" without a budget.
type Frontier struct {
	Input string `json:"input"`
	// Unmodified model, with its embedded plan if the runtime can follow it.
	Before FrontierPoint `json:"before"`
	// Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled.
	OwnMACs int64  `json:"macs"`
	Time    *Time  `json:"time,omitempty"`
	ABI     string `json:"abi"`
	KernelLibrary
	Board
	// Verdict on the unmodified model.
	Verdict Verdict `json:"verdict"`
	// Results for each `--alias`, the most restrictive first.
	Levels []FrontierLevel `json:"levels"`
	// Recommended command line: it writes a point, or lists the faults; empty without one.
	Next        string  `json:"next"`
	Interrupted bool    `json:"interrupted"`
	Faults      []Fault `json:"faults"`
	Notes       []Note  `json:"notes"`
	Warnings    []Note  `json:"warnings"`

	worthwhile FrontierPoint // what Next writes, zero where it writes nothing
}

// A FrontierLevel is the points of one --alias. They include the points of lower levels.
type FrontierLevel struct {
	// Permitted in-place and overlapping outputs of the level, as the flag `--alias` names them.
	Alias rules.Alias `json:"alias"`
	// Whether everything was tried before the time limit.
	Complete bool `json:"complete"`
	// Why the model was not tiled, for people; empty if it was.
	Reason string `json:"reason"`
	// Models that were built, planned and measured, in descending order of the required arena, including those of
	// more restrictive levels.
	Points []FrontierPoint `json:"points"`
}

// A FrontierPoint is a model that was built, planned and measured.
type FrontierPoint struct {
	// Least `--alias` at which the point was found.
	Alias rules.Alias `json:"alias"`
	// Budget for `--arena` in bytes that makes exactly this model; required_bytes is within it. Absent with arena_unknown.
	BudgetBytes int64 `json:"budget_bytes,omitzero"`
	State
	ExtraMACs int64 `json:"extra_macs"`
	// Number of operators in the file.
	Operators        int `json:"operator_count"`
	OperatorsMoved   int `json:"operators_moved"`
	OperatorsRemoved int `json:"operators_removed"`
	// Rules that replaced or removed operators before tiling, in order.
	Rules        []Rule   `json:"rules"`
	Takeovers    int      `json:"in_place_count"`
	NewOperators []string `json:"new_operators"`
	Stages       []Stage  `json:"stages"`
}

// NewFrontier returns what was found as a result.
func NewFrontier(input string, s *shrink.Survey, g shrink.Goal) *Frontier {
	f := &Frontier{
		Input: input, OwnMACs: s.OwnMACs, ABI: g.Device.ABI.Name, KernelLibrary: NewKernelLibrary(g.Device), Interrupted: s.Interrupted,
		Before: frontierPoint(shrink.Point{Candidate: s.Own}),
		Levels: []FrontierLevel{}, Notes: []Note{}, Warnings: []Note{},
	}
	for _, l := range s.Levels {
		level := FrontierLevel{Alias: l.Alias, Complete: !l.Interrupted, Reason: l.NotCut, Points: []FrontierPoint{}}
		for _, p := range l.Points {
			level.Points = append(level.Points, frontierPoint(p))
		}
		f.Levels = append(f.Levels, level)
	}
	if p, ok := s.Worthwhile(); ok && p.Known() {
		f.worthwhile = frontierPoint(p)
	}
	return f
}

// Decide sets the verdict on the unmodified model, when its faults are known.
func (f *Frontier) Decide() { f.Verdict = f.ruling().verdict() }

func (f *Frontier) ruling() *ruling {
	return &ruling{figures: f.Before.Figures, faults: f.Faults, board: f.Board}
}

// CannotRun reports that the runtime does not run the model, so that no point is recommended, and sets
// the next command line.
func (f *Frontier) CannotRun(next string) { f.Next, f.worthwhile = next, FrontierPoint{} }

func frontierPoint(p shrink.Point) FrontierPoint {
	budget := p.Required
	if !p.Known() {
		budget = 0
	}
	return FrontierPoint{
		Alias: p.Alias, BudgetBytes: budget, State: State{p.Stated(), p.FileBytes}, ExtraMACs: p.ExtraMACs, Operators: p.Operators, OperatorsMoved: p.Moved,
		OperatorsRemoved: p.Removed, Rules: NewRules(p.Rules), Takeovers: p.Takeovers, NewOperators: present(p.NewOperators), Stages: stagesOf(p.Stages),
	}
}
