package main

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// textures is the --approach for shared objects with a shape.
const textures = app.Textures

// textureFlags reads the shapes of inputs, and rejects flags of other plans.
func textureFlags(c *cli.Context) (shapes []map[string][]int32, err error) {
	if c.NArg() != 1 {
		return nil, usagef("plan: --approach %s takes one model or CSV problem, not %d inputs", textures, c.NArg())
	}
	for _, flag := range []string{"align", "capacity", "solution", cacheFlagName, "waves", "seed", tilesFlagName} {
		if c.IsSet(flag) {
			return nil, usagef("%s is not for --approach %s: leave it out", dashed(flag), textures)
		}
	}
	if err := chosen("--strategy", c.String("strategy"), texture.Strategies()); err != nil {
		return nil, err
	}
	if shapes, err = shapesOf(c); err == nil && len(shapes) > 1 {
		err = usagef("plan: --approach %s is for one plan, and there are %d shapes: give one shape", textures, len(shapes))
	}
	return shapes, err
}

// planTextures plans the tensors of a model, or the rows of a CSV problem that have a width and a height.
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
	switch {
	case j.View == nil && j.Rows.Shapes == nil:
		return nil, usagef("--approach %s: %s has no shapes: add the columns width, height and perhaps depth", textures, j.Title)
	case j.View != nil && j.View.Rules.Name != rules.Paper().Name:
		return nil, usagef("--approach %s: %s has no textures: use --runtime %s, or leave --runtime out", textures, j.View.Rules.Title, rules.Paper().Name)
	}
	r, err := j.PlanTextures(ctx, f.Strategy)
	return r, named(j.Title, err)
}
