package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/benchmarks"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// paperTables recomputes the tables of the paper.
func paperTables(ctx context.Context) (out []results.PaperTable, err error) {
	computed, err := benchmarks.PaperTables(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range computed {
		table := results.PaperTable{Title: t.Title, Approach: t.Approach, Networks: t.Networks, Rows: []results.PaperRow{}}
		for _, r := range t.Rows {
			table.Rows = append(table.Rows, results.PaperRow{Name: r.Name, PaperMiB: r.Paper, TotalBytes: r.Bytes})
		}
		out = append(out, table)
	}
	return out, nil
}

// compareFiles runs the contests, and returns them for people and for JSON. An input that cannot be
// planned is reported on a line and sets the exit code.
func (p *program) compareFiles(ctx context.Context, r *runtimeChoice, files []string) (*results.Comparison, []any, error) {
	out := &results.Comparison{TensorsAlone: r.scratch == rules.NoScratch}
	found, err := eachOr(p, files, "skipped: ", func(file string) ([]results.Contest, error) { return p.contests(ctx, r, file) })
	var elements []any
	for _, e := range found.elements {
		contests, ok := e.([]results.Contest)
		if !ok {
			elements = append(elements, e)
			continue
		}
		for _, contest := range contests {
			elements = append(elements, contest)
		}
		out.Results = append(out.Results, contests...)
	}
	return out, elements, err
}

// contests runs every strategy of both approaches on one input.
func (p *program) contests(ctx context.Context, r *runtimeChoice, file string) ([]results.Contest, error) {
	j, err := p.read(file, r)
	if err == nil && j.cases != nil {
		err = named(j.title, errTiles)
	}
	if err == nil {
		err = j.addScratch(p.ctx, &r.target)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := p.limit.perInput(ctx)
	defer cancel()
	var list []results.Contest
	for i, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		part, cancel := deadline.Share(ctx, 2-i)
		contest, err := p.contest(part, approach, j)
		cancel()
		if reason := unshareable(err); reason != "" {
			warnings := results.Notes(results.WarnApproach, []string{"left out of approach shared: " + reason})
			p.warn(j.title, warnings)
			for i := range list {
				list[i].Warnings = append(list[i].Warnings, warnings...)
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, contest)
	}
	if !slices.ContainsFunc(list, func(c results.Contest) bool { return c.BestStrategy != "" }) && ctx.Err() != nil {
		return nil, named(j.title, &limitError{p.limit.ending()})
	}
	return list, nil
}

// unshareable returns the reason why an input has no plan with shared objects, or "" for other errors.
func unshareable(err error) string {
	switch {
	case errors.Is(err, alloc.ErrPinnedShared):
		return "shared objects have no offsets to pin a buffer at"
	case errors.Is(err, alloc.ErrGapsShared):
		return "an object holds one whole buffer at a time, so its gaps free nothing"
	}
	return ""
}

// contest runs every strategy of an approach, each with an equal share of the remaining time, searching
// strategies last.
func (p *program) contest(ctx context.Context, a alloc.Approach, j *job) (results.Contest, error) {
	contest := results.NewContest(j.title, j.runtime, a, j.records)
	contest.Notes, contest.Warnings = append(contest.Notes, j.notes...), append(contest.Warnings, j.warnings...)
	strategies := slices.DeleteFunc(alloc.Strategies(a), func(s alloc.Strategy) bool { return s.Name == alloc.Auto })
	var turns, searching []int
	for i, s := range strategies {
		if s.Searches() {
			searching = append(searching, i)
		} else {
			turns = append(turns, i)
		}
	}
	plans, errs, cut := make([]*alloc.Plan, len(strategies)), make([]error, len(strategies)), 0
	for n, i := range append(turns, searching...) {
		part, cancel := deadline.Share(ctx, len(strategies)-n)
		plans[i], errs[i] = p.solve(part, j.title, j.records, alloc.Options{Approach: a, Strategy: strategies[i].Name, SearchTime: p.limit.search()})
		ended := part.Err() != nil && p.ctx.Err() == nil
		if cancel(); ended && (errs[i] != nil || plans[i].Interrupted) {
			cut++
		}
		var tooMany *alloc.TooManyRecordsError
		switch {
		case errs[i] == nil || errors.As(errs[i], &tooMany):
		case ended:
			errs[i] = errNotFinished
		default:
			return contest, errs[i]
		}
	}
	for i, s := range strategies {
		contest.Add(s.Name, plans[i], errs[i])
	}
	if cut > 0 {
		p.say(j.title, "note", fmt.Sprintf("--time-limit %s was reached: %d of %d strategies for %s did not end by themselves", p.limit.ending(), cut, len(strategies), a))
	}
	return contest, nil
}

// errNotFinished reports that a strategy had no plan within its time.
var errNotFinished = errors.New("not finished within the time limit")
