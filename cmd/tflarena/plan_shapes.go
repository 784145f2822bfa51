package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
)

// planShapes plans a model with several shapes, one after the other: an arena for the largest plan
// suffices for all of them.
func (p *program) planShapes(c *cli.Context, buckets []map[string][]int32) error {
	o, capacity, err := p.planOptions(c)
	if err != nil {
		return err
	}
	switch {
	case capacity >= 0:
		return usagef("plan: --capacity is for one plan, and there are %d shapes: give one shape", len(buckets))
	case c.Args().First() == stdinPath:
		return usagef("plan: standard input can be read once, and there are %d shapes: name a file", len(buckets))
	case c.IsSet("solution") || c.Bool("waves"):
		return usagef("plan: --solution and --waves are for one plan, and there are %d shapes: give one shape", len(buckets))
	}
	in, err := p.invocation(c, p.outputs([]string{jsonFormat}, inputs(c)))
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	var list []*results.Plan
	var elements []any
	for k, shapes := range buckets {
		p.shapes = shapes
		j, err := p.job(ctx, c, in.specs)
		if err != nil {
			return in.failed(err)
		}
		if k == 0 {
			p.warn(j.title, j.warnings)
		}
		plan, _, err := p.planOf(ctx, c, j, o, -1)
		if err != nil {
			return in.failed(err)
		}
		p.noteTime(j.title, plan.Interrupted)
		l, err := j.layout(plan)
		if err != nil {
			return err
		}
		r := l.result()
		r.InputShapes = inputShapes(shapes)
		list, elements = append(list, r), append(elements, r)
	}
	return p.emit(in.specs, func(string) ([]byte, error) { return p.document(c.Command.Name, elements) }, func() string {
		return results.ShapesText(in.style, list)
	})
}
