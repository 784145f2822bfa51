package fit

import (
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
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
// it in a larger arena, which a budget of that arena leads to, and what outputs that take over
// inputs come to, which asking for them leads to.
func TestFitSaysWhatWouldDo(t *testing.T) {
	long(t)
	m := wide(t, 9)
	g := goal()
	g.Head = 25_804
	r := run(t, t.Context(), m, g)
	if r.Met || r.Larger == nil || r.Sharing == nil {
		t.Fatalf("met %t, larger %+v, sharing %+v", r.Met, r.Larger, r.Sharing)
	}
	own := &r.Rungs[0]
	if r.Larger.Head > g.Head || r.Larger.Smallest <= own.Smallest || r.Sharing.Alias != rules.SafeAlias || !r.Sharing.Met || r.Sharing.Head > g.Head {
		t.Errorf("own %+v, larger %+v, sharing %+v", own, shown(r.Larger), r.Sharing)
	}
	allowed := g
	allowed.Arena = r.Larger.Smallest
	if r := run(t, t.Context(), m, allowed); !r.Met || r.Larger != nil {
		t.Errorf("within %d: met %t, %+v", allowed.Arena, r.Met, r.Larger)
	}
	allowed = g
	allowed.Alias = r.Sharing.Alias
	if r := run(t, t.Context(), m, allowed); !r.Met || r.Sharing != nil {
		t.Errorf("with %s: met %t, %+v", allowed.Alias, r.Met, r.Sharing)
	}
}
