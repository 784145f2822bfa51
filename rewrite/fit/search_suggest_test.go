package fit

import (
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// TestFitSuggestsSharing: where nothing is gained, it is tried whether outputs that take over
// inputs would gain something.
func TestFitSuggestsSharing(t *testing.T) {
	m, err := tflite.Open(filepath.Join(corpus.Dir(t), "found", "dscnn.int8.tflite"))
	if err != nil {
		t.Fatal(err)
	}
	r := run(t, t.Context(), m, goal())
	if s := r.Sharing; len(r.Rungs) != 1 || s == nil || s.Head >= r.head() {
		t.Fatalf("%d steps, %+v", len(r.Rungs), s)
	}
	g := goal()
	g.Alias = r.Sharing.Alias
	if with := run(t, t.Context(), m, g); with.head() > r.Sharing.Head || with.Sharing != nil {
		t.Errorf("head %d, %d was found before", with.head(), r.Sharing.Head)
	}
}

// TestFitSaysWhatWouldDo: where a budget of the head is not met, the report has a rung that meets
// it in a larger arena, which a budget of that arena leads to, and the explanation has the
// takeovers and the least head, of which asking for them leads to what they say.
func TestFitSaysWhatWouldDo(t *testing.T) {
	long(t)
	m := wide(t, 9)
	g := goal()
	g.HeadBudget = 25_804
	r := run(t, t.Context(), m, g)
	if r.Met || r.Larger == nil || r.Sharing != nil {
		t.Fatalf("met %t, larger %+v, sharing %+v", r.Met, r.Larger, r.Sharing)
	}
	own := &r.Rungs[0]
	if r.Larger.Head > g.HeadBudget || r.Larger.Required <= own.Required {
		t.Errorf("own %+v, larger %+v", own, shown(r.Larger))
	}
	allowed := g
	allowed.Budget = r.Larger.Required
	if r := run(t, t.Context(), m, allowed); !r.Met || r.Larger != nil {
		t.Errorf("within %d: met %t, %+v", allowed.Budget, r.Met, r.Larger)
	}
	s, err := Explain(t.Context(), m, g, r)
	if err != nil || s.Head != r.head()-g.HeadBudget || s.Required != 0 || s.Bottleneck == nil || len(s.Bottleneck.Reasons) == 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if len(s.Ways) != 3 || s.Ways[0].Alias != rules.DiagonalAlias || s.Ways[1].Alias != rules.SafeAlias || !s.Ways[2].Least {
		t.Fatalf("ways %+v", s.Ways)
	}
	for _, w := range s.Ways {
		asked := g
		if asked.Alias = w.Alias; w.Least {
			asked = goal()
		}
		if r := run(t, t.Context(), m, asked); !w.Tried || !w.Met || r.head() != w.Best.Head || r.head() > g.HeadBudget {
			t.Errorf("--alias %q, least %t: %+v, head %d", w.Alias, w.Least, shown(&w.Best), r.head())
		}
	}
}
