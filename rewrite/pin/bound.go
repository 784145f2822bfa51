package pin

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Bound returns a lower bound, in bytes, of the heads of all plans that [Choose] searches for with some
// scratch and a level of in-place outputs.
func Bound(v *rules.View, scratch []rules.Request, alias rules.Alias) int64 {
	ways := choosers(v, scratch, alias)
	best := ways[0].bound()
	for _, c := range ways[1:] {
		best = min(best, c.bound())
	}
	return best
}

// choosers returns the ways of sharing memory at a level of in-place outputs, the first one without
// takeovers.
func choosers(v *rules.View, scratch []rules.Request, alias rules.Alias) []*chooser {
	list := []*chooser{newChooser(v, scratch, alias)}
	for _, way := range inplace.TakeoverSets(v.Records(), v.Takeovers(alias)) {
		list = append(list, list[0].with(way))
	}
	return list
}
