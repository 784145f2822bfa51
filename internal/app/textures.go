package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/results"
)

// Textures is the approach for shared objects with a shape.
const Textures alloc.Approach = "textures"

// PlanTextures plans the rows of a CSV problem that have a width and a height. It returns the errors of
// [texture.Solve]; about the rows, they are an [*InputError].
func (j *Problem) PlanTextures(ctx context.Context, strategy string) (*results.Plan, error) {
	records := make([]texture.Record, len(j.Records))
	for i, r := range j.Records {
		if r.Pinned || len(r.Gaps) > 0 {
			return nil, &InputError{fmt.Errorf("record %d (%s) is pinned or has gaps, and a texture can have neither an offset nor gaps", i, r.ID)}
		}
		records[i] = texture.Record{ID: r.ID, First: r.First, Last: r.Last, Shape: j.Rows.Shapes[i]}
	}
	plan, err := texture.Solve(ctx, records, strategy)
	if errors.Is(err, texture.ErrShape) {
		err = &InputError{err}
	}
	if err != nil {
		return nil, err
	}
	return results.NewTexturePlan(j.Title, j.Records, plan, j.Rows.ElementBytes, Textures), nil
}
