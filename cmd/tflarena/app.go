package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/speed"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/tflite"
)

const name = "tflarena"

// program is one run of the command: its streams, and the exit code of errors that did not end it.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            terminal.Env
	args           []string
	// assumed reports that the command line has no command, so that args has the default one.
	assumed bool
	// ctx ends with an interrupt.
	ctx  context.Context
	code int
	// quiet omits warnings and progress, and limit is the time limit.
	quiet bool
	limit timeLimit
	// brief shows one warning for each of several models.
	brief bool
	// format is the format on standard output, "" for text.
	format string
	// model is the last model that analyze has read: standard input cannot be read twice.
	model *tflite.Model
	// project is the file with settings of models.
	project project
	// shapes are the input shapes of --shape, or nil.
	shapes map[string][]int32
	// mapped are the memory-mapped inputs.
	mapped []mappedInput
	// calibrations are the measurements that were read, by file.
	calibrations map[string]*speed.Rate
	// pages is standard output for text printed by the cli library.
	pages errWriter
}

// description begins the manual page.
const description = `tflarena reads a .tflite model, derives when each of its tensors is alive, and
plans the smallest arena that holds them. An independent checker has passed
every plan, and a lower bound says how far the plan can be from the best
possible one. When the plan is written into the model, an unmodified TensorFlow
Lite Micro runs the model in less memory.

Examples:
  tflarena analyze model.tflite          what the arena holds, and how small it could be
  tflarena plan model.tflite -o map.svg  one plan, as text and as a picture
  tflarena plan problem.csv -o csv=-     a planning problem as MiniMalloc poses it
  tflarena rewrite a.tflite -o b.tflite  the same model, which runs in less memory
  tflarena verify b.tflite               a check of the plan embedded in a model
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
		Usage:       "find the smallest arena of a TFLite model, and make the model use it",
		UsageText:   "tflarena COMMAND [flags] FILE...",
		Description: description,
		Version:     results.NewVersion().Version,
		Commands: []*cli.Command{
			p.analyzeCommand(), p.planCommand(), p.compareCommand(), p.rewriteCommand(), p.verifyCommand(), p.fitCommand(), p.streamCommand(), p.checkCommand(), p.diffCommand(), p.replayCommand(), p.reportCommand(), p.serveCommand(), p.modelsCommand(), p.targetsCommand(),
			p.helpCommand(), p.versionCommand(), p.completionCommand(), p.manCommand(),
		},
		// The library adds this flag only together with its own command "help".
		Flags:           []cli.Flag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"}},
		Action:          p.noCommand,
		HideHelpCommand: true,
		Writer:          &p.pages,
		ErrWriter:       p.stderr,
		// A path may contain a comma.
		DisableSliceFlagSeparator: true,
		EnableBashCompletion:      true,
		OnUsageError:              p.onUsageError,
		// The library would exit here.
		ExitErrHandler: func(*cli.Context, error) {},
	}
	for _, c := range app.Commands {
		p.prepare(c)
	}
	return app
}

// prepare sets the fields of a command that it does not inherit from the app.
func (p *program) prepare(c *cli.Command) {
	c.OnUsageError = p.onUsageError
	c.HideHelpCommand = true
	p.configure(c)
	if c.BashComplete == nil && len(c.Subcommands) == 0 {
		c.BashComplete = p.complete(c)
	}
	for _, sub := range c.Subcommands {
		p.prepare(sub)
	}
}
