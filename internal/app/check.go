package app

import (
	"context"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Base is the model before, with which a check is compared, or its recorded arena.
type Base struct {
	// Used is in bytes. Unknown is the reason why it is unknown, or "".
	Used    int64
	Unknown string
	// From is the origin of the figure, as the end of a sentence.
	From string
	// Model has the figures of the model before. It is nil for a recorded arena and in a folder that lacks
	// the model, which is New.
	Model *results.Baseline
	New   bool
}

// Check compares the memory of a model with limits, and its growth with a base. Allow lets a model with
// wrong results pass; one that does not run still fails.
func (s *Subject) Check(limits budget.Limits, base *Base, allow bool) *results.Check {
	m, e, source, kernels := s.View.Model, s.Carried, s.Device.ScratchSource(), s.Device.Kernels
	r := &results.Check{
		Input: m.Name, Pass: true, Figures: s.Arena.Stated(), RequiredDecidedBy: s.Arena.Decides,
		Scratch: source, ABI: s.Device.ABI.Name, Target: s.Device.ABI.Title, KernelLibrary: results.NewKernelLibrary(s.Device), PointerBytes: s.Device.ABI.Pointer,
		Budgets: []results.Budget{}, Notes: checkNotes(e, source, len(e.Requests)), Warnings: []results.Note{},
	}
	if e.Followed() {
		r.EmbeddedPlan = &results.EmbeddedPlan{TensorsFixed: e.Outcome.Pinned, TensorsPlanned: e.Outcome.Planned}
		r.Notes = append(r.Notes, results.MarkerNotes(e.Marker)...)
	}
	r.Parts = parts(s.Arena, source, kernels)
	r.Warnings = append(r.Warnings, notes.UnknownArena(s.Arena.Figures)...)
	r.LargestTensor = results.NewTensor(results.PlacesOf(m, e.Outcome.View.Usage), e.Largest())
	// No budget holds if the runtime overwrites tensors or does not start.
	trouble := notes.PlanTrouble(e, m)
	if text := notes.CountedForOthers(e.Marker, kernels); trouble.Text == "" && s.kernels == "" && text != "" {
		trouble = results.Note{Text: text, Remedy: results.CountKernels}
	}
	r.PlanProblem, r.PlanRemedy = trouble.Text, trouble.Remedy
	faults := slices.Clone(s.View.Faults())
	r.Faults = results.NewFaults(faults)
	for i := range faults {
		faults[i].Fails = faults[i].Fails && !allow || faults[i].Stops()
	}
	r.Failures = notes.Failures(faults)
	r.Pass = r.PlanProblem == "" && len(r.Failures) == 0
	judge(r, limits)
	r.OlderRuntime = results.NewOlderRuntime(s.Older, r.Figures)
	if base != nil {
		r.Base, r.New = base.Model, base.New
		if limits.Growth != nil && !base.New {
			judgeGrowth(r, *limits.Growth, base)
		}
	}
	r.Decide()
	r.Warnings = append(append(r.Warnings, notes.Unusual(m)...), notes.FaultWarnings(faults)...)
	r.Notes = append(r.Notes, notes.UnmodelledRelease(s.Device)...)
	r.Notes = append(r.Notes, notes.ReplacedNotes(m, s.Device)...)
	r.Notes = append(r.Notes, notes.UnusedScratch(m, kernels)...)
	r.Warnings = append(r.Warnings, notes.UnknownLibrary(e.Marker)...)
	r.Warnings = append(r.Warnings, r.OlderRuntime.Warn(r.Budgets)...)
	return r
}

// judge compares a result with the limits that are set.
func judge(r *results.Check, limits budget.Limits) {
	if limits.Arena != nil {
		r.Judge(results.BudgetArena, r.Required, int64(*limits.Arena), "")
	}
	if limits.Head != nil {
		r.Judge(results.BudgetHead, r.Head, int64(*limits.Head), "")
	}
	if limits.Tensor != nil {
		t := r.LargestTensor
		detail := ""
		if t.ID != "" {
			const width = 48 // the whole name is in the JSON
			detail = fmt.Sprintf("tensor %s %q", t.ID, tables.Elide(t.Name, width))
		}
		r.Judge(results.BudgetTensor, t.SizeBytes, int64(*limits.Tensor), detail)
	}
}

func judgeGrowth(r *results.Check, growth budget.Growth, base *Base) {
	if base.Unknown != "" {
		r.Unjudged(results.BudgetGrowth, base.Unknown)
		return
	}
	r.Judge(results.BudgetGrowth, r.Used, growth.Limit(base.Used), fmt.Sprintf("at most %s more than the %s %s", growth, units.Bytes(base.Used), base.From))
}

// Quickest returns the used bytes with the best plan that requires no long search.
func (s *Subject) Quickest(ctx context.Context, solve Solver) (int64, error) {
	const nodes = 1000
	plan, err := solve(ctx, s.Records, alloc.Options{Approach: alloc.Offsets, SearchNodes: nodes})
	if err != nil {
		return 0, err
	}
	return s.WithHead(min(plan.Total, s.Arena.Head)).Used, nil
}

// parts names the contents of the arena and the source of each figure.
func parts(a rules.Arena, scratch, library string) []results.Part {
	head, kernels := "simulated", "what "+notes.KernelsOf(library)+" ask for"
	if scratch != library {
		head, kernels = "simulated, with other scratch than "+notes.KernelsOf(library)+"'", "as for "+notes.KernelsOf(library)+"; others differ"
	}
	list := []results.Part{{Name: "head", Bytes: a.Head, Estimated: scratch == rules.NoScratch, Basis: head}}
	for _, t := range a.Parts {
		part := results.Part{Name: t.Name, Bytes: t.Bytes, Basis: "simulated"}
		if t.Name == rules.KernelData {
			part.Basis, part.Estimated = kernels, scratch != library || !a.Known() || len(a.FromSource) > 0
		}
		list = append(list, part)
	}
	return list
}

// checkNotes returns the assumptions and omissions of the figures.
func checkNotes(e *embedded.Carried, scratch string, requests int) []results.Note {
	head := "the head is what the runtime's own planner makes"
	if e.Followed() {
		head += fmt.Sprintf(" around the embedded plan, which fixes %d of %d tensors", e.Outcome.Pinned, e.Outcome.Planned)
	}
	head += notes.ScratchCounted(scratch, requests)
	if scratch == notes.Reference {
		head += "; other kernel libraries ask for other sizes"
	}
	return []results.Note{
		{Kind: results.NoteHead, Text: head},
		{Kind: results.NoteArena, Text: "the required arena is the least multiple of 16 bytes with which AllocateTensors() succeeds, in memory that begins at a multiple of 16; used is what arena_used_bytes() returns"},
	}
}
