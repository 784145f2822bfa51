package results

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// A Frontier is what the command "fit" prints where it has no budget.
type Frontier struct {
	Input string `json:"input"`
	// Before is the model as it is.
	Before FrontierPoint `json:"before"`
	// OwnMACs are the model's own multiply-accumulates in one run.
	OwnMACs int64 `json:"macs"`
	// ABI is what the arenas are counted for.
	ABI string `json:"abi"`
	KernelLibrary
	// Levels are what there is with each --alias, the least first.
	Levels []FrontierLevel `json:"levels"`
	// Next is a command line that writes the point which looks worth it, "" where none does, or
	// that of [Frontier.CannotRun].
	Next string `json:"next"`
	// Interrupted says that not everything was tried.
	Interrupted bool `json:"interrupted"`
	// Faults is what is known to go wrong when the runtime runs the model.
	Faults   []Fault `json:"faults"`
	Notes    []Note  `json:"notes"`
	Warnings []Note  `json:"warnings"`

	worthwhile FrontierPoint // what Next writes, zero where it writes nothing
}

// A FrontierLevel is what there is with one --alias. Points of lesser levels are among its own.
type FrontierLevel struct {
	Alias string `json:"alias"`
	// Complete says that all was tried. Reason says why the model was not cut into pieces.
	Complete bool            `json:"complete"`
	Reason   string          `json:"reason"`
	Points   []FrontierPoint `json:"points"`
}

// A FrontierPoint is a model that was built, planned and measured.
type FrontierPoint struct {
	// Alias is the least --alias at which the point was found.
	Alias string `json:"alias"`
	// BudgetBytes is the --arena that makes just this model; SmallestArenaBytes is met, too.
	BudgetBytes        int64    `json:"arena_budget_bytes"`
	SmallestArenaBytes int64    `json:"smallest_arena_bytes"`
	ArenaBytes         int64    `json:"arena_bytes"`
	HeadBytes          int64    `json:"head_bytes"`
	TailBytes          int64    `json:"tail_bytes"`
	FileBytes          int64    `json:"file_bytes"`
	ExtraMACs          int64    `json:"extra_macs"`
	Operators          int      `json:"operator_count"`
	OperatorsMoved     int      `json:"operators_moved"`
	OperatorsRemoved   int      `json:"operators_removed"`
	Takeovers          int      `json:"takeover_count"`
	NewOperators       []string `json:"new_operators"`
	Stages             []Stage  `json:"stages"`
}

// NewFrontier returns what was found as a result.
func NewFrontier(input string, s *fit.Survey, g fit.Goal) *Frontier {
	f := &Frontier{
		Input: input, OwnMACs: s.OwnMACs, ABI: g.Device.ABI, KernelLibrary: NewKernelLibrary(g.Device), Interrupted: s.Interrupted,
		Before: frontierPoint(fit.Point{Rung: s.Own, Alias: rules.NoAlias, Budget: s.Own.Smallest}),
		Levels: []FrontierLevel{}, Notes: []Note{}, Warnings: []Note{},
	}
	for _, l := range s.Levels {
		level := FrontierLevel{Alias: string(l.Alias), Complete: !l.Interrupted, Reason: l.NotCut, Points: []FrontierPoint{}}
		for _, p := range l.Points {
			level.Points = append(level.Points, frontierPoint(p))
		}
		f.Levels = append(f.Levels, level)
	}
	if p, ok := s.Worthwhile(); ok {
		f.worthwhile = frontierPoint(p)
	}
	return f
}

// CannotRun says that the runtime does not run the model, so that no point is worth it, and that
// another command line is next.
func (f *Frontier) CannotRun(next string) { f.Next, f.worthwhile = next, FrontierPoint{} }

func frontierPoint(p fit.Point) FrontierPoint {
	return FrontierPoint{
		Alias: string(p.Alias), BudgetBytes: p.Budget, SmallestArenaBytes: p.Smallest, ArenaBytes: p.Arena, HeadBytes: p.Head,
		TailBytes: p.Tail, FileBytes: p.FileBytes, ExtraMACs: p.ExtraMACs, Operators: p.Operators, OperatorsMoved: p.Moved,
		OperatorsRemoved: p.Removed, Takeovers: p.Takeovers, NewOperators: present(p.NewOperators), Stages: stagesOf(p.Stages),
	}
}
