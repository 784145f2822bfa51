package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// checkOne checks a model. Of one among several it also finds out what a plan would gain.
func (p *program) checkOne(c *cli.Context, file string, limits budget.Limits, among bool) (*results.Check, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	if limits.None() && c.IsSet("budget") {
		return nil, named(m.Name, usagef("there is no budget for this model: add an entry for it to %s, or limits for all models", c.String("budget")))
	}
	s, err := asItIs(c, m, rules.Micro())
	if err != nil {
		return nil, err
	}
	e, scratch, device, arena := s.Carried, s.Scratch, s.Device, s.Arena
	source := device.ScratchSource()
	r := &results.Check{
		Input: m.Name, Pass: true, Figures: arena.Stated(), RequiredDecidedBy: arena.Decides,
		Scratch: source, ABI: device.ABI, Target: device.Title, KernelLibrary: results.NewKernelLibrary(device), PointerBytes: device.Pointer,
		Budgets: []results.Budget{}, Notes: checkNotes(e, source, device.Kernels, len(scratch)), Warnings: []results.Note{},
	}
	if e.Followed() {
		r.EmbeddedPlan = &results.EmbeddedPlan{TensorsFixed: e.Outcome.Pinned, TensorsPlanned: e.Outcome.Planned}
		r.Notes = append(r.Notes, results.MarkerNotes(e.Marker)...)
	}
	r.Parts = parts(arena, source, device.Kernels)
	r.Warnings = append(r.Warnings, remarks.UnknownArena(arena.Figures)...)
	r.LargestTensor = results.NewTensor(results.PlacesOf(m, e.Outcome.View.Usage), e.Largest())
	// No budget holds where the runtime overwrites tensors or does not start.
	if r.PlanProblem = remarks.PlanTrouble(e, m); r.PlanProblem == "" && !c.IsSet("kernels") {
		r.PlanProblem = remarks.CountedForOthers(e.Marker, device.Kernels)
	}
	faults := s.View.Faults()
	r.Faults = results.NewFaults(faults)
	allowed := allowFaults(c, faults)
	r.Failures = remarks.Failures(allowed)
	r.Pass = r.PlanProblem == "" && len(r.Failures) == 0
	judge(r, limits)
	r.OlderRuntime = results.NewOlderRuntime(s.Older, r.Figures)
	if err := p.judgeGrowth(c, file, r, limits); err != nil {
		return nil, err
	}
	r.Next = nextToFit(c, file, device, e.Marker, r, limits)
	if among {
		best, err := p.quickest(c, s)
		if err != nil {
			return nil, err
		}
		r.Reachable(best)
	}
	r.Warnings = append(append(r.Warnings, remarks.Unusual(m)...), remarks.FaultWarnings(allowed)...)
	r.Notes = append(r.Notes, remarks.UnusedScratch(m, device.Kernels)...)
	r.Warnings = append(r.Warnings, remarks.UnknownLibrary(e.Marker)...)
	r.Warnings = append(r.Warnings, r.OlderRuntime.Warn(r.Budgets)...)
	p.warn(c, m.Name, r.Warnings)
	return r, nil
}

// quickest returns the arena with the best plan that needs no long search.
func (p *program) quickest(c *cli.Context, s *status) (int64, error) {
	const nodes = 1000
	plan, err := p.solve(c.Context, c, s.View.Model.Name, s.Records, alloc.Options{Approach: alloc.Offsets, SearchNodes: nodes})
	if err != nil {
		return 0, err
	}
	arena := s.WithHead(min(plan.Total, s.Arena.Head))
	return arena.Used, nil
}

// unchecked returns the error that keeps a model from being checked as a result, so
// that a page or a report about several does not leave the model out.
func unchecked(file string, err error) *results.Check {
	failed := noResult(file, err)
	return &results.Check{Input: failed.Input, Failed: failed}
}

// parts names what the arena holds and what each figure rests on.
func parts(a rules.Arena, scratch, library string) []results.Part {
	head, kernels := "simulated", "what "+remarks.KernelsOf(library)+" ask for"
	if scratch != library {
		head, kernels = "simulated, with other scratch than "+remarks.KernelsOf(library)+"'", "as for "+remarks.KernelsOf(library)+"; others differ"
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

// checkNotes says what the figures rest on and leave out.
func checkNotes(e *embedded.Carried, scratch, library string, requests int) []results.Note {
	head := "the head is what the runtime's own planner makes"
	if e.Followed() {
		head += fmt.Sprintf(" around the embedded plan, which fixes %d of %d tensors", e.Outcome.Pinned, e.Outcome.Planned)
	}
	head += remarks.ScratchCounted(scratch, requests)
	switch {
	case scratch == rules.NoScratch && library != referenceKernels:
		head += ", that of " + remarks.KernelsOf(library) + " is without --scratch none"
	case scratch == rules.NoScratch:
		head += ", --scratch reference counts that of the reference kernels"
	case scratch == scratchReference:
		head += "; other kernel libraries ask for other sizes"
	}
	return []results.Note{
		{Kind: results.NoteHead, Text: head},
		{Kind: results.NoteArena, Text: "the required arena is the least multiple of 16 bytes with which AllocateTensors() succeeds, in memory that begins at a multiple of 16; used is what arena_used_bytes() returns"},
	}
}
