package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
)

var verifyFormats = []string{"json"}

const verifyDescription = `Derives anew, from the bytes of the file alone, when each tensor is alive and how
large it is, and judges the memory plan that the model carries (metadata
OfflineMemoryAllocation). TensorFlow Lite Micro follows such a plan without a
look at it: a wrong one overwrites tensors or reads beyond its buffer.

Tensors that share memory inside one custom operator are intended aliasing, as
compilers for other processors plan it, and no failure. Kernel scratch is not
in the file; the runtime places it around the plan.

A plan can be right with some kernels alone. The file then says so in metadata
tflarena_plan, and the answer names the kernels.

A tensor is alive from one position to another, both included. Positions count what
the runtime does one after the other: 0 is the start, where the inputs are filled,
and every operator that runs is one more, in the subgraphs that operators call too.

The exit code is 4 when a plan breaks a law. The laws:
  buffer, length, count   the runtime can read the plan and accepts it
  entries                 there is one plan
  marker                  what says with which kernels the plan is right can be read
  offset, alignment       an offset is -1, or a multiple of 16 from 0 on
  size, range             a tensor with an offset has a size, and ends below 2^31
  overlap                 tensors alive at the same time share no byte
  variable                nothing is ever placed over a variable
  variable entry          a variable of a later subgraph is placed once

Examples:
  tflarena verify model.tflite
  tflarena verify --require-plan --json *.tflite`

func (p *program) verifyCommand() *cli.Command {
	return &cli.Command{
		Name: "verify", ArgsUsage: "MODEL...",
		Usage:       "judge the memory plan that a model carries",
		UsageText:   "tflarena verify [flags] MODEL...",
		Description: verifyDescription,
		Flags: outputFlags(verifyFormats, topFlag(10), allFlag(),
			&cli.BoolFlag{Name: "require-plan", Category: groupBudget, Usage: "fail for a model without a plan"}),
		Action: p.verify,
	}
}

func (p *program) verify(c *cli.Context) error {
	if !c.Args().Present() {
		return usagef("verify: no model given: name a .tflite file, or - for standard input")
	}
	files, err := expand(c.Args().Slice(), ".tflite")
	if err != nil {
		return err
	}
	in, err := p.invocation(c, p.outputs(verifyFormats, files))
	if err != nil {
		return err
	}
	found, err := each(p, c, files, func(file string) (*results.Verification, error) { return p.verifyOne(c, file) })
	if err != nil {
		return err
	}
	for _, v := range found.done {
		if !v.OK {
			p.code = max(p.code, exitCheck)
		}
	}
	return p.emit(found.outputs(in.specs), func(string) ([]byte, error) {
		return p.document(c.Command.Name, found.elements)
	}, func() string { return results.VerificationsText(found.done, in.style) })
}

func (p *program) verifyOne(c *cli.Context, file string) (*results.Verification, error) {
	m, err := p.loadModel(c.Context, file)
	if err != nil {
		return nil, err
	}
	found, err := verify.Plan(m)
	if errors.Is(err, lifetime.ErrTooLarge) {
		err = invalidError{err}
	}
	if err != nil {
		return nil, named(m.Name, err)
	}
	e, err := follow(m.Name, m, nil)
	if err != nil {
		return nil, err
	}
	head := int64(-1)
	if e.Problem == nil {
		head = e.Outcome.Head
	}
	plans := 0
	for _, md := range m.Metadata {
		if md.Name == rewrite.PlanName {
			plans++
		}
	}
	v := results.NewVerification(m.Name, found, plans, head)
	if plans == 0 && c.Bool("require-plan") {
		v.OK = false
		v.Findings = append(v.Findings, results.Finding{
			Law: "entries", Severity: string(verify.Failure), Path: "metadata", Tensors: []results.Use{},
			Message: fmt.Sprintf("the model carries no memory plan, and --require-plan asks for one: '%s rewrite' embeds one", name),
		})
	}
	v.Warnings = unusual(m)
	p.warn(c, m.Name, v.Warnings)
	return v, nil
}
