package shrink

import "github.com/tflarena/tflarena/lifetime/rules"

// Cost is what a model needs on the target. Sizes are in bytes.
type Cost struct {
	rules.Figures
	// ExtraMACs are the multiply-accumulates beyond those of the model without tiles; Overhead is the
	// same as a fraction of its own.
	ExtraMACs int64
	Overhead  float64
	// Operators is the number of operators, FileBytes the size of the file with its plan.
	Operators int
	FileBytes int64
	// record is the size of the record of tiled blocks in the file.
	record int64
}

// dominates reports whether a cost is at most as large as another in everything that a user may want
// less of, and smaller in something.
func (c *Cost) dominates(d *Cost) bool {
	less := false
	for _, x := range [][2]int64{
		{c.Required, d.Required}, {c.Head, d.Head}, {c.Tail, d.Tail}, {c.ExtraMACs, d.ExtraMACs}, {int64(c.Operators), int64(d.Operators)},
	} {
		if x[0] > x[1] {
			return false
		}
		less = less || x[0] < x[1]
	}
	return less
}
