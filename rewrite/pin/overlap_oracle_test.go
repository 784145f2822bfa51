package pin_test

import (
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
	operators "github.com/tflarena/tflarena/tflite/op"
)

// TestOverlapsOfModels runs every corpus model that takes no minutes with as many overlaps as there
// can be at once, each as close as is said to be right: the outputs are bit-identical.
func TestOverlapsOfModels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take a while")
	}
	const heavy = 1e8 // multiply-accumulates
	files := corpus.Accepted(t)
	var models, overlaps atomic.Int64
	oracle.Each(t, len(files), func(t *testing.T, runtimes *oracle.Runtimes, i int) {
		m, err := tflite.Open(files[i].Path)
		if err != nil {
			t.Fatal(err)
		}
		v := sample.Micro(t, m)
		plan, joined := trailing(v)
		if joined == 0 || leftOut(files[i]) || operators.RunMACs(m, 0) > heavy {
			return
		}
		request := oracle.Request{Model: files[i].Path, Arena: arena, Seed: 1, Invokes: 3, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs)}
		before := run(t, runtimes, request, "tflm")
		if before.Error != "" || unsteady(t, runtimes, request, before) {
			return
		}
		if request.Model = embed(t, m, &pin.Choice{Offsets: pin.Fixed(v, plan)}); request.Model == "" {
			return
		}
		after := run(t, runtimes, request, "tflm")
		if d := cmp.Diff(before.Outputs, after.Outputs); d != "" || after.Error != "" {
			t.Errorf("%s: with %d overlaps %s; outputs differ (-before +after):\n%s", files[i].Name, joined, after.Error, d)
		}
		models.Add(1)
		overlaps.Add(int64(joined))
	})
	t.Logf("%d models with %d overlaps", models.Load(), overlaps.Load())
	if models.Load() < 35 || overlaps.Load() < 400 {
		t.Errorf("only %d models with %d overlaps", models.Load(), overlaps.Load())
	}
}

// trailing returns a plan in which chains of tensors, each of which overlaps the one before it, have
// memory of their own, and how many tensors overlap another one.
func trailing(v *rules.View) (plan []int64, joined int) {
	records := v.Records()
	to, from := map[int]lifetime.Overlap{}, map[int]bool{}
	for _, o := range v.Overlaps(rules.DiagonalAlias) {
		if _, taken := to[o.From]; !taken && !from[o.To] {
			to[o.From], from[o.To] = o, true
		}
	}
	plan = make([]int64, len(records))
	end := int64(0)
	for i := range records {
		if from[i] {
			continue
		}
		chain, low := []int{i}, int64(0)
		for o, ok := to[i]; ok; o, ok = to[o.To] {
			plan[o.To] = plan[o.From] - ceil16(o.Distance)
			chain, low = append(chain, o.To), min(low, plan[o.To])
		}
		start := end
		for _, k := range chain {
			plan[k] += start - low
			end = max(end, plan[k]+records[k].Size)
		}
		joined += len(chain) - 1
	}
	return plan, joined
}

// ceil16 rounds up to a multiple of 16.
func ceil16(n int64) int64 { return -(-n >> 4 << 4) }
