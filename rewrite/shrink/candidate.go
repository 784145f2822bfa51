package shrink

import (
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

// Candidate is a model that computes the same as the original. It was built, planned as a whole and
// measured.
type Candidate struct {
	// Name says what was done: "as it is", "no plan" (a broken one is removed), "plan", "order",
	// "clean-up", "separation", "substitution", "tiling" or "in-place".
	Name string
	Cost
	// Alias is the level of in-place outputs that were permitted.
	Alias rules.Alias
	// Stages are the tiled runs of operators.
	Stages []split.Stage
	// Moved and Removed count operators reordered and removed, Takeovers the in-place outputs,
	// and Overlaps the outputs that overlap an input that the kernel still reads.
	Moved, Removed, Takeovers, Overlaps int
	// Rules are the rules that replaced or removed operators before tiling.
	Rules []transform.Applied
	// Data is the file, nil for the unmodified one.
	Data []byte
	// wrong reports that LiteRT computes wrong results, or that the model has faults that the
	// original lacks.
	wrong bool
	// limiting is the index of the tiled run that limits the plan, -1 if none does.
	limiting int
}

// model returns the candidate's model, or own for the unmodified one.
func (c *Candidate) model(own *tflite.Model) (*tflite.Model, error) {
	if c.Data == nil {
		return own, nil
	}
	return tflite.Parse(c.Data, own.Name)
}

// level returns the index of a level of in-place outputs, the safest first.
func level(a rules.Alias) int { return len(a.UpTo()) }
