package shrink

import (
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

// TestFitsCalls: models whose operators call subgraphs and keep variables are tiled between these
// operators. The files are valid, compute the same from run to run in both runtimes, and have the heads
// that the report states.
func TestFitsCalls(t *testing.T) {
	long(t)
	oracle.Require(t)
	const networks = 12
	tiled, smaller := make([]int, networks), make([]int, networks)
	oracle.Each(t, networks, func(t *testing.T, runtimes *oracle.Runtimes, seed int) {
		m, err := tflite.Parse(network.Calling(uint64(seed), 2), fmt.Sprint("calling ", seed))
		if err != nil {
			t.Fatal(err)
		}
		g := goal()
		g.Device, g.LeastHead, g.Alias = oracle.Device(t), true, rules.Aliases()[seed%len(rules.Aliases())]
		r, err := Fit(t.Context(), m, g)
		if err != nil {
			t.Fatal(err)
		}
		own := map[string]oracle.Answer{}
		for i := range r.Rungs {
			rung := &r.Rungs[i]
			if rung.Data == nil {
				rung.Data = m.Data
			}
			out, err := tflite.Parse(rung.Data, m.Name)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := verify.Plan(out); err != nil || !v.OK() {
				t.Errorf("%s, %s: %v %v", m.Name, rung.Name, v, err)
			}
			for _, runtime := range []string{"tflm", "litert"} {
				a := runtimes.Run(t, oracle.Request{Runtime: runtime, Model: sample.Written(t, rung.Data), Arena: 1 << 20, Inputs: 1, Outputs: 1, Seed: 1, Invokes: 3})
				if i == 0 {
					own[runtime] = a
				}
				sample.SameRun(t, fmt.Sprintf("%s with %s, %s in %s", m.Name, g.Alias, rung.Name, runtime), own[runtime], a)
				if a.Error != "" || runtime == "tflm" && a.Head != rung.Head {
					t.Errorf("%s with %s, %s: head %d, reported %d %s", m.Name, g.Alias, rung.Name, a.Head, rung.Head, a.Error)
				}
			}
			if len(rung.Stages) > 0 {
				tiled[seed] = 1
				if rung.Head < r.Rungs[0].Head {
					smaller[seed] = 1
				}
			}
		}
	})
	count := func(list []int) (n int) {
		for _, k := range list {
			n += k
		}
		return n
	}
	if count(tiled) < 5 || count(smaller) < 5 {
		t.Errorf("of %d models, %d are tiled and %d smaller for it: too few to tell", networks, count(tiled), count(smaller))
	}
}
