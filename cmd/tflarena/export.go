package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/cheader"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// cFormats are the formats that only TensorFlow Lite Micro reads.
var cFormats = []string{"header", "bufferplan"}

// scratchForC counts the scratch of the reference kernels, unless --scratch says
// otherwise, where the plan is written as C: what is compiled into a program has to be
// right without another look.
func scratchForC(c *cli.Context, specs []output.Spec) error {
	if c.IsSet("scratch") || !slices.ContainsFunc(specs, func(s output.Spec) bool { return slices.Contains(cFormats, s.Format) }) {
		return nil
	}
	return c.Set("scratch", scratchReference)
}

// checkExports refuses C for what TensorFlow Lite Micro does not run.
func (j *job) checkExports(specs []output.Spec) error {
	for _, s := range specs {
		if slices.Contains(cFormats, s.Format) && j.runtime != "tflm" {
			return usagef("-o %s=%s: this format is for models as TensorFlow Lite Micro sees them (--runtime tflm)", s.Format, s.Path)
		}
	}
	return nil
}

// export writes the plan as C.
func (j *job) export(format string, plan *alloc.Plan, target rules.Target, scratch string) ([]byte, error) {
	if plan.Approach == alloc.Shared {
		var err error
		if plan, err = plan.ToOffsets(j.records); err != nil {
			return nil, err
		}
	}
	p := &cheader.Plan{
		Input: j.title, Records: j.records, Offsets: plan.Offsets, Total: plan.Total,
		Tensors: len(j.view.Records()), Requests: j.scratch,
		Metadata: pin.Fixed(j.view, plan.Offsets), Subgraphs: len(j.view.Model.Subgraphs),
		Scratch: strings.ToUpper(scratch[:1]) + scratch[1:], Expected: len(rules.ReferenceScratch(j.view.Model, target)),
		Alignment: j.view.Rules.Align, Target: target.Title,
	}
	if len(j.records) > 0 { // --align may ask for more
		p.Alignment = max(p.Alignment, j.records[0].Align)
	}
	if format == "bufferplan" {
		data, err := p.BufferPlan()
		return data, named(j.title, err)
	}
	outcome, err := pin.Follow(context.Background(), j.view.Model, p.Metadata, j.scratch)
	if err != nil {
		return nil, named(j.title, err)
	}
	p.Head, p.Arena = outcome.Head, outcome.Arena(target).Smallest
	return p.Header(), nil
}
