package firmware

import (
	"context"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// A plan that fixes every tensor is used by the runtime unchanged.
func TestOn(t *testing.T) {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "blazeface")
	if err != nil {
		t.Fatal(err)
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	// The second request is empty, and so is that of an operator that there is not.
	scratch := []rules.Request{{Operator: 3, Bytes: 100}, {Operator: 4}, {Operator: 1 << 20, Bytes: 8}, {Operator: 5, Bytes: 1}}
	p := &Plan{View: v, Scratch: scratch, Records: v.WithScratch(scratch)}
	plan, err := alloc.Solve(context.Background(), p.Records, alloc.Options{Approach: alloc.Offsets, Strategy: "greedy-by-size"})
	if err != nil {
		t.Fatal(err)
	}
	p.Offsets = plan.Offsets
	device := rules.DefaultDevice()
	f, err := p.On(device)
	if err != nil {
		t.Fatal(err)
	}
	n := len(v.Records())
	if f.Tensors != n || !slices.Equal(f.Requests, []int{n, -1, -1, n + 1}) {
		t.Errorf("%d tensors of %d, requests %v", f.Tensors, n, f.Requests)
	}
	if f.Head != plan.Total || f.Required <= f.Head || f.Subgraphs != 1 || len(f.Metadata) != len(m.Subgraphs[0].Tensors) || f.Target != device.ABI.Title {
		t.Errorf("%+v, of a plan of %d bytes", f, plan.Total)
	}
}

func TestAlignment(t *testing.T) {
	for offsets, want := range map[int64]int64{1: 16, 4: 16, 16: 16, 24: 16, 48: 16, 64: 64, 96: 32, 4096: 4096} {
		if got := arenaAlignment(offsets); got != want {
			t.Errorf("offsets that are multiples of %d: the arena at a multiple of %d, want %d", offsets, got, want)
		}
	}
}
