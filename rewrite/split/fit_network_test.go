package split_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/rewrite/verify"
	"github.com/tflarena/tflarena/tflite"
)

var (
	fitted      = flag.Int("fitted", 60, "how many random networks are made to fit and run in the real runtimes")
	firstFitted = flag.Int("fit", 0, "the number of the first of them")
)

// TestFittedNetworks: fitted random networks produce bit-identical outputs in the real runtimes
// with the promised head, which never exceeds the network's.
func TestFittedNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	oracle.Require(t)
	f := &fits{
		trials: &trials{T: t, runtimes: oracle.Start(t), dir: t.TempDir(), refused: map[string]int{}, reasons: map[string]int{}},
		steps:  map[string]int{},
	}
	for i := range *fitted {
		f.try(uint64(*firstFitted + i))
	}
	t.Logf("%d networks in %v, %d runs compared, in %d of them the outputs changed with the inputs", *fitted, f.spent, f.runs, f.changing)
	t.Logf("best steps: %s", listed(f.steps))
	t.Logf("refused as they were: %s", listed(f.reasons))
	if *fitted >= 50 && f.runs < *fitted/2 {
		t.Errorf("%d runs of %d networks only", f.runs, *fitted)
	}
}

// Fits are networks that are made to fit, and what was seen of them: steps counts the
// last steps with what outputs might take over.
type fits struct {
	*trials
	steps map[string]int
	// spent is the time that it took, without the runtimes.
	spent time.Duration
}

func (f *fits) try(seed uint64) {
	f.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	kind := every[[]int{1, 1, 1, 0, 2}[r.IntN(5)]]
	m, err := randomCNN(1<<32+seed, kind)
	if err != nil {
		f.Fatalf("network %d: %v", seed, err)
	}
	goal := drawGoal(f, r, m)
	name := fmt.Sprintf("network %d of %v, head %d, arena %d, overhead %g, alias %s", seed, kind, goal.HeadBudget, goal.Budget, goal.MaxOverhead, goal.Alias)
	began := time.Now()
	report, err := shrink.Fit(context.Background(), m, goal)
	f.spent += time.Since(began)
	if err != nil {
		f.Errorf("%s: %v", name, err)
		return
	}
	best := report.Steps[report.Best]
	f.steps[fmt.Sprintf("%s, --alias %s", best.Name, goal.Alias)]++
	own := report.Steps[0]
	most := own.Used
	switch {
	case goal.HeadBudget+goal.Budget == 0:
		most = math.MaxInt64
	case goal.HeadBudget > 0: // and an arena that may be larger
		most = max(most, goal.Budget)
	}
	if best.Head > own.Head || best.Used > most {
		f.Errorf("%s: head %d and arena %d, were %d and %d", name, best.Head, best.Used, own.Head, own.Used)
	}
	if best.Data == nil {
		return
	}
	f.verify(name, best.Data)
	before, after := f.write(seed, "before", m.Data), f.write(seed, "fitted", best.Data)
	way := ways[0]
	if f.compare(m, name, way, before, after) {
		f.head(m, name, way, after, best.Head)
	}
	f.compare(m, name, ways[1], before, after)
	os.Remove(before)
	os.Remove(after)
}

// drawGoal draws no budget, or one of between too little and more than there is.
func drawGoal(t testing.TB, r *rand.Rand, m *tflite.Model) shrink.Goal {
	t.Helper()
	v := sample.Micro(t, m)
	aliases := append(rules.Aliases(), rules.OverwriteAlias, rules.OverwriteAlias)
	g := shrink.Goal{
		Rounds:      1,
		MaxOverhead: -1, Alias: aliases[r.IntN(len(aliases))], Device: oracle.Device(t),
	}
	breadth := float64(lifetime.MaxBreadth(v.Records()))
	if r.IntN(3) > 0 {
		g.HeadBudget = max(int64(breadth*(0.3+0.75*r.Float64())), 1)
	}
	if r.IntN(6) == 0 {
		g.Budget = int64(breadth * (1 + r.Float64()))
	}
	if r.IntN(6) == 0 {
		g.MaxOverhead = r.Float64() / 4
	}
	return g
}

// verify judges the plan in a file.
func (f *fits) verify(name string, data []byte) {
	f.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		f.Errorf("%s: %v", name, err)
		return
	}
	v, err := verify.Plan(m)
	if err != nil {
		f.Errorf("%s: %v", name, err)
		return
	}
	for _, finding := range v.Findings {
		if finding.Severity == verify.Failure {
			f.Errorf("%s: %+v", name, finding)
		}
	}
}

// head compares the head that TensorFlow Lite Micro reports with the promised one.
func (f *fits) head(m *tflite.Model, name string, way oracle.Request, path string, want int64) {
	f.Helper()
	way.Model, way.Seed, way.Invokes = path, 1, 1
	way.Inputs, way.Outputs = len(m.Subgraphs[0].Inputs), len(m.Subgraphs[0].Outputs)
	if got := f.runtimes.Run(f, way); got.Error == "" && got.Head != want {
		f.Errorf("%s: head %d, the runtime reports %d\n%s", name, want, got.Head, f.keep(path))
	}
}
