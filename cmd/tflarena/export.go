package main

import (
	"context"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

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
		if slices.Contains(cFormats, s.Format) && !j.micro() {
			return usagef("-o %s=%s: this format is for models as TensorFlow Lite Micro sees them (--runtime tflm)", s.Format, s.Path)
		}
	}
	return nil
}

// export writes the plan as C. scratch says which scratch it counts.
func (l *layout) export(format string, target rules.Target, scratch string) ([]byte, error) {
	tensors, buffers := l.placed()
	p := &cheader.Plan{
		Input: l.title, Tensors: tensors, Scratch: buffers, Total: l.Total,
		Metadata: pin.Fixed(l.view, l.Offsets), Subgraphs: len(l.view.Model.Subgraphs),
		Notes: []string{scratch}, Expected: len(rules.ReferenceScratch(l.view.Model, target)),
		Alignment: arenaAlignment(l.view.Rules.Align), Target: target.Title,
	}
	if l.aliasing != nil {
		p.Notes = append(p.Notes, l.aliasing.note())
	}
	if format == "bufferplan" {
		data, err := p.BufferPlan()
		return data, named(l.title, err)
	}
	outcome, err := pin.Follow(context.Background(), l.view.Model, p.Metadata, l.job.scratch)
	if err != nil {
		return nil, named(l.title, err)
	}
	p.Head, p.Arena = outcome.Head, outcome.Arena(target).Smallest
	return p.Header(), nil
}

// leastAlignment is what TensorFlow Lite Micro aligns an arena to, in bytes.
const leastAlignment = 16

// arenaAlignment returns what the address of an arena has to be a multiple of, for offsets
// that are multiples of so many bytes to be as aligned in memory. Addresses are aligned to
// powers of two alone.
func arenaAlignment(offsets int64) int64 { return max(offsets&-offsets, leastAlignment) }
