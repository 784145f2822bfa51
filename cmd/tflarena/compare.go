package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/benchmarks"
	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
)

var compareFormats = withPictures("json", "csv", "markdown")

const compareDescription = `Runs every strategy of both approaches on every input, and shows the totals with the lower bounds. A directory stands for the .tflite and .csv files below it. An input that cannot be planned is skipped with a line on standard error, and sets the exit code. --time-limit ends searches; their rows show the best plan so far, or "not finished". Strategies without search always finish on inputs of up to 2,000 tensors. As in 'plan', the head of a model counts kernel scratch; --scratch none compares plans of the tensors alone.

Without files, compare recomputes the tables of Pisarchyk and Lee 2020 on the built-in networks, and shows the paper's figures beside ours.

-o svg=PATH, png= and pdf= draw a chart for each input and approach, with a bar for each strategy.

Examples:
  tflarena compare
  tflarena compare a.tflite b.tflite -o svg=charts.svg
  tflarena compare --runtime litert --csv models/ > totals.csv`

func (p *program) compareCommand() *cli.Command {
	return &cli.Command{
		Name: "compare", ArgsUsage: "[MODEL|DIR|PROBLEM.csv]...",
		Usage:       "compare all strategies on models and CSV problems",
		UsageText:   "tflarena compare [flags] [MODEL|DIR|PROBLEM.csv]...",
		Description: compareDescription,
		Flags:       append(append(append(runtimeFlags(), shapeFlag(), limitFlag("compare")), scratchFlags()...), outputFlags(compareFormats)...),
		Action:      p.compare,
	}
}

// comparison is the text and CSV of both forms of the command.
type comparison interface {
	Text(results.Style) string
	CSV() ([]byte, error)
	Picture() *drawing.Page
	Charts() int
}

// compareFlags are the options of "compare".
type compareFlags struct {
	runtimeChoice
	// files are the inputs; none for the papers' tables.
	files []string
	// again are the flags that give the same problem.
	again []string
}

func (p *program) compareFlags(c *cli.Context) (f *compareFlags, in *invocation, err error) {
	f = &compareFlags{again: again(c, timeLimitFlag)}
	if f.runtimeChoice, err = p.runtimeOf(c); err != nil {
		return nil, nil, err
	}
	if err := p.oneShape(c); err != nil {
		return nil, nil, err
	}
	if f.files, err = expand(c.Args().Slice(), ".tflite", ".csv"); err != nil {
		return nil, nil, err
	}
	if flag := firstSet(c, namesOf(append(runtimeFlags(), scratchFlags()...))...); flag != "" && len(f.files) == 0 {
		return nil, nil, usagef("%s is for files, and the papers' tables follow the papers: name a file, or leave it out", flag)
	}
	in, err = p.invocation(c, p.outputs(compareFormats, f.files...))
	return f, in, err
}

func (p *program) compare(c *cli.Context) error {
	f, in, err := p.compareFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	var result comparison
	var elements []any
	var tables []results.PaperTable
	if len(f.files) == 0 {
		tables, err = paperTables(ctx)
		result = &results.PaperTables{Tables: tables}
	} else {
		result, elements, err = p.compareFiles(ctx, f)
	}
	if err != nil {
		return err
	}
	if err := fewCharts(in.specs, result.Charts()); err != nil {
		return err
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		switch {
		case render.IsFormat(format):
			return rendered(format, result.Picture())
		case format == "csv":
			return result.CSV()
		case format == "markdown":
			return []byte(result.Text(in.style.AsMarkdown())), nil
		}
		d := p.newDocument(in.command, p.code == exitOK, elements)
		d.Tables = tables
		return p.json(d)
	}, func() string { return result.Text(in.style) })
}

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
func (p *program) compareFiles(ctx context.Context, f *compareFlags) (*results.Comparison, []any, error) {
	out := &results.Comparison{TensorsAlone: f.scratch == rules.NoScratch}
	found, err := eachOr(p, f.files, "skipped: ", func(file string) ([]results.Contest, error) { return p.contests(ctx, f, file) })
	var elements []any
	for _, e := range found.elements {
		contests, ok := e.([]results.Contest)
		if !ok {
			elements = append(elements, e)
		}
		for _, contest := range contests {
			elements, out.Results = append(elements, contest), append(out.Results, contest)
		}
	}
	return out, elements, err
}

// contests runs every strategy of both approaches on one input.
func (p *program) contests(ctx context.Context, f *compareFlags, file string) ([]results.Contest, error) {
	j, cases, err := p.read(file, &f.runtimeChoice)
	if err == nil && cases != nil {
		err = named(j.Title, errTiles)
	}
	if err == nil {
		err = f.addScratch(p.ctx, j)
	}
	if err != nil {
		return nil, err
	}
	ctx, cancel := p.limit.perInput(ctx)
	defer cancel()
	list, warnings, err := j.Compare(p.ctx, ctx, alloc.Options{SearchTime: p.limit.search()}, p.solver(j.Title))
	for _, c := range list {
		if names := c.Unfinished(); len(names) > 0 && p.ctx.Err() == nil {
			p.say(j.Title, "note", fmt.Sprintf("--time-limit %s was reached: %d of %d strategies for %s did not finish: %s", p.limit.ending(), len(names), len(c.Strategies), c.Approach, spelling.List(names, "and")))
		}
	}
	for i, c := range list {
		if !c.ProvenOptimal {
			list[i].Next = nextToProve(file, c.Approach, f.again)
		}
	}
	p.warn(j.Title, warnings)
	if err != nil && inputOf(err) == "" {
		err = named(j.Title, p.solveError(nil, err))
	}
	return list, err
}
