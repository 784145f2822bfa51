package fit

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// TestUnevenTiles: budgets of the head and the arena are met with tiles of different sizes, in a file
// whose plan is right and in which the runtime takes what the report says.
func TestUnevenTiles(t *testing.T) {
	for _, seed := range []uint64{0, 3, 6, 8} {
		m := wide(t, seed)
		g := goal()
		g.Alias = rules.DiagonalAlias
		own := ownOf(t, m)
		g.HeadBudget, g.Budget = own.Head*6/10, own.Required*9/10
		f := newFitter(m, g)
		f.finest, f.uneven = true, true
		if err := f.start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := f.climb(t.Context(), f.plan, f.order, f.cleanUp, f.cutUneven); err != nil {
			t.Fatal(err)
		}
		b, tiles := f.best(), 0
		for _, s := range b.Stages {
			tiles = max(tiles, s.Tiles)
		}
		if !f.done() || tiles < 2 {
			t.Fatalf("seed %d: head %d within %d, arena %d within %d, %d tiles", seed, b.Head, g.HeadBudget, b.Required, g.Budget, tiles)
		}
		out, err := tflite.Parse(b.Data, m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := verify.Plan(out); err != nil || !v.OK() {
			t.Errorf("seed %d: %v %v", seed, v, err)
		}
		if as := ownOf(t, out); as.Head != b.Head || as.Required != b.Required || as.Operators != b.Operators {
			t.Errorf("seed %d: the file takes %+v, the report says %+v", seed, shown(as), shown(b))
		}
	}
}
