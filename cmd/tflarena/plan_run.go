package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
)

func (p *program) plan(c *cli.Context) error {
	if c.String("approach") == textures {
		return p.planTextures(c)
	}
	buckets, err := shapesOf(c)
	if err != nil {
		return err
	}
	if len(buckets) > 1 {
		return p.planShapes(c, buckets)
	}
	if len(buckets) == 1 {
		p.shapes = buckets[0]
	}
	o, capacity, err := p.planOptions(c)
	if err != nil {
		return err
	}
	in, err := p.invocation(c, p.outputs(planFormats, inputs(c)))
	if err != nil {
		return err
	}
	if err := checkTiling(c, in.specs); err != nil {
		return err
	}
	if _, err := targetOf(c); err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	if c.Bool(tilesFlagName) {
		return p.planTiling(ctx, c, o, capacity, in)
	}
	j, err := p.job(ctx, c, in.specs)
	if err != nil {
		return in.failed(err)
	}
	if j.cases != nil {
		return p.planTiles(ctx, c, j, o, capacity, in)
	}
	if err := j.checkPage(in.specs); err != nil {
		return err
	}
	j.capacity = capacity
	p.warn(j.title, j.warnings)
	plan, verdict, waves, err := p.anyPlan(ctx, c, j, o, capacity)
	if err != nil {
		return in.failed(err)
	}
	p.noteTime(j.title, plan.Interrupted)
	l, err := j.layout(plan)
	if err != nil {
		return in.failed(err)
	}
	r := l.result()
	if j.micro() {
		r.KernelLibrary = results.NewKernelLibrary(j.device)
	}
	r.Waves, r.InputShapes = waves, inputShapes(p.shapes)
	if capacity >= 0 {
		if r.Judge(capacity); verdict != nil {
			r.Decide(capacity, j.verdict(verdict, capacity))
		}
		p.code = max(p.code, capacityCode(r.Capacity.Verdict))
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if format == jsonFormat {
			return p.document(in.command, []any{r})
		}
		return l.render(format)
	}, func() string { return r.Text(in.style) })
}

// planOf returns the plan of a strategy or of an external solver. With a capacity, searching strategies
// look for a plan within it, and there is a verdict.
func (p *program) planOf(ctx context.Context, c *cli.Context, j *job, o alloc.Options, capacity int64) (*alloc.Plan, *alloc.Verdict, error) {
	if c.IsSet("solution") {
		plan, err := p.readSolution(c, j, o.Approach)
		return plan, nil, err
	}
	if searches := o.Strategy == alloc.Auto || o.Strategy == alloc.Exact; capacity >= 0 && searches && o.Approach == alloc.Offsets {
		verdict, err := p.decide(ctx, c, j, o, capacity)
		if looked := j.choice.InsteadWithin(capacity, verdict, err, o.Strategy); looked != nil {
			return looked, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if looked := j.choice.Instead(verdict.Plan, nil, o.Strategy); looked != nil {
			verdict.Plan = looked
		}
		return verdict.Plan, verdict, nil
	}
	plan, err := p.solve(ctx, j.title, j.planned(), j.permit(o))
	if looked := j.choice.Instead(plan, err, o.Strategy); looked != nil {
		return looked, nil, nil
	}
	return plan, nil, err
}

func capacityCode(verdict results.Verdict) int {
	switch verdict {
	case results.Infeasible:
		return exitCheck
	case results.Open:
		return exitNoAnswer
	}
	return exitOK
}
