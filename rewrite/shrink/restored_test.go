package shrink

import (
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
)

// TestFitRestored: a fitted model is fitted again as the original is.
func TestFitRestored(t *testing.T) {
	long(t)
	tiled := 0
	for k, m := range subjects(t) {
		for _, bounded := range []bool{false, true} {
			g := goal()
			g.Alias = rules.Aliases()[k]
			if bounded {
				g.Budget = ownOf(t, m).Required * 7 / 10
			}
			once := run(t, t.Context(), m, g)
			best := once.Steps[once.Best]
			if best.Data == nil {
				continue
			}
			if len(best.Stages) > 0 {
				tiled++
			}
			twice := run(t, t.Context(), modelfile.Parse(t, best.Data), g)
			if again := twice.Steps[twice.Best]; again.Required != best.Required || twice.Steps[0].ExtraMACs != best.ExtraMACs || twice.OwnMACs != once.OwnMACs || twice.NotCut != "" {
				t.Errorf("%s %+v: an arena of %d B, again %d B; as it is, %d extra multiply-accumulates, not %d: %s", m.Name, g, best.Required, again.Required, twice.Steps[0].ExtraMACs, best.ExtraMACs, twice.NotCut)
			}
			if bounded {
				continue
			}
			// Without the original, the tiles of the safest level would limit what another finds.
			g.Alias = rules.NoAlias
			plain := run(t, t.Context(), m, g)
			if data := plain.Steps[plain.Best].Data; data != nil {
				g.Alias = rules.Aliases()[k]
				if again := run(t, t.Context(), modelfile.Parse(t, data), g); again.Steps[again.Best].Required > best.Required {
					t.Errorf("%s %+v: an arena of %d B, and %d B after another search", m.Name, g, best.Required, again.Steps[again.Best].Required)
				}
			}
		}
	}
	if tiled < 3 {
		t.Errorf("only %d models were tiled", tiled)
	}
}

// TestFitUnrestored: a model whose tiles cannot be undone keeps them, and the report says why.
func TestFitUnrestored(t *testing.T) {
	m := wide(t, 3)
	g := goal()
	g.HeadBudget = ownOf(t, m).Head * 6 / 10
	r := run(t, t.Context(), m, g)
	fitted := modelfile.Parse(t, r.Steps[r.Best].Data)
	e := edit.Edit{Tensors: []edit.Tensor{{Name: "another tool's", Shape: []int32{1}, Like: 0}}}
	for i := range fitted.Subgraphs[0].Operators {
		e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	result, err := edit.Apply(fitted, e, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := len(fitted.Subgraphs[0].Tensors)
	g.HeadBudget = 1
	r = run(t, t.Context(), modelfile.Parse(t, result.Data), g)
	if want := fmt.Sprintf("its original operators cannot be restored: tensor 0:%d comes after the tiles, but is none", n); r.NotCut != want || r.Steps[0].ExtraMACs != 0 {
		t.Errorf("%q, want %q, %+v", r.NotCut, want, shown(&r.Steps[0]))
	}
}
