package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
)

var verifyFormats = []string{"json"}

const verifyDescription = `Checks the memory plan embedded in the model (metadata OfflineMemoryAllocation). From the file alone, verify derives when each tensor is alive, and its size. TensorFlow Lite Micro follows a plan unchecked, so a wrong one makes it overwrite tensors or read outside its buffer.

Tensors of one custom operator may share memory: compilers for NPUs make such plans on purpose. Kernel scratch is not in the file; the runtime places it around the plan. The head counts the scratch of the kernels that the file names, or else of the reference kernels, unless --kernels or --scratch says otherwise.

The verdict is about the plan alone: faults of the model, which 'tflarena check' judges, are warnings.

A plan may be right with some kernels only. The file then says so in the metadata tflarena_plan, and verify names the kernels. With --kernels, verify judges the plan for those kernels, and it is a failure if the file names others.

A tensor is alive from one position to another, both inclusive. Positions count what the runtime does, step by step: position 0 is the start, where the inputs are filled, and each operator that runs is one more, also in the subgraphs that operators call.

The exit code is 4 when a plan breaks a law. The laws:
  buffer, length, count  the runtime can read the plan and accepts it
  entries                there is one plan
  marker                 what the file says of its kernels is readable and true
  tiled blocks           a record of tiled blocks describes the model (a note)
  rules                  a record of rules is readable, and its rules are exact
                         with the kernels
  offset, alignment      an offset is -1, or a multiple of 16 from 0 on
  size, range            a tensor with an offset has a size, and ends below 2^31
  overlap                tensors alive at the same time share no byte
  variable               nothing is ever placed over a variable
  variable entry         a variable of a later subgraph is placed once

Examples:
  tflarena verify model.tflite
  tflarena verify --require-plan --json *.tflite`

func (p *program) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", ArgsUsage: "MODEL...",
		Usage:       "check the memory plan embedded in a model",
		UsageText:   "tflarena verify [flags] MODEL...",
		Description: verifyDescription,
		Flags: append(scratchFlags(), outputFlags(verifyFormats, topFlag(10), allFlag(),
			&cli.BoolFlag{Name: "require-plan", Category: groupBudget, Usage: "fail for a model without a plan"})...),
		Action: p.verify,
	}
}

// verifyFlags are the options of "verify".
type verifyFlags struct {
	files []string
	// targets are the targets of the files.
	targets map[string]target
	// required reports that a model without a plan fails.
	required bool
}

func (p *program) verifyFlags(c *cli.Context) (f *verifyFlags, in *invocation, err error) {
	if !c.Args().Present() {
		return nil, nil, usagef("verify: no model given: name a .tflite file, or - for standard input")
	}
	f = &verifyFlags{required: c.Bool("require-plan")}
	if f.files, err = expand(c.Args().Slice(), ".tflite"); err != nil {
		return nil, nil, err
	}
	if in, err = p.invocation(c, p.outputs(verifyFormats, f.files...)); err != nil {
		return nil, nil, err
	}
	if f.targets, err = p.targetOfEach(c, f.files); err != nil {
		return nil, nil, err
	}
	return f, in, nil
}

func (p *program) verify(c *cli.Context) error {
	f, in, err := p.verifyFlags(c)
	if err != nil {
		return err
	}
	found, err := each(p, f.files, func(file string) (*results.Verification, error) { return p.verifyOne(f, f.targets[file], file) })
	if err != nil {
		return err
	}
	for _, v := range found.done {
		if !v.OK {
			p.code = max(p.code, exitCheck)
		}
	}
	return p.emit(found.outputs(in.specs), func(string) ([]byte, error) {
		return p.document(in.command, found.elements)
	}, func() string { return results.VerificationsText(found.done, in.style) })
}

func (p *program) verifyOne(f *verifyFlags, t target, file string) (*results.Verification, error) {
	m, err := p.loadModel(file)
	if err != nil {
		return nil, err
	}
	d, err := t.on(p.ctx, m)
	if err != nil {
		return nil, err
	}
	v, err := app.Verify(p.ctx, m, t.kernels, func(marker *rewrite.Marker) (rules.Device, error) { return t.onMarked(d, marker) })
	if err != nil && p.ctx.Err() != nil {
		return nil, interruptedError{}
	}
	if err != nil {
		return nil, named(m.Name, err)
	}
	t.addRemedies(v.Marker, v.Warnings)
	if v.Plans == 0 && f.required {
		v.OK = false
		v.Findings = append(v.Findings, results.Finding{
			Law: "entries", Severity: verify.Failure, Path: "metadata", Tensors: []results.Use{},
			Message: fmt.Sprintf("the model carries no memory plan, and --require-plan asks for one: '%s rewrite' embeds one", name),
		})
	}
	p.warn(m.Name, v.Warnings)
	return v, nil
}

// onMarked returns a device with the kernels that a plan's marker names, if the command line names none,
// and with the given scratch.
func (t *target) onMarked(d rules.Device, m *rewrite.Marker) (rules.Device, error) {
	library := t.otherLibrary(m)
	if library == "" {
		return d, nil
	}
	marked, err := t.withKernels(d, library)
	if err == nil && len(t.scratchFlag) > 0 {
		marked = marked.WithScratch(d.ScratchSource(), d.Requests)
	}
	return marked, err
}
