package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// fitted adds what "fit" makes of the model.
func (r *reporter) fitted(ctx context.Context, flags []string) error {
	m, goal := r.view.Model, *r.ask.fit
	r.report.ArenaBudgetBytes, r.report.HeadBudgetBytes = goal.Arena, goal.Head
	var err error
	if goal.Scratch, err = fitScratch(r.c, m, goal.Target); err != nil {
		return named(m.Name, err)
	}
	line := r.p.fitLine(r.c, &goal, "fitting")
	found, err := fit.Fit(ctx, m, goal)
	line.Stop()
	if err != nil {
		return named(m.Name, hint(err))
	}
	if r.c.Context.Err() != nil {
		return named(m.Name, interruptedError{})
	}
	best := found.Rungs[found.Best]
	title := "fitted"
	if !found.Met {
		title = "the closest that fit came"
		r.report.Notes = append(r.report.Notes, results.Note{Kind: results.NoteNoPlan, Text: "the budget is not met; 'tflarena fit' says why"})
	}
	if best.Data == nil {
		return nil
	}
	plan, err := r.written(ctx, results.GraphFitted, title, best.Data)
	if err != nil {
		return err
	}
	plan.ExtraMACs = best.ExtraMACs
	if found.Met {
		plan.Next = command("fit", r.file, flags...)
	}
	return nil
}

// strategies adds a plan by each strategy for the tensors of the model, the best first.
func (r *reporter) strategies(ctx context.Context) error {
	graph := r.report.AddGraph(results.GraphFile, r.view, r.records)
	for i, s := range append([]alloc.Strategy{{Name: alloc.Auto}}, alloc.Strategies(alloc.Offsets)...) {
		if s.Name == alloc.Auto && i > 0 {
			continue // it was the first
		}
		plan, err := r.p.solve(ctx, r.c, r.view.Model.Name, r.records, alloc.Options{Approach: alloc.Offsets, Strategy: s.Name, SearchTime: searchTime(r.c)})
		if tooMany := (*alloc.TooManyRecordsError)(nil); errors.As(err, &tooMany) {
			continue
		}
		if errors.Is(err, context.DeadlineExceeded) && s.Name != alloc.Auto {
			break // the time is over, and the best plan is there
		}
		if err != nil {
			return err
		}
		title := s.Name
		if s.Name == alloc.Auto {
			title = fmt.Sprintf("best plan (%s)", plan.Winner)
		}
		arena := rules.Arena{}
		if r.carried != nil {
			arena = r.withHead(plan.Total)
		}
		r.report.AddStrategy(s.Name, title, graph, plan, arena)
	}
	return nil
}
