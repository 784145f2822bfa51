package main

import (
	"context"
	"sync"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

var analyzeFormats = append(append(withPictures("json", "csv", "markdown"), firmware.Names()...), firmware.Folder, probeFormat)

const analyzeDescription = `Prints the required arena of the model, what fills it, and how small it can be: with the best plan, with the best order of the operators, and tiled. next is the command with the largest gain. Below are the lower bound of all plans, the operator at the peak, and the tensors that are alive there. The time of one run is an estimate from published measurements of the target, or from your own: --calibrate names a CSV file with the columns model, milliseconds and, for the time of all operators of one kind, operator, such as CONV_2D.

A directory stands for the .tflite files below it. If there are several models, each gets one line: required, used, head, the smallest arena with a plan or another order, and what to do.

-o svg=PATH, png= and pdf= draw a memory map as the runtime plans it, around an embedded plan if there is one. --map draws it in the terminal, and --ascii draws it as TensorFlow Lite Micro prints its plans: a line for each operator, with addresses from left to right.

For firmware, -o firmware=DIR writes a library that sets up and runs the model, for CMake, ESP-IDF, PlatformIO and Arduino. -o cc=PATH writes only the model as an aligned C array with the required arena, and -o resolver=PATH only a tflite::MicroMutableOpResolver with the operators of the model.

If the release of CMSIS-NN or ESP-NN in your firmware is not known to --kernels, -o probe=DIR writes a C program that asks your copy of the library for the sizes of this model, and compile.sh, the line that compiles it on your computer. The program prints the CSV file that --scratch reads.

Examples:
  tflarena analyze model.tflite
  tflarena analyze --runtime litert --json model.tflite
  tflarena analyze --top 0 --wide model.tflite -o markdown=report.md
  tflarena analyze model.tflite --target esp32-s3 -o firmware=DIR
  tflarena analyze model.tflite --kernels esp-nn-s3@1.5.0 -o probe=DIR
  tflarena analyze model.tflite -o map.svg --map
  cat model.tflite | tflarena analyze -`

func (p *program) analyzeCommand() *cli.Command {
	flags := append(append(runtimeFlags(), shapeFlag(), limitFlag("analyze")), append(scratchFlags(), timeFlag())...)
	flags = append(flags, outputFlags(analyzeFormats, topFlag(10), allFlag(), sortFlag(), detailsFlag(),
		&cli.BoolFlag{Name: "ops", Category: groupOutput, Usage: "list all operators, regardless of --top"},
		&cli.BoolFlag{Name: "json-lines", Category: groupOutput, Usage: "print one line of JSON for each model once it is done"})...)
	flags = append(flags, mapFlags()...)
	return &cli.Command{
		Name: "analyze", Aliases: []string{"analyse"}, ArgsUsage: "MODEL...",
		Usage:       "show what fills the arena of a model, and how small it can be",
		UsageText:   "tflarena analyze [flags] MODEL...",
		Description: analyzeDescription,
		Flags:       flags,
		Action:      p.analyze,
	}
}

// analyzeFlags are the options of "analyze".
type analyzeFlags struct {
	runtimeChoice
	files []string
	// targets are the targets of the files.
	targets map[string]target
	// probed is the kernel library of a probe, or "".
	probed string
	sort   string
	// maps are the flags that request a text map.
	maps []string
	// lines means that each result is a line of JSON.
	lines bool
}

func (p *program) analyzeFlags(c *cli.Context) (f *analyzeFlags, in *invocation, err error) {
	if !c.Args().Present() {
		return nil, nil, usagef("analyze: no model given: name a .tflite file, - for standard input, or %sNAME", builtinPrefix)
	}
	p.sayAssumed(c)
	f = &analyzeFlags{sort: c.String("sort"), maps: asked(c, "map", "ascii")}
	if f.probed, err = p.probes(c); err != nil {
		return nil, nil, err
	}
	if f.runtimeChoice, err = p.ownRuntimeOf(c); err != nil {
		return nil, nil, err
	}
	if err := p.oneShape(c); err != nil {
		return nil, nil, err
	}
	if f.files, err = expand(c.Args().Slice(), ".tflite"); err != nil {
		return nil, nil, err
	}
	if f.targets, err = p.targetOfEach(c, f.files); err != nil {
		return nil, nil, err
	}
	f.runtimeChoice = *f.choice(f.files[0])
	if in, err = p.invocation(c, p.outputs(analyzeFormats, f.files...)); err != nil {
		return nil, nil, err
	}
	if f.lines = c.Bool("json-lines"); f.lines {
		if p.format != "" || len(f.maps) > 0 {
			return nil, nil, usagef("--json-lines prints to standard output, and so do --json, --csv, -o FORMAT=- and maps: use one of them")
		}
		p.format = jsonFormat
	}
	in.style.AllOperators = c.Bool("ops")
	p.brief = len(f.files) > 1 && !in.style.Details
	if err := f.deployable(in.specs, f.files); err != nil {
		return nil, nil, err
	}
	if len(f.files) == 1 {
		if err := in.checkFolder(&f.target, f.files[0]); err != nil {
			return nil, nil, err
		}
	}
	if err := onePictured(in.specs, f.files); err != nil {
		return nil, nil, err
	}
	if len(f.maps) > 0 && len(f.files) != 1 {
		return nil, nil, usagef("%s shows one model, and %d are given", f.maps[0], len(f.files))
	}
	return f, in, nil
}

func (p *program) analyze(c *cli.Context) error {
	f, in, err := p.analyzeFlags(c)
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	found, err := each(p, f.files, func(file string) (*results.Analysis, error) {
		a, err := p.analyzeOne(ctx, f, file)
		if f.lines {
			if wrong := p.printLine(in.command, file, a, err); wrong != nil {
				return nil, wrong
			}
		}
		return a, err
	})
	if err != nil {
		return err
	}
	list := found.done
	results.SortAnalyses(list, f.sort)
	if len(list) > 0 {
		p.sayLacking(in.specs, p.model)
		if in.specs, err = in.folderOutputs(probeFormat, probeFiles...); err != nil {
			return err
		}
		if err := in.firmwareFolder(&f.target, p.model); err != nil {
			return err
		}
	}
	program := sync.OnceValues(func() (*firmware.Program, error) {
		arena, err := f.arena(p.ctx, p.model)
		return f.firmware(p.model, arena.Stated().Required), err
	})
	return p.emit(found.outputs(in.specs), func(format string) ([]byte, error) {
		switch {
		case slices.Contains(probeFiles, format):
			return f.probe(format, p.model), nil
		case render.IsFormat(format):
			return rendered(format, list[0].Picture())
		case format == "csv":
			return results.AnalysesCSV(list)
		case format == "markdown":
			return []byte(results.AnalysesText(list, in.style.AsMarkdown())), nil
		case format == jsonFormat:
			return p.document(in.command, found.elements)
		}
		return deployed(format, program)
	}, func() string {
		text := results.AnalysesText(list, in.style)
		if len(list) == 1 {
			text += p.drawMap(f.maps, list[0].Layout, in.style)
		}
		return text
	})
}

func (p *program) analyzeOne(ctx context.Context, f *analyzeFlags, file string) (*results.Analysis, error) {
	m, err := p.loadModel(file)
	if err != nil {
		return nil, err
	}
	if m, err = p.reshaped(m); err != nil {
		return nil, err
	}
	p.model = m
	defer raiseGCTarget(m)()
	on := f.choice(file)
	ctx, cancel := p.limit.perInput(ctx)
	defer cancel()
	s, err := on.unmodified(p.ctx, m)
	if err != nil {
		return nil, err
	}
	a, err := s.Analyze(ctx, app.AnalyzeOptions{Solve: p.solver(m.Name), SearchTime: p.limit.search(), Shapes: p.shapeNotes()})
	if err != nil {
		return nil, named(m.Name, err)
	}
	if f.rules.IsMicro() && on.anyKernels() && len(f.files) == 1 {
		a.OtherKernels = s.OtherKernels(ctx, budget.Limits{}, rules.KernelLibraries())
	}
	if a.Time, err = on.time(p, m, on.subgraph, 0); err != nil {
		return nil, err
	}
	if f.rules.IsMicro() {
		a.Board = on.board
		a.BudgetBytes = (*int64)(p.project.file.For(file, on.board.Name).Arena)
		a.Decide()
	}
	if a.Order != nil && a.Order.Problem != "" {
		a.Order.Problem += "; rewrite --toposort"
	}
	if p.shapes == nil {
		a.Next = on.next(file, s, a)
	}
	on.addRemedies(s.Marker(), a.Notes, a.Warnings)
	p.warn(m.Name, results.WithoutFaults(a.Warnings))
	p.noteTime(m.Name, a.Interrupted)
	return a, nil
}

// choice returns the choice of the runtime for one of the files.
func (f *analyzeFlags) choice(file string) *runtimeChoice {
	r := f.runtimeChoice
	if r.target = f.targets[file]; r.rules.IsMicro() {
		r.rules = r.rules.On(r.device)
	}
	return &r
}
