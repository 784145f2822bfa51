package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
)

// textures is the --approach for shared objects with a shape.
const textures = "textures"

// planTextures plans the rows of a CSV problem that have a width and a height.
func (p *program) planTextures(c *cli.Context) error {
	if err := textureFlags(c); err != nil {
		return err
	}
	in, err := p.invocation(c, p.outputs([]string{jsonFormat}, inputs(c)))
	if err != nil {
		return err
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	r, err := p.texturePlan(ctx, c, in.specs)
	if err != nil {
		return in.failed(err)
	}
	return p.emit(in.specs, func(string) ([]byte, error) { return p.document(c.Command.Name, []any{r}) }, func() string { return r.Text(in.style) })
}

func textureFlags(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("plan: --approach %s takes one CSV problem, not %d inputs", textures, c.NArg())
	}
	for _, flag := range []string{"align", "capacity", "solution", "waves", "seed"} {
		if c.IsSet(flag) {
			return usagef("%s is not for --approach %s: leave it out", dashed(flag), textures)
		}
	}
	return chosen("--strategy", c.String("strategy"), texture.Strategies())
}

func (p *program) texturePlan(ctx context.Context, c *cli.Context, specs []output.Spec) (*results.Plan, error) {
	j, err := p.job(ctx, c, specs)
	if err != nil {
		return nil, err
	}
	p.warn(j.title, j.warnings)
	if j.problem == nil || j.problem.Shapes == nil {
		return nil, usagef("--approach %s: %s has no shapes: name a CSV problem with the columns width, height and perhaps depth", textures, j.title)
	}
	records := make([]texture.Record, len(j.records))
	for i, r := range j.records {
		if r.Pinned || len(r.Gaps) > 0 {
			return nil, named(j.title, invalidError{fmt.Errorf("record %d (%s) is pinned or has gaps, and a texture can have neither an offset nor gaps", i, r.ID)})
		}
		records[i] = texture.Record{ID: r.ID, First: r.First, Last: r.Last, Shape: j.problem.Shapes[i]}
	}
	plan, err := texture.Solve(ctx, records, c.String("strategy"))
	if errors.Is(err, texture.ErrShape) {
		err = invalidError{err}
	}
	if err != nil {
		return nil, named(j.title, err)
	}
	return results.NewTexturePlan(j.title, j.records, plan, j.problem.ElementBytes, alloc.Approach(textures)), nil
}
