package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/rewrite/split"
)

// A Fit is the output of "fit".
type Fit struct {
	Input  string `json:"input"`
	Output string `json:"output"`
	// Budget of `--head` in bytes, which head_bytes is compared with. Absent without one.
	HeadBudgetBytes int64 `json:"head_budget_bytes,omitzero"`
	// Budget of `--arena` in bytes, which required_bytes is compared with. Absent without one.
	BudgetBytes int64 `json:"budget_bytes,omitzero"`
	// Whether the budgets are met. Absent without one.
	Met *bool `json:"met,omitempty"`
	// Verdict on the model as it is written, or would be written.
	Verdict Verdict `json:"verdict"`
	// Unmodified model, with its embedded plan if the runtime can follow it.
	Before State `json:"before"`
	// Model as it is written, or would be written.
	After State `json:"after"`
	// Head within its budget, in bytes, that a larger arena permits. Absent if there is none, or the budget is met.
	LargerHeadBytes int64 `json:"larger_head_bytes,omitzero"`
	// Estimated required arena in bytes that belongs to larger_head_bytes. Absent without it.
	LargerRequiredBytes int64 `json:"larger_required_bytes,omitzero"`
	// Why the model was not tiled, for people; empty if it was.
	Reason string `json:"reason"`
	// What limits the model reached. Absent if nothing is planned.
	Bottleneck *Bottleneck `json:"bottleneck,omitempty"`
	// Why the budget is not met, and what would meet it. Absent if it is met, and without one.
	Shortfall *Shortfall `json:"shortfall,omitempty"`
	// Kinds of operators that the unmodified model lacks, and that the runtime's resolver needs in addition.
	NewOperators []string `json:"new_operators"`
	// Multiply-accumulates of one run of the unmodified model, with its original operators if it is tiled.
	OwnMACs int64 `json:"macs"`
	Time    *Time `json:"time,omitempty"`
	// Permitted in-place and overlapping outputs, as the flag `--alias` names them.
	Alias rules.Alias `json:"alias"`
	ABI   string      `json:"abi"`
	KernelLibrary
	Interrupted bool `json:"interrupted"`
	// Command line that checks the result against its budget in a build, or that meets a budget which was missed;
	// empty if there is no result, and no such command line is known.
	Next          string   `json:"next"`
	Faults        []Fault  `json:"faults"`
	LeftUntouched []string `json:"left_untouched"`
	// Steps that made a difference, each applied on top of those before it. The last one is `after`.
	Steps []FitStep `json:"steps"`
	// Pareto frontier of the estimated ways to tile the model, by head, extra work and tail, in descending order of
	// the head.
	Frontier []FitEstimate `json:"frontier"`
	Notes    []Note        `json:"notes"`
	Warnings []Note        `json:"warnings"`
}

// A FitStep is one step, applied after all previous ones in the list.
type FitStep struct {
	// Name of the step.
	Name string `json:"name"`
	State
	ExtraMACs int64 `json:"extra_macs"`
	// Number of operators in the file.
	Operators      int `json:"operator_count"`
	OperatorsMoved int `json:"operators_moved"`
	// Number of removed operators, which compute nothing.
	OperatorsRemoved int `json:"operators_removed"`
	// Rules that replaced or removed operators before tiling, in order.
	Rules []Rule `json:"rules"`
	// Number of in-place outputs.
	Takeovers int     `json:"in_place_count"`
	Stages    []Stage `json:"stages"`
}

// A Stage is a tiled run of operators. Operators are counted in the file without operators that compute
// nothing; both ends are inclusive.
type Stage struct {
	// Index of the block's first operator, inclusive, in the file without the operators that compute nothing.
	FirstOp int `json:"first_operator"`
	// Index of the block's last operator, inclusive.
	LastOp int `json:"last_operator"`
	// Number of strips along the rows.
	Rows int `json:"row_tiles"`
	// Number of tiles along the columns.
	Columns int `json:"column_tiles"`
	// Number of channel slices; 0 if the channels are not cut.
	Channels int `json:"channel_tiles"`
	// Most tiles of different sizes into which the block is cut; 0 if its tiles are equal.
	Tiles int `json:"uneven_tiles"`
	// Number of rows by which the lower edge of the first strip is moved, and later ones less, as long as each strip keeps a
	// row; negative if the first strip gets lower.
	Lean int `json:"lean"`
	// Treatment of the rows and columns that neighbouring tiles share: recomputed, or kept.
	Halos string `json:"halos"`
	// Whether borders are computed and cut off instead of padded.
	Carried bool `json:"carried"`
	// Whether zero weights are added to depthwise convolutions, so that tiles need fewer rows or have borders on one side only.
	Widened bool `json:"widened"`
}

// A FitEstimate is one Pareto-optimal way of tiling, before it is built.
type FitEstimate struct {
	Head int64 `json:"head_bytes"`
	// Estimated growth of the tail in bytes; negative if it shrinks.
	ExtraTailBytes int64   `json:"extra_tail_bytes"`
	ExtraMACs      int64   `json:"extra_macs"`
	Stages         []Stage `json:"stages"`
}

// NewFit returns a report as a result.
func NewFit(input string, r *shrink.Report, g shrink.Goal) *Fit {
	f := &Fit{
		Input: input, HeadBudgetBytes: g.HeadBudget, BudgetBytes: g.Budget,
		Bottleneck: NewBottleneck(r.Bottleneck), NewOperators: present(r.NewOperators), Reason: r.NotCut, OwnMACs: r.OwnMACs, Alias: g.Alias, ABI: g.Device.ABI.Name, KernelLibrary: NewKernelLibrary(g.Device), Interrupted: r.Interrupted,
		Faults: NewFaults(r.Faults), LeftUntouched: leftUntouched(r.Faults), Steps: []FitStep{}, Frontier: []FitEstimate{}, Notes: []Note{}, Warnings: []Note{},
	}
	if g.HeadBudget > 0 || g.Budget > 0 {
		f.Met = &r.Met
	}
	if r.Larger != nil && !r.Met {
		f.LargerHeadBytes, f.LargerRequiredBytes = r.Larger.Head, max(r.Larger.Required, g.HeadBudget+r.Larger.Tail)
	}
	for _, x := range r.Steps {
		f.Steps = append(f.Steps, FitStep{
			Name: x.Name, State: stateOf(x), ExtraMACs: x.ExtraMACs, Operators: x.Operators,
			OperatorsMoved: x.Moved, OperatorsRemoved: x.Removed, Rules: NewRules(x.Rules), Takeovers: x.Takeovers, Stages: stagesOf(x.Stages),
		})
	}
	f.Before, f.After = f.Steps[0].State, f.best().State
	f.Verdict = f.ruling().verdict()
	for _, x := range r.Frontier {
		f.Frontier = append(f.Frontier, FitEstimate{
			Head: x.Head, ExtraTailBytes: x.Tail, ExtraMACs: x.ExtraMACs, Stages: stagesOf(x.Stages),
		})
	}
	return f
}

func stateOf(r shrink.Candidate) State {
	return State{
		Figures:   r.Stated(),
		FileBytes: r.FileBytes,
	}
}

func stagesOf(list []split.Stage) []Stage {
	out := []Stage{}
	for _, s := range list {
		out = append(out, Stage{
			FirstOp: s.First, LastOp: s.Last, Rows: s.Rows, Columns: s.Columns, Channels: s.Channels, Tiles: s.Tiles, Lean: s.Lean,
			Halos: s.Mode.String(), Carried: s.Carry, Widened: s.Widen,
		})
	}
	return out
}

func (f *Fit) best() FitStep { return f.Steps[len(f.Steps)-1] }

// Text returns the list for people, the result first.
func (f *Fit) Text(s Style) string {
	var b strings.Builder
	own, best := f.Steps[0], f.best()
	s.ruled(&b, f.ruling(), f.Warnings, builtFor(f.ABI, f.Kernels))
	if best.Known() {
		s.line(&b, "required", s.Paint.Strong(s.bytes(best.Required))+s.was(best.Required, own.Required))
		s.line(&b, "used", s.bytes(best.Used)+s.was(best.Used, own.Used))
	}
	s.line(&b, "head", s.bytes(best.Head)+s.was(best.Head, own.Head))
	if best.Known() {
		s.line(&b, "tail", s.bytes(best.Tail)+s.was(best.Tail, own.Tail))
	}
	s.kernels(&b, f.KernelLibrary)
	s.line(&b, "extra MACs", extraWork(best.ExtraMACs, f.OwnMACs))
	f.Time.line(s, &b, best.ExtraMACs, f.OwnMACs)
	if f.Reason != "" {
		s.line(&b, "not cut", f.Reason)
	}
	s.rules(&b, best.Rules)
	s.untouched(&b, f.LeftUntouched)
	for _, stage := range best.Stages {
		s.line(&b, "tiled", stage.text())
	}
	if best.Required > own.Required {
		s.line(&b, "warning", s.Paint.Warn("the required arena grew")+"; useful only if the head is in a separate memory")
	}
	if f.LargerHeadBytes > 0 {
		s.line(&b, "larger", fmt.Sprintf("with an arena of about %s the head can be %s: allow for it with --arena %dKiB",
			s.bytes(f.LargerRequiredBytes), s.bytes(f.LargerHeadBytes), allowance(f.LargerRequiredBytes)))
	}
	f.Bottleneck.text(s, &b, f.Shortfall != nil)
	f.Shortfall.text(s, &b, f.OwnMACs)
	s.added(&b, f.NewOperators)
	for _, note := range f.Notes {
		s.line(&b, "note", note.Text)
	}
	b.WriteString(s.Next(f.Next))
	s.table(&b, "steps (each on top of those above it)", f.steps())
	return b.String()
}

// added names operators to be added to the runtime.
func (s Style) added(b *strings.Builder, operators []string) {
	if len(operators) > 0 {
		s.line(b, "new ops", strings.Join(operators, ", ")+": register in the op resolver")
	}
}

// allowance returns an arena in KiB, rounded up, and one more: the tail of the next result may differ
// slightly from the previous one.
func allowance(bytes int64) int64 { return bytes>>10 + 2 }

// ruling is about the model as it is written. A head within its budget is no success if the arena grew.
func (f *Fit) ruling() *ruling {
	r := &ruling{figures: f.After.Figures, faults: f.Faults}
	if f.BudgetBytes > 0 {
		r.budgets = append(r.budgets, newBudget(BudgetArena, f.After.Figures, f.After.Required, f.BudgetBytes, ""))
	}
	if f.HeadBudgetBytes > 0 {
		r.budgets = append(r.budgets, newBudget(BudgetHead, f.After.Figures, f.After.Head, f.HeadBudgetBytes, ""))
	}
	if f.HeadBudgetBytes > 0 && f.BudgetBytes == 0 && f.After.Required > f.Before.Required {
		b := newBudget(BudgetArena, f.After.Figures, f.After.Required, f.Before.Required, "")
		b.limit = "before"
		r.budgets = append(r.budgets, b)
	}
	return r
}

// extraWork writes multiply-accumulates relative to a model's own, for tables.
func extraWork(macs, own int64) string {
	if macs == 0 || own == 0 {
		return noWork
	}
	return fmt.Sprintf("%.1f %%", 100*float64(macs)/float64(own))
}

// noWork is the cell for no extra work.
const noWork = "no"

// inFull writes extra work as part of a sentence.
func inFull(work string) string {
	if work == noWork {
		return "no extra multiply-accumulates"
	}
	if less, ok := strings.CutPrefix(work, "-"); ok {
		return less + " fewer multiply-accumulates"
	}
	return work + " more multiply-accumulates"
}

func (g Stage) text() string {
	run := fmt.Sprintf("operators %d to %d", g.FirstOp, g.LastOp)
	if g.FirstOp == g.LastOp {
		run = fmt.Sprintf("operator %d", g.FirstOp)
	}
	if g.Channels > 1 {
		return fmt.Sprintf("%s in %d channel slices", run, g.Channels)
	}
	tiles := fmt.Sprintf("%d row strips", g.Rows)
	switch {
	case g.Tiles > 1:
		tiles = fmt.Sprintf("at most %d tiles of different sizes", g.Tiles)
	case g.Columns > 1:
		tiles = fmt.Sprintf("%d x %d tiles", g.Rows, g.Columns)
	}
	if g.Lean > 0 {
		tiles += fmt.Sprintf(" (the first one %s taller)", count(g.Lean, "row"))
	} else if g.Lean < 0 {
		tiles += fmt.Sprintf(" (the first one %s lower)", count(-g.Lean, "row"))
	}
	halos := "halos are recomputed"
	if g.Halos == "keep" {
		halos = "halos are kept"
	}
	if g.Carried {
		halos += ", and borders are cut off"
	}
	if g.Widened {
		halos += ", with wider filters"
	}
	return fmt.Sprintf("%s in %s; %s", run, tiles, halos)
}

func (f *Fit) steps() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "step"},
		{Head: "required", Kind: tables.Bytes},
		{Head: "used", Kind: tables.Bytes, Rank: 3},
		{Head: "head", Kind: tables.Bytes},
		{Head: "tail", Kind: tables.Bytes, Rank: 3},
		{Head: "extra work", Rank: 2},
		{Head: "operators", Kind: tables.Number, Rank: 4},
		{Head: "file", Kind: tables.Bytes, Rank: 5},
		{Head: "time", Kind: tables.Right, Rank: 2},
	}}
	for _, r := range f.Steps {
		t.Add(r.Name, cell(r.Figures, r.Required), cell(r.Figures, r.Used), r.Head, cell(r.Figures, r.Tail), extraWork(r.ExtraMACs, f.OwnMACs), r.Operators, r.FileBytes, f.Time.with(r.ExtraMACs, f.OwnMACs))
	}
	return t
}
