package pin

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Bound returns a lower bound, in bytes, of the heads of all plans that [Choose] searches for with some
// scratch and a level of in-place outputs.
func Bound(v *rules.View, scratch []rules.Request, alias rules.Alias) int64 {
	best := newChooser(v, scratch, alias, nil).bound()
	for _, way := range inplace.TakeoverSets(v.Records(), v.Takeovers(alias)) {
		best = min(best, newChooser(v, scratch, alias, way).bound())
	}
	return best
}
