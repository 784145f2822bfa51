package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
)

// textures is the --approach for shared objects with a shape.
const textures = app.Textures

// textureFlags rejects flags of other plans.
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

// planTextures plans the rows of a CSV problem that have a width and a height.
func (p *program) planTextures(ctx context.Context, f *planFlags, in *invocation) error {
	r, err := p.texturePlan(ctx, f, in)
	if err != nil {
		return in.failed(err)
	}
	return p.emit(in.specs, func(string) ([]byte, error) { return p.document(in.command, []any{r}) }, func() string { return r.Text(in.style) })
}

func (p *program) texturePlan(ctx context.Context, f *planFlags, in *invocation) (*results.Plan, error) {
	j, _, err := p.problem(ctx, f, in.file, in.specs)
	if err != nil {
		return nil, err
	}
	p.warn(j.Title, j.Warnings)
	if j.Rows == nil || j.Rows.Shapes == nil {
		return nil, usagef("--approach %s: %s has no shapes: name a CSV problem with the columns width, height and perhaps depth", textures, j.Title)
	}
	r, err := j.PlanTextures(ctx, f.Strategy)
	return r, named(j.Title, err)
}
