package fit

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestRoutes: a path that a router finds leads to a file with a plan within the limit, costs no
// less than the shortest path that knows of no places, and nothing where nothing needs to be
// cut; with another price first it is the same.
func TestRoutes(t *testing.T) {
	found := 0
	for _, name := range []string{"mobilenet-v1", "blazeface"} {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			c := chooser(t, network(t, name), alias)
			whole := c.row.plain(0, len(c.row.breadth)).peak
			for _, parts := range []int64{5, 6, 7, 8, 9} {
				limit := roundUp(whole * parts / 8)
				router := newRouter(t.Context(), c.row, c.known, limit, mostLinks)
				price := func(e *edge) float64 { return c.growth(e.cost, 1) }
				p, ok := router.cheapest(price)
				if !ok {
					continue
				}
				found++
				least, sum := router.rest[0], 0.0
				for k := range p.edges {
					sum += price(&p.edges[k])
				}
				if sum < least-1e-9 || parts >= 8 && len(p.stages()) > 0 {
					t.Errorf("%s %s %d: %g for %g, stages %v", name, alias, limit, sum, least, p.stages())
				}
				if b, err := c.take(&p, limit); err != nil || b.rung.Head > limit {
					t.Errorf("%s %s: head %d within %d: %v", name, alias, b.rung.Head, limit, err)
				}
				again := newRouter(t.Context(), c.row, c.known, limit, mostLinks)
				if q, ok := again.cheapest(price); !ok || q.cost != p.cost {
					t.Errorf("%s %s %d: %+v, then %+v", name, alias, limit, p.cost, q.cost)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d paths were found", found)
	}
}

// chooser returns the search for cuts of a model.
func chooser(t *testing.T, m *tflite.Model, alias rules.Alias) *choice {
	t.Helper()
	g := &Goal{Alias: alias, MaxOverhead: -1, Target: rules.DefaultTarget(), Scratch: func(*tflite.Model) []rules.Request { return nil }}
	fit := &fitter{goal: g, report: &Report{OwnMACs: op.RunMACs(m, 0)}, model: m, scale: 1}
	own, err := fit.rung(t.Context(), "as it is", m, nil, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	fit.report.Rungs = []Rung{*own}
	v, err := micro(m)
	if err != nil {
		t.Fatal(err)
	}
	row := newRow(v, alias, nil)
	row.target = g.Target
	edges, _ := row.edges(t.Context(), 0, leastWork, nil)
	return &choice{fitter: fit, ctx: t.Context(), row: row, known: newProspects(edges)}
}
