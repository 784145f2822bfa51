package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
)

var compareFormats = withPictures("json", "csv", "markdown")

const compareDescription = `Runs every strategy of both approaches on every input, and shows the totals beside the lower bounds. A directory stands for the .tflite and .csv files below it. An input that cannot be planned is skipped with a line on standard error, and the exit code says so at the end. At the time limit, the strategies that have finished are shown. As in 'plan', the head of a model counts kernel scratch; --scratch none compares plans of the tensors alone.

Without files, compare recomputes the tables of Pisarchyk and Lee 2020 on the built-in networks, and shows the paper's figures beside ours.

-o svg=PATH, png= and pdf= draw a chart for each input and approach, with a bar for each strategy.

Examples:
  tflarena compare
  tflarena compare a.tflite b.tflite -o svg=charts.svg
  tflarena compare --runtime litert --csv models/ > totals.csv`

func (p *program) compareCommand() *cli.Command {
	return &cli.Command{
		Name: "compare", ArgsUsage: "[MODEL|DIR|PROBLEM.csv]...",
		Usage:       "every strategy on every model, or the papers' tables",
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

func (p *program) compare(c *cli.Context) error {
	r, err := runtimeOf(c)
	if err == nil {
		err = p.oneShape(c)
	}
	if err != nil {
		return err
	}
	files, err := expand(c.Args().Slice(), ".tflite", ".csv")
	if err != nil {
		return err
	}
	if flag := firstSet(c, append(runtimeFlags(), scratchFlags()...)); flag != "" && len(files) == 0 {
		return usagef("%s is for files, and the papers' tables follow the papers: name a file, or leave it out", flag)
	}
	in, err := p.invocation(c, p.outputs(compareFormats, append(files[:len(files):len(files)], inputs(c)...)))
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	var result comparison
	var elements []any
	var tables []results.PaperTable
	if len(files) == 0 {
		tables, err = paperTables(ctx)
		result = &results.PaperTables{Tables: tables}
	} else {
		result, elements, err = p.compareFiles(ctx, &r, files)
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
		d := results.NewDocument(c.Command.Name, p.code == exitOK, elements)
		d.Tables = tables
		return p.json(d)
	}, func() string { return result.Text(in.style) })
}
