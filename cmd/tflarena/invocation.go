package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// An outputReader reads the outputs and their formats from a command line.
type outputReader func(*cli.Context) ([]output.Spec, error)

// An invocation is a command line with the parsed flags that all commands share: the style of results,
// and the outputs.
type invocation struct {
	p     *program
	style results.Style
	specs []output.Spec
	// command is the command's name in JSON, and file the first argument.
	command, file string
	// inputs are the input files: no output may be one.
	inputs []string
}

// invocation reads the flags that all commands share. Outputs reads the outputs, which differ.
func (p *program) invocation(c *cli.Context, outputs outputReader) (*invocation, error) {
	p.quiet = c.Bool("quiet")
	style, err := p.style(c)
	if err != nil {
		return nil, err
	}
	specs, err := outputs(c)
	if err != nil {
		return nil, err
	}
	if p.limit, err = timeLimitOf(c); err != nil {
		return nil, err
	}
	for _, s := range specs {
		if s.Path == output.Stdout {
			p.format = s.Format
		}
	}
	p.askSmallSizes(c)
	return &invocation{p: p, style: style, specs: specs, command: c.Command.Name, file: c.Args().First(), inputs: inputs(c)}, nil
}

// loadModel reads and parses the MODEL of a command that takes one.
func (in *invocation) loadModel() (*tflite.Model, error) {
	m, err := in.p.loadModel(in.file)
	if err != nil {
		return nil, in.failed(err)
	}
	return m, nil
}

// loadOn is [invocation.loadModel] with the device of the model on a target.
func (in *invocation) loadOn(t *target) (*tflite.Model, rules.Device, error) {
	m, err := in.loadModel()
	if err != nil {
		return nil, rules.Device{}, err
	}
	d, err := t.on(in.p.ctx, m)
	if err != nil {
		return nil, rules.Device{}, in.failed(err)
	}
	return m, d, nil
}

// failed is [program.failed] for a command that takes one input.
func (in *invocation) failed(err error) error {
	return in.p.failed(in.specs, in.command, in.file, err)
}
