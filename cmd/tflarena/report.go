package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/page"
	"github.com/tflarena/tflarena/internal/results"
)

// htmlFormat is the format of the page among outputs.
const htmlFormat = "html"

var reportFormats = []string{htmlFormat, jsonFormat}

const reportDescription = `Writes a page that shows the memory of one or several models in a browser: a map of what lies where and when, the load over time with its bound, all operators and tensors, and the whole arena part by part. The page is one file. It needs no network and no server, and it makes no request: open it, or send it to somebody.

For each model, the page has the plan that the runtime makes for the file as it is, the plans that rewrite and rewrite --reorder make, and a plan by each strategy. You can compare any two of them. With --arena or --head, the page also has the plan that fit makes within that budget.

A directory stands for the .tflite files below it. If there are several models, the page begins with an overview. It also names each model that cannot be read, and the exit code says that there was one. If no model can be read, no page is written.

-o json=PATH writes the data of the page.

Examples:
  tflarena report model.tflite -o report.html
  tflarena report models/ -o report.html
  tflarena report model.tflite --arena 128K -o report.html
  tflarena report model.tflite --alias diagonal -o report.html`

func (p *program) reportCommand() *cli.Command {
	flags := append([]cli.Flag{
		&cli.StringFlag{Name: "arena", Category: groupBudget, Usage: "also fit the model into an arena of `SIZE`"},
		&cli.StringFlag{Name: "head", Category: groupBudget, Usage: "also fit the model into a head of `SIZE`"},
	}, runtimeFlags()...)
	flags = append(flags, aliasFlag(), limitFlag("report"),
		&cli.StringFlag{
			Name: "scratch", Value: scratchReference, Category: groupRules,
			Usage: "count kernel scratch: `WHICH` is reference (default), none",
		})
	flags = append(flags, deviceFlags()...)
	flags = append(flags, jsonFlag(), outputFlag("write the page to `PATH`; also json=PATH"), bytesFlag(), colorFlag(), quietFlag())
	return &cli.Command{
		Name: "report", ArgsUsage: "MODEL...",
		Usage:       "a page that shows models' memory in a browser",
		UsageText:   "tflarena report [flags] MODEL... -o report.html",
		Description: reportDescription,
		Flags:       flags,
		Action:      p.report,
	}
}

func (p *program) report(c *cli.Context) error {
	ask, err := p.reportAsked(c)
	if err != nil {
		return err
	}
	files, err := expand(c.Args().Slice(), ".tflite")
	if err != nil {
		return err
	}
	in, err := p.invocation(c, p.outputs(reportFormats, append(files[:len(files):len(files)], inputs(c)...)))
	if err != nil {
		return err
	}
	if len(in.specs) == 0 {
		return usagef("report: no output given: name the page with -o report.html")
	}
	ctx, cancel := limited(c.Context, c, 0)
	defer cancel()
	found, err := each(p, c, files, func(file string) (*results.Report, error) { return p.reportOne(ctx, c, ask, file) })
	if err != nil {
		return err
	}
	return p.emit(found.outputs(in.specs), func(format string) ([]byte, error) {
		if format == jsonFormat {
			return p.document(in.command, found.elements)
		}
		return p.page(found.elements, reportTitle(found.done))
	}, func() string { return results.ReportsText(found.done, in.style) })
}

// reportTitle is the title of the page.
func reportTitle(list []*results.Report) string {
	if len(list) == 1 {
		return list[0].Input
	}
	return fmt.Sprintf("%d models", len(list))
}

// page returns the page of reports, in the document of "report" whatever the command.
func (p *program) page(elements []any, title string) ([]byte, error) {
	data, err := p.document("report", elements)
	if err != nil {
		return nil, err
	}
	return page.HTML(title+" - tflarena report", data)
}
