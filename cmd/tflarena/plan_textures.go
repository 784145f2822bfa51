package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/results"
)

// textures is the --approach for shared objects with a shape.
const textures alloc.Approach = "textures"

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
	records := make([]texture.Record, len(j.Records))
	for i, r := range j.Records {
		if r.Pinned || len(r.Gaps) > 0 {
			return nil, named(j.Title, invalidError{fmt.Errorf("record %d (%s) is pinned or has gaps, and a texture can have neither an offset nor gaps", i, r.ID)})
		}
		records[i] = texture.Record{ID: r.ID, First: r.First, Last: r.Last, Shape: j.Rows.Shapes[i]}
	}
	plan, err := texture.Solve(ctx, records, f.Strategy)
	if errors.Is(err, texture.ErrShape) {
		err = invalidError{err}
	}
	if err != nil {
		return nil, named(j.Title, err)
	}
	return results.NewTexturePlan(j.Title, j.Records, plan, j.Rows.ElementBytes, textures), nil
}
