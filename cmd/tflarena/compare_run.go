package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/benchmarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// paperTables computes the tables of the paper anew.
func paperTables(ctx context.Context) (*results.PaperTables, error) {
	computed, err := benchmarks.PaperTables(ctx)
	if err != nil {
		return nil, err
	}
	out := &results.PaperTables{SchemaVersion: results.SchemaVersion, Tables: []results.PaperTable{}}
	for _, t := range computed {
		table := results.PaperTable{Title: t.Title, Approach: string(t.Approach), Networks: t.Networks, Rows: []results.PaperRow{}}
		for _, r := range t.Rows {
			table.Rows = append(table.Rows, results.PaperRow{Name: r.Name, PaperMiB: r.Paper, TotalBytes: r.Bytes})
		}
		out.Tables = append(out.Tables, table)
	}
	return out, nil
}

// compareFiles runs the contests. An input that cannot be planned costs a line and
// the exit code.
func (p *program) compareFiles(ctx context.Context, c *cli.Context, r rules.Rules, files []string) (*results.Comparison, error) {
	out := &results.Comparison{SchemaVersion: results.SchemaVersion, Runtime: r.Name, Results: []results.Contest{}, Skipped: []results.Skipped{}}
	done := 0
	for _, file := range files {
		contests, err := p.contests(ctx, c, r, file)
		if err == nil {
			out.Results = append(out.Results, contests...)
			done++
			continue
		}
		if stop, fatal := p.stopped(err, done, len(files)); stop {
			return out, fatal
		}
		out.Skipped = append(out.Skipped, results.Skipped{Input: file, Error: err.Error()})
		p.complain(fmt.Errorf("skipped: %w", err))
	}
	return out, nil
}

// contests runs every strategy of both approaches on one input.
func (p *program) contests(ctx context.Context, c *cli.Context, r rules.Rules, file string) ([]results.Contest, error) {
	j, err := p.read(c.Context, file, r, c.Int("subgraph"))
	if err != nil {
		return nil, err
	}
	var list []results.Contest
	for _, approach := range []alloc.Approach{alloc.Offsets, alloc.Shared} {
		contest, err := p.contest(ctx, c, approach, j.title, j.records)
		if errors.Is(err, alloc.ErrPinnedShared) {
			p.warn(c, j.title, []string{"left out of approach shared: shared objects have no offsets to pin a buffer at"})
			continue
		}
		if errors.Is(err, alloc.ErrGapsShared) {
			p.warn(c, j.title, []string{"left out of approach shared: an object holds one whole buffer at a time, so its gaps free nothing"})
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, contest)
	}
	return list, nil
}

func (p *program) contest(ctx context.Context, c *cli.Context, a alloc.Approach, title string, records []lifetime.Record) (results.Contest, error) {
	contest := results.NewContest(title, a, records)
	for _, s := range alloc.Strategies(a) {
		if s.Name == alloc.Auto {
			continue
		}
		plan, err := p.solve(ctx, c, title, records, alloc.Options{Approach: a, Strategy: s.Name, SearchTime: searchTime(c)})
		var tooMany *alloc.TooManyRecordsError
		if err != nil && !errors.As(err, &tooMany) {
			return contest, err
		}
		contest.Add(s.Name, plan, err)
	}
	return contest, nil
}
