package app

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// addFitted adds the result of "fit" within [Ask.Fit].
func (r *Maker) addFitted(ctx context.Context, found *shrink.Report) error {
	r.judge()
	best := found.Steps[found.Best]
	title := "fitted"
	if !found.Met {
		title = "the closest that fit came"
		r.Report.Notes = append(r.Report.Notes, results.Note{Kind: results.NoteNoPlan, Text: "the budget is not met; 'tflarena fit' says why"})
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
		plan.Next = r.Ask.Commands.Fit
	}
	return nil
}

// strategies adds a plan by each strategy for the tensors of the model, the best first. If the time
// ended before, a quick one replaces the best.
func (r *Maker) strategies(ctx, limited context.Context) error {
	graph := r.Report.AddGraph(results.GraphFile, r.View, r.Records)
	for i, s := range append([]alloc.Strategy{{Name: alloc.Auto}}, alloc.Strategies(alloc.Offsets)...) {
		if s.Name == alloc.Auto && i > 0 {
			continue // it was the first
		}
		options := r.Ask.Options
		options.Approach, options.Strategy = alloc.Offsets, s.Name
		plan, err := r.Ask.Solve(limited, r.Records, options)
		if errors.Is(err, context.DeadlineExceeded) && s.Name == alloc.Auto {
			options.Quick = true
			plan, err = r.Ask.Solve(ctx, r.Records, options)
		}
		if tooMany := (*alloc.TooManyRecordsError)(nil); errors.As(err, &tooMany) {
			continue
		}
		if errors.Is(err, context.DeadlineExceeded) && s.Name != alloc.Auto {
			r.overdue(fmt.Sprintf("there are no plans of strategies from %s on", s.Name))
			break // the best plan is already there
		}
		if err != nil {
			return err
		}
		title := s.Name
		if s.Name == alloc.Auto {
			title = fmt.Sprintf("best plan (%s)", plan.Winner)
		}
		arena := rules.Arena{}
		if r.Carried != nil {
			arena = r.WithHead(plan.Total)
		}
		r.Report.AddStrategy(s.Name, title, graph, plan, arena)
	}
	return nil
}

// WithFitted returns the report with the result of "fit" within a budget, as in a report made with that
// budget. Command is the command line that makes it. The maker's report stays unchanged.
func (r *Maker) WithFitted(ctx context.Context, goal shrink.Goal, command string, found *shrink.Report) (*results.Report, error) {
	more := *r
	report := *r.Report
	report.Graphs, report.Plans, report.Notes = slices.Clip(report.Graphs), slices.Clip(report.Plans), slices.Clip(report.Notes)
	more.Report, more.Ask.Fit, more.Ask.Commands.Fit = &report, &goal, command
	if err := more.addFitted(ctx, found); err != nil {
		return nil, err
	}
	last := len(report.Plans) - 1
	fitted := report.Plans[last]
	if fitted.Name != results.GraphFitted {
		return &report, nil // no gain
	}
	at := slices.IndexFunc(report.Plans, func(p results.ReportPlan) bool { return !p.InModel })
	report.Plans = slices.Insert(report.Plans[:last:last], at, fitted)
	return &report, nil
}
