package main

import (
	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
)

var analyzeFormats = append(append(withPictures("json", "csv", "markdown"), firmware.Names()...), probeFormat)

const analyzeDescription = `Prints the arena that the model requires as it is, the part of it that is used, and its head and tail. Then it prints how small the arena could be with the best plan, with the best order of the operators, and (as an estimate) with the model computed in pieces. It also prints the command that gets you there. Below that are the lower bound, which no plan can go below, the operator at which most memory is in use, and the tensors that are alive there.

A directory stands for the .tflite files below it. If there are several models, each gets one line: the required arena, what is used, the head, the least arena that a plan or another order reaches, and what to do.

-o svg=PATH, png= and pdf= draw what lies where and when. The picture shows the model as it is: the runtime plans it, and follows the plan that the model carries. --map draws it in the terminal, and --ascii draws it as TensorFlow Lite Micro prints its plans: a line for each operator, with addresses from left to right.

For firmware, -o resolver=PATH writes a tflite::MicroMutableOpResolver with the operators of the model and no others, and -o cc=PATH writes the model as an aligned C array with its length and the required arena.

If the release of CMSIS-NN or ESP-NN in your firmware is not known to --kernels, -o probe=DIR writes a C program that asks your copy of the library for the sizes of this model, and compile.sh, the line that compiles it on your computer. The program prints the CSV file that --scratch reads.

Examples:
  tflarena analyze model.tflite
  tflarena analyze --runtime litert --json model.tflite
  tflarena analyze --top 0 --wide model.tflite -o markdown=report.md
  tflarena analyze model.tflite -o resolver=ops.h -o cc=model.cc
  tflarena analyze model.tflite --kernels esp-nn-s3@1.5.0 -o probe=DIR
  tflarena analyze model.tflite -o map.svg --map
  cat model.tflite | tflarena analyze -`

func (p *program) analyzeCommand() *cli.Command {
	flags := append(append(runtimeFlags(), shapeFlag(), limitFlag("analyze")), scratchFlags(scratchReference)...)
	flags = append(flags, outputFlags(analyzeFormats, topFlag(10), allFlag(), sortFlag(), detailsFlag(),
		&cli.BoolFlag{Name: "ops", Category: groupOutput, Usage: "list every operator, whatever --top says"})...)
	flags = append(flags, mapFlags()...)
	return &cli.Command{
		Name: "analyze", Aliases: []string{"analyse"}, ArgsUsage: "MODEL...",
		Usage:       "the arena of a model, the best plan for it, and what fills it",
		UsageText:   "tflarena analyze [flags] MODEL...",
		Description: analyzeDescription,
		Flags:       flags,
		Action:      p.analyze,
	}
}

func (p *program) analyze(c *cli.Context) error {
	if !c.Args().Present() {
		return usagef("analyze: no model given: name a .tflite file, - for standard input, or %sNAME", builtinPrefix)
	}
	p.sayAssumed(c)
	probed, err := p.probes(c)
	if err != nil {
		return err
	}
	r, err := ruleSet(c)
	if err == nil {
		err = scratchForMicro(c, r)
	}
	if err == nil {
		err = p.oneShape(c)
	}
	if err != nil {
		return err
	}
	files, err := expand(c.Args().Slice(), ".tflite")
	if err != nil {
		return err
	}
	in, err := p.invocation(c, p.outputs(analyzeFormats, append(files[:len(files):len(files)], inputs(c)...)))
	if err != nil {
		return err
	}
	in.style.AllOperators = c.Bool("ops")
	if err := deployable(c, in.specs, files, r); err != nil {
		return err
	}
	if err := onePictured(in.specs, files); err != nil {
		return err
	}
	if err := checkMap(c, files); err != nil {
		return err
	}
	ctx, cancel := limited(c.Context, c, 0)
	defer cancel()
	found, err := each(p, c, files, func(file string) (*results.Analysis, error) { return p.analyzeOne(ctx, c, r, file) })
	if err != nil {
		return err
	}
	list := found.done
	results.SortAnalyses(list, c.String("sort"))
	if len(list) > 0 {
		p.sayLacking(c, in.specs, p.model)
	}
	if len(list) > 0 {
		if in.specs, err = p.folderOutputs(c, in.specs, probeFormat, probeFiles...); err != nil {
			return err
		}
	}
	return p.emit(found.outputs(in.specs), func(format string) ([]byte, error) {
		switch {
		case slices.Contains(probeFiles, format):
			return probe(c, probed, format, p.model)
		case slices.Contains(firmware.Names(), format):
			arena, err := arenaOf(c, p.model)
			if err != nil {
				return nil, err
			}
			return deployed(c, format, p.model, arena.Stated().Required)
		case render.IsFormat(format):
			return rendered(format, list[0].Picture())
		case format == "csv":
			return results.AnalysesCSV(list)
		case format == "markdown":
			return []byte(results.AnalysesText(list, in.style.AsMarkdown())), nil
		}
		return p.document(c.Command.Name, found.elements)
	}, func() string {
		text := results.AnalysesText(list, in.style)
		if len(list) == 1 {
			text += p.drawMap(c, list[0].Layout, in.style)
		}
		return text
	})
}
