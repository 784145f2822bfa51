package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/tflite"
)

const name = "tflarena"

// program is one run of the command: where it reads and writes, and the exit code
// of what went wrong without ending it.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            terminal.Env
	args           []string
	// assumed says that the command line has no command, and args has the one that is meant.
	assumed bool
	// ctx ends with an interrupt.
	ctx  context.Context
	code int
	// format is what the command line sends to standard output, "" for the text.
	format string
	// model is the one that analyze has read last: standard input cannot be read again.
	model *tflite.Model
	// shapes are those that --shape gives inputs; nil where there are none.
	shapes map[string][]int32
	// mapped are the inputs that are in use while they are on the disk alone.
	mapped []mappedInput
	// pages is standard output for what the library prints.
	pages keeper
}

// description begins the manual page.
const description = `tflarena reads a .tflite model, derives when each of its tensors is alive, and
plans the required arena that holds them. An independent checker has passed
every plan, and a lower bound says how far the plan can be from the best
possible one. When the plan is written into the model, an unmodified TensorFlow
Lite Micro runs the model in less memory.

Examples:
  tflarena analyze model.tflite          what the arena holds, and how small it could be
  tflarena plan model.tflite -o map.svg  one plan, as text and as a picture
  tflarena plan problem.csv -o csv=-     a planning problem as MiniMalloc poses it
  tflarena rewrite a.tflite -o b.tflite  the same model, which runs in less memory
  tflarena verify b.tflite               a verdict on the plan that a model carries
  tflarena diff a.tflite b.tflite        what changed from one to the other
  tflarena check b.tflite --max-arena 128KiB
                                         exit code 4 when it needs more
  tflarena compare                       the tables of Pisarchyk and Lee, computed again
  tflarena analyze builtin:mobilenet-v2  without any file at hand

Everywhere a MODEL may be a file, "-" for standard input, or builtin:NAME.
Flags may stand before or after files.`

func (p *program) app() *cli.App {
	app := &cli.App{
		Name:        name,
		HelpName:    name,
		Usage:       "the smallest memory arena that a TensorFlow Lite model runs in",
		UsageText:   "tflarena COMMAND [flags] FILE...",
		Description: description,
		Version:     results.NewVersion().Version,
		Commands: []*cli.Command{
			p.analyzeCommand(), p.planCommand(), p.compareCommand(), p.rewriteCommand(), p.verifyCommand(), p.fitCommand(), p.streamCommand(), p.checkCommand(), p.diffCommand(), p.replayCommand(), p.reportCommand(), p.serveCommand(), p.modelsCommand(),
			p.helpCommand(), p.versionCommand(), p.completionCommand(), p.manCommand(),
		},
		// The library adds this flag only together with its own command "help".
		Flags:           []cli.Flag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"}},
		Action:          p.noCommand,
		HideHelpCommand: true,
		Writer:          &p.pages,
		ErrWriter:       p.stderr,
		// A path may hold a comma.
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
		OnUsageError:              onUsageError,
		// The library would end the process here.
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for _, c := range app.Commands {
		p.prepare(c)
	}
	return app
}

// prepare sets on a command what the library does not hand down from the app.
func (p *program) prepare(c *cli.Command) {
	c.OnUsageError = onUsageError
	c.HideHelpCommand = true
	if c.BashComplete == nil && len(c.Subcommands) == 0 {
		c.BashComplete = p.complete(c)
	}
	for _, sub := range c.Subcommands {
		p.prepare(sub)
	}
}
