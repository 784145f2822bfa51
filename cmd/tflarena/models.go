package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/models"
)

var listFormats = []string{"json", "csv", "markdown"}

const buildDescription = `Writes a published network as a .tflite file: its operators and shapes, with
weights that are not trained. NAME has floats; NAME-int8 is the same network,
quantised, with weights and activations of eight bits.

  zero      zeros; a runtime that has the operators loads the file
  random    random numbers, always the same for one --seed
  external  none: the file refers to weights that do not exist. It is small and
            can be planned, but not run; TensorFlow Lite Micro's rules would
            count its weights as activations

Examples:
  tflarena models build mobilenet-v2 -o mobilenet_v2.tflite
  tflarena models build posenet --weights random --seed 7 -o posenet.tflite
  tflarena models build resnet50-int8 -o resnet50_int8.tflite
  tflarena models build posenet --weights external -o - | tflarena plan -r paper -`

func (p *program) modelsCommand() *cli.Command {
	return &cli.Command{
		Name:      "models",
		Usage:     "list the built-in networks, or write one as a file or a trace",
		UsageText: "tflarena models list [flags]\ntflarena models build NAME -o FILE [flags]\ntflarena models trace NAME -o FILE [flags]",
		Description: `Examples:
  tflarena models list
  tflarena models build mobilenet-v2 -o mobilenet_v2.tflite
  tflarena models trace alexnet -o alexnet.csv`,
		Action: func(c *cli.Context) error {
			if !c.Args().Present() {
				return usagef("models: say list, build or trace: see '%s models --help'", name)
			}
			return unknownCommand(c.Command.Subcommands, c.Args().First(), name+" models")
		},
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list the built-in networks", UsageText: "tflarena models list [flags]",
				Description: `Examples:
  tflarena models list
  tflarena models list --csv`,
				Flags: outputFlags(listFormats), Action: p.modelsList,
			},
			{
				Name: "build", ArgsUsage: "NAME", Usage: "write a built-in network as a .tflite file",
				UsageText: "tflarena models build NAME -o FILE [flags]", Description: buildDescription,
				Flags: []cli.Flag{
					outputFlag("write to `FILE`; - is standard output"),
					&cli.StringFlag{Name: "weights", Value: string(models.Zero), Category: groupOutput, Usage: "`KIND` of weights: " + marked(weightKinds, string(models.Zero))},
					&cli.Uint64Flag{Name: "seed", Category: groupOutput, Usage: "use random weights of seed `N`"},
					quietFlag(),
				},
				Action: p.modelsBuild,
			},
			p.modelsTraceCommand(),
		},
	}
}

// list writes a table of what is built in, as text with more below it, or the elements as JSON.
func (in *invocation) list(command string, t *tables.Table, elements []any, below string) error {
	return in.p.emit(in.specs, func(format string) ([]byte, error) {
		switch format {
		case "csv":
			return t.CSV()
		case "markdown":
			return []byte(t.Markdown(in.style.Layout)), nil
		}
		return in.p.document(command, elements)
	}, func() string { return t.Text(in.style.Layout) + below })
}

// int8Note follows the list of the networks.
const int8Note = "NAME" + models.Int8 + " is the network quantised, with weights and activations of eight bits."

// traceNote lists the networks with traces after the list of the networks.
func traceNote() string {
	return "'models trace' writes the memory requests of training or inference of " + spelling.List(tracedNames(), "and") + "."
}

// weightKinds are the values of --weights.
var weightKinds = []string{string(models.Zero), string(models.Random), string(models.External)}

func (p *program) modelsList(c *cli.Context) error {
	if c.Args().Present() {
		return noArguments(c, "models list")
	}
	in, err := p.invocation(c, p.outputs(listFormats))
	if err != nil {
		return err
	}
	list := []any{}
	t := &tables.Table{Columns: []tables.Column{
		{Head: "name", Key: "name"}, {Head: "network", Key: "title"}, {Head: "input", Key: "input", Rank: 1}, {Head: "group", Key: "group", Rank: 2}, {Key: "source"},
	}}
	var sources strings.Builder
	sources.WriteString(tables.Wrap(int8Note, in.style.Width, 0, 0) + "\n")
	sources.WriteString(tables.Wrap(traceNote(), in.style.Width, 0, 0) + "\n\n")
	for _, n := range models.List() {
		list = append(list, results.NewNetwork(builtinPrefix+n.Name, builtinPrefix+n.Name+models.Int8, n, slices.Contains(tracedNames(), n.Name)))
		input := strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Input), " ", "x"), "[]")
		t.Add(n.Name, n.Title, input, string(n.Group), n.Source)
		sources.WriteString(tables.Wrap(n.Name+": "+n.Source, in.style.Width, 0, 2) + "\n")
	}
	return in.list("models list", t, list, "\n"+sources.String()+"\n"+in.style.Next(shell.Command("report", builtinPrefix+"blazeface")))
}

// buildFlags are the options of "models build".
type buildFlags struct {
	models.Options
	network, file string
}

func (p *program) buildFlags(c *cli.Context) (f *buildFlags, err error) {
	if c.NArg() != 1 {
		return nil, usagef("models build: name one network: '%s models list' shows them", name)
	}
	file, err := p.onlyOutput(c, "models build", modelFormat)
	if err != nil {
		return nil, err
	}
	f = &buildFlags{network: c.Args().First(), file: file, Options: models.Options{Weights: models.Weights(c.String("weights")), Seed: c.Uint64("seed")}}
	if err := knownNetwork(f.network); err != nil {
		return nil, err
	}
	return f, chosen("--weights", string(f.Weights), weightKinds)
}

// onlyOutput returns the path of the only output of a command, which has one format.
func (p *program) onlyOutput(c *cli.Context, command, format string) (path string, err error) {
	specs, err := output.ParseModel(c.StringSlice("output"), []string{format}, nil, output.AnotherPath)
	switch {
	case err != nil:
		return "", err
	case len(specs) == 0:
		return "", usagef("%s: no output given: name the new file with -o FILE", command)
	case len(specs) > 1:
		return "", usagef("%s: %d outputs given, but one network is written to one file", command, len(specs))
	}
	return specs[0].Path, p.rejectMixedOutputs(c, specs)
}

func (p *program) modelsBuild(c *cli.Context) error {
	f, err := p.buildFlags(c)
	if err != nil {
		return err
	}
	data, err := models.Build(f.network, f.Options)
	if err != nil {
		return &usageError{"models build: " + err.Error()}
	}
	return p.writeNetwork(c, f.file, data, "analyze")
}

// writeNetwork writes a network to a file, and prints the command line that reads it.
func (p *program) writeNetwork(c *cli.Context, file string, data []byte, verb string, flags ...string) error {
	err := p.write([]output.File{{Path: file, Data: data}})
	next := shell.Command(verb, file, flags...)
	if err != nil || next == "" || c.Bool("quiet") {
		return err
	}
	return p.print([]byte(results.Style{}.Next(next)))
}
