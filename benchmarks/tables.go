package benchmarks

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// A Table is one recomputed table of Pisarchyk and Lee 2020, with the published figures.
type Table struct {
	Title    string
	Approach alloc.Approach
	// Networks are the titles of the columns.
	Networks []string
	Rows     []Row
}

// A Row is one strategy, or one of [RowBound] and [RowNaive].
type Row struct {
	// Name is the strategy's name, Title the paper's name of the row, empty if the paper has no such
	// row.
	Name, Title string
	// Paper are the published figures in MiB; empty strings if missing.
	Paper []string
	// Bytes are our figures.
	Bytes []int64
}

// PaperTables computes both tables of Pisarchyk and Lee 2020 from the networks of package models under
// the rule set "paper": the paper's rows in its order, then the other strategies.
func PaperTables(ctx context.Context) ([]Table, error) {
	networks := models.List(models.Tables)
	problems := make([][]lifetime.Record, len(networks))
	for i, n := range networks {
		records, err := paperRecords(n.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
		problems[i] = records
	}
	var tables []Table
	for _, p := range papers {
		t := Table{Title: p.title, Approach: p.approach}
		for _, n := range networks {
			t.Networks = append(t.Networks, n.Title)
		}
		for _, row := range rowsOf(p.approach, p.rows) {
			row.Bytes = make([]int64, len(problems))
			for i, records := range problems {
				bytes, err := figure(ctx, p.approach, row.Name, records)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", networks[i].Name, row.Name, err)
				}
				row.Bytes[i] = bytes
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// rowsOf returns the paper's rows, followed by the other strategies.
func rowsOf(a alloc.Approach, paper []printed) []Row {
	var rows []Row
	known := map[string]bool{}
	for _, p := range paper {
		known[p.strategy] = true
		rows = append(rows, Row{Name: p.strategy, Title: p.title, Paper: p.figures})
	}
	for _, s := range alloc.Strategies(a) {
		if !known[s.Name] {
			rows = append(rows, Row{Name: s.Name, Paper: make([]string, len(models.List(models.Tables)))})
		}
	}
	return rows
}

func paperRecords(network string) ([]lifetime.Record, error) {
	v, err := paperView(network)
	if err != nil {
		return nil, err
	}
	return v.Records(), nil
}

func paperView(network string) (*rules.View, error) {
	data, err := models.Build(network, models.Options{})
	if err != nil {
		return nil, err
	}
	m, err := tflite.Parse(data, network)
	if err != nil {
		return nil, err
	}
	return rules.Paper().View(m, 0)
}

func figure(ctx context.Context, a alloc.Approach, name string, records []lifetime.Record) (int64, error) {
	switch {
	case name == RowBound && a == alloc.Shared:
		return lifetime.SharedBound(records), nil
	case name == RowBound:
		return lifetime.MaxBreadth(records), nil
	}
	plan, err := alloc.Solve(ctx, records, alloc.Options{Approach: a, Strategy: name})
	if err != nil {
		return 0, err
	}
	return plan.Total, nil
}
