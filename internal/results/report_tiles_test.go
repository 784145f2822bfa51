package results

import (
	"errors"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// A page of a tiled model has a rectangle for each byte and half step in use, the load that follows
// from these, and the whole tensors at the same steps.
func TestTilingReport(t *testing.T) {
	data, err := models.Build("blazeface-int8", models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "m")
	if err != nil {
		t.Fatal(err)
	}
	const onChip = 64 << 10
	found, err := tiling.Solve(t.Context(), m, 0, tiling.Options{OnChip: onChip, Align: 1, Cascade: 4}, alloc.Options{Approach: alloc.Offsets})
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewTilingReport("m", m, 0, onChip, found)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Graphs) != 2 || len(r.Plans) != 2 || r.Plans[0].Head != found.Whole.Total || r.Plans[1].Head != found.Plan.Total {
		t.Fatalf("%d graphs and plans %+v", len(r.Graphs), r.Plans)
	}
	whole, tiled := r.Graphs[0], r.Graphs[1]
	if whole.Tiled || !tiled.Tiled || len(tiled.Operators) != found.LastStep+1 {
		t.Errorf("%d steps, %d wanted", len(tiled.Operators), found.LastStep+1)
	}
	checkLoad(t, tiled)
	most := 0
	for i, p := range r.Plans {
		if len(p.Offsets) != len(r.Graphs[i].Tensors) {
			t.Errorf("plan %s has %d offsets", p.Name, len(p.Offsets))
		}
	}
	for k, start := range whole.StartSteps {
		if int(start) < most || len(whole.StartSteps) != len(whole.Operators)+1 {
			t.Fatalf("position %d begins at step %g", k, start)
		}
		most = int(start)
	}
	if most != found.LastStep+1 {
		t.Errorf("the last position ends at step %d", most)
	}
	for k, run := range found.Runs {
		if got := whole.StartSteps[run.First+1]; got != float64(run.FirstStep) {
			t.Errorf("run %d begins at step %g", k, got)
		}
	}
}

// checkLoad counts bytes and tensors at each half step one by one.
func checkLoad(t *testing.T, g ReportGraph) {
	t.Helper()
	for k, o := range g.Operators {
		var bytes int64
		alive := 0
		for half := 2 * k; half <= 2*k+1; half++ {
			var sum int64
			tensors := 0
			for _, x := range g.Tensors {
				some := 0
				for _, l := range x.Lives {
					if l.FirstHalfStep <= half && half <= l.LastHalfStep {
						sum, some = sum+l.SizeBytes, 1
					}
				}
				tensors += some
			}
			bytes, alive = max(bytes, sum), max(alive, tensors)
		}
		if o.BreadthBytes != bytes || o.Alive != alive {
			t.Fatalf("step %d has %d bytes of %d tensors in use, %d of %d wanted", k, o.BreadthBytes, o.Alive, bytes, alive)
		}
	}
}

// A page is refused where a browser could not show it.
func TestTilesReportRefuses(t *testing.T) {
	p := tiles.Problem{Tensors: []lifetime.Tiled{{Size: 1, Accesses: []lifetime.Access{{Step: pageSteps, Write: true, Hi: 1}}}}}
	_, err := NewTilesReport("p", p, &alloc.Plan{Offsets: []int64{0}})
	if e := (*PageError)(nil); !errors.As(err, &e) || e.Of != "steps" {
		t.Errorf("%v", err)
	}
	p.Tensors = []lifetime.Tiled{{Size: pageRectangles + 1}, {Size: pageRectangles}}
	for i := range p.Tensors {
		for k := int64(0); k < p.Tensors[i].Size; k++ {
			p.Tensors[i].Accesses = append(p.Tensors[i].Accesses, lifetime.Access{Step: int(k) % pageSteps, Write: true, Lo: k, Hi: k + 1})
		}
	}
	_, err = NewTilesReport("p", p, &alloc.Plan{Offsets: []int64{0, 0}})
	if e := (*PageError)(nil); !errors.As(err, &e) || e.Of != "rectangles" {
		t.Errorf("%v", err)
	}
}
