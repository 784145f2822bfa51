package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/deploy"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

var analyzeFormats = append([]string{"json", "csv", "markdown"}, deploy.Names()...)

const analyzeDescription = `Prints the arena that the model needs as it is, head and tail, and what it could
be: with the best plan, in the best order of the operators, and cut into pieces,
as an estimate; and the command that does it. Then the lower bound that no plan
can go below, the operator at which most memory is in use, and what is alive there.

A directory stands for the .tflite files below it. Of several models each has one
line: the arena, the head, the least arena that a plan or another order reaches,
and what to do.

For firmware, -o resolver=PATH writes the tflite::MicroMutableOpResolver with the
operators of the model and no others, and -o cc=PATH the model as an aligned array
of C with its length and the smallest arena.

Examples:
  tflarena analyze model.tflite
  tflarena analyze --runtime litert --json model.tflite
  tflarena analyze --top 0 --wide model.tflite -o markdown=report.md
  tflarena analyze model.tflite -o resolver=ops.h -o cc=model.cc
  cat model.tflite | tflarena analyze -`

func (p *program) analyzeCommand() *cli.Command {
	flags := append(append(runtimeFlags(), shapeFlag(), limitFlag(oneSecond)), scratchFlags(scratchReference)...)
	flags = append(flags, outputFlags(analyzeFormats, topFlag(10), allFlag(), sortFlag(), detailsFlag(),
		&cli.BoolFlag{Name: "ops", Category: groupOutput, Usage: "list every operator, whatever --top says"})...)
	return &cli.Command{
		Name: "analyze", Aliases: []string{"analyse"}, ArgsUsage: "MODEL...",
		Usage:       "the arena of a model, the best plan for it, and what fills it",
		UsageText:   "tflarena analyze [flags] MODEL...",
		Description: analyzeDescription,
		Flags:       flags,
		Action:      p.analyze,
	}
}

// describeRuntimes lists for help what each rule set includes.
func describeRuntimes() string {
	var b strings.Builder
	for _, name := range rules.Names() {
		r, err := rules.Lookup(name)
		if err != nil {
			continue // Names and Lookup read one table
		}
		fmt.Fprintf(&b, "  %-7s %s\n", name, filled(r.Title+", "+r.Source, 10))
		for _, line := range r.Includes() {
			fmt.Fprintf(&b, "          - %s\n", filled(line, 12))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (p *program) analyze(c *cli.Context) error {
	if !c.Args().Present() {
		return usagef("analyze: no model given: name a .tflite file, - for standard input, or %sNAME", builtinPrefix)
	}
	p.sayAssumed(c)
	r, err := ruleSet(c)
	if err == nil {
		err = scratchForMicro(c, r)
	}
	if err == nil {
		err = p.oneShape(c)
	}
	if err == nil && p.shapes != nil && r.IsMicro() {
		err = usagef("--shape: TensorFlow Lite Micro gives inputs no other shapes than the file has: use --runtime litert or paper")
	}
	if err != nil {
		return err
	}
	style, err := p.style(c)
	if err != nil {
		return err
	}
	style.AllOperators = c.Bool("ops")
	files, err := expand(c.Args().Slice(), ".tflite")
	if err != nil {
		return err
	}
	specs, err := p.outputs(c, analyzeFormats, append(files[:len(files):len(files)], inputs(c)...))
	if err != nil {
		return err
	}
	if err := deployable(c, specs, files, r); err != nil {
		return err
	}
	found, err := p.analyzeAll(c, r, files)
	if err != nil {
		return err
	}
	list := found.done
	results.SortAnalyses(list, c.String("sort"))
	if len(list) > 0 {
		p.sayLacking(c, specs, p.model)
	}
	return p.emit(found.outputs(specs), func(format string) ([]byte, error) {
		switch {
		case slices.Contains(deploy.Names(), format):
			arena, err := arenaOf(c, p.model)
			if err != nil {
				return nil, err
			}
			return deployed(c, format, p.model, arena.Smallest)
		case format == "csv":
			return results.AnalysesCSV(list)
		case format == "markdown":
			return []byte(results.AnalysesText(list, style.AsMarkdown())), nil
		}
		return p.document(c.Command.Name, found.elements)
	}, func() string { return results.AnalysesText(list, style) })
}

// analyzeAll analyses files.
func (p *program) analyzeAll(c *cli.Context, r rules.Rules, files []string) (*batch[*results.Analysis], error) {
	ctx, cancel, err := limited(c)
	if err != nil {
		return nil, err
	}
	defer cancel()
	return each(p, c, files, func(file string) (*results.Analysis, error) { return p.analyzeOne(ctx, c, r, file) })
}

// complain reports an error that costs the exit code but does not end the run.
func (p *program) complain(err error) {
	fmt.Fprintf(p.stderr, "%s: %s\n", name, tables.Printable(err.Error()))
	p.code = max(p.code, exitCode(err))
}
