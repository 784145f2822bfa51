package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime"
)

// Textures is the approach for shared objects with a shape.
const Textures alloc.Approach = "textures"

// PlanTextures plans the tensors of a model in textures of LiteRT's GPU delegate, or the rows of a CSV
// problem that have a width and a height. It returns the errors of [texture.Solve]; about the input, they are
// an [*InputError].
func (j *Problem) PlanTextures(ctx context.Context, strategy string) (*results.Plan, error) {
	var shapes []texture.Shape
	var element int64 = texture.TexelBytes
	if j.View != nil {
		shapes = j.keepTextures()
	} else {
		shapes, element = j.Rows.Shapes, j.Rows.ElementBytes
	}
	records := make([]texture.Record, len(j.Records))
	for i, r := range j.Records {
		if r.Pinned || len(r.Gaps) > 0 {
			return nil, &InputError{fmt.Errorf("record %d (%s) is pinned or has gaps, and a texture can have neither an offset nor gaps", i, r.ID)}
		}
		records[i] = texture.Record{ID: r.ID, First: r.First, Last: r.Last, Shape: shapes[i]}
	}
	plan, err := texture.Solve(ctx, records, strategy)
	if errors.Is(err, texture.ErrShape) {
		err = &InputError{err}
	}
	if err != nil {
		return nil, err
	}
	var places results.Places
	if j.View != nil {
		places = results.PlacesOf(j.View.Model, j.View.Usage)
	}
	r := results.NewTexturePlan(j.Title, j.Runtime, places, j.Records, plan, element, Textures)
	r.Notes, r.Warnings = append(r.Notes, j.Notes...), append(r.Warnings, j.Warnings...)
	return r, nil
}

// keepTextures returns the textures of a model's tensors. It gives the records the sizes of these, and omits
// those of tensors without one, which a note names.
func (j *Problem) keepTextures() []texture.Shape {
	var shapes []texture.Shape
	var kept []lifetime.Record
	var without []string
	for i, p := range j.View.Usage.Places {
		r := j.Records[i]
		shape, err := texture.Of(j.View.Model.Subgraphs[p.Subgraph].Tensors[p.Tensor].Shape)
		if err != nil {
			without = append(without, fmt.Sprintf("%s (%s)", r.ID, r.Name))
			continue
		}
		r.Size = shape.Elements() * texture.TexelBytes
		shapes, kept = append(shapes, shape), append(kept, r)
	}
	j.Records = kept
	if len(without) > 0 {
		const shown = 8
		names := strings.Join(without[:min(len(without), shown)], ", ")
		if more := len(without) - shown; more > 0 {
			names += fmt.Sprintf(" and %d others", more)
		}
		j.Notes = append(j.Notes, results.Note{Kind: results.NoteNoTexture, Text: "left out, since textures are for tensors of 1 to 4 dimensions: " + names})
	}
	return shapes
}
