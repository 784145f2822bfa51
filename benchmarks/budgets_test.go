package benchmarks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// The machine of budgets.md: multiply-accumulates per second, MiB read per second, and inferences per budget, as in the
// paper's figure 14.
const (
	budgetMACs       = 10e9
	budgetMiB        = 100
	budgetInferences = 32
)

// budgetNetworks are those of budgets.md; the first one is run.
var budgetNetworks = []string{"mobilenet-v2", "squeezenet-1.1", "resnet50"}

// budgetOrder are the indexes of the budgets in the order of the run.
var budgetOrder = []int{2, 0, 3, 1}

const budgetDocument = "budgets.md"

// TestBudgets keeps the table of plans in budgets.md what is computed. With -update, it also runs the first network in LiteRT,
// with budgets that change, and writes the table of the run.
func TestBudgets(t *testing.T) {
	var plans strings.Builder
	plans.WriteString("| network | files | budget, MB | memory, MB | read per run, MB | latency, ms | bound, ms | own folder, ms | cost |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for i, name := range budgetNetworks {
		data, err := models.Build(name, models.Options{Weights: models.Random})
		if err != nil {
			t.Fatal(err)
		}
		list := inBudgets(t, data, name)
		for _, r := range list {
			fmt.Fprintf(&plans, "| %s | %d | %s | %s | %s | %.1f | %.1f | %.1f | %+.1f %% |\n", name, r.Segments, mb(r.BudgetBytes), mb(r.PeakBytes), mb(*r.ReadBytes),
				r.LatencyMS, r.LowerBoundMS, r.OwnLatencyMS, 100*(r.LatencyMS/r.OwnLatencyMS-1))
		}
		if i == 0 && *golden.Update {
			golden.Section(t, budgetDocument, "run", budgetRun(t, data, list))
		}
	}
	golden.Section(t, budgetDocument, "plans", plans.String())
}

// inBudgets plans the segments of a network in four budgets: the least one without slices, the memory of all segments, and two
// between.
func inBudgets(t *testing.T, data []byte, name string) []*app.Streamed {
	t.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	o := app.StreamOptions{Rates: litert.Rates{MACs: budgetMACs, Bytes: budgetMiB << 20}}
	small := (*stream.InfeasibleError)(nil)
	if _, err = litert.PlanSegments(t.Context(), m, o.Rates, 1, false, o.Options); !errors.As(err, &small) {
		t.Fatal(err)
	}
	fine, err := litert.CutSegments(t.Context(), m, o.Rates, []int64{small.Least}, false, o.Options)
	if err != nil {
		t.Fatal(err)
	}
	most := stream.Whole(fine.Network)
	var budgets []int64
	for i := range int64(4) {
		budgets = append(budgets, small.Least+(most-small.Least)*i/3)
	}
	list, err := app.StreamLadder(t.Context(), budgets, o, func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
		return app.StreamSegments(ctx, m, "", false, o)
	})
	if err != nil || len(list) != len(budgets) {
		t.Fatalf("%s: %d plans: %v", name, len(list), err)
	}
	return list
}

// budgetPhase is what the runner of segments prints of one budget.
type budgetPhase struct {
	Taken    int64             `json:"taken_bytes"`
	Read     int64             `json:"change_read_bytes"`
	Change   float64           `json:"change_ms"`
	Latency  []float64         `json:"latency_ms"`
	Computed []float64         `json:"computed_ms"`
	Outputs  map[string]string `json:"outputs"`
}

// budgetRun runs the segments of a network in one budget after another, and returns the table of the run.
func budgetRun(t *testing.T, data []byte, list []*app.Streamed) string {
	t.Helper()
	dir := t.TempDir()
	command, model, folder := filepath.Join(dir, "tflarena"), filepath.Join(dir, "model.tflite"), filepath.Join(dir, "parts")
	if err := os.WriteFile(model, data, 0o600); err != nil {
		t.Fatal(err)
	}
	programOutput(t, "go", "build", "-o", command, "../cmd/tflarena")
	plan := []string{"stream", model, "--macs-per-second", fmt.Sprint(budgetMACs), "--bandwidth", fmt.Sprint(budgetMiB, "MiB"), "--segments", folder}
	for _, r := range list {
		plan = append(plan, "--budget", fmt.Sprint(r.BudgetBytes))
	}
	programOutput(t, command, plan...)
	path := filepath.Join(folder, "manifest.json")
	run := []string{"-m", "tflarena.stream.run", path, "--json", "--runs", fmt.Sprint(budgetInferences), "--bandwidth", fmt.Sprint(budgetMiB, "M")}
	for _, i := range budgetOrder {
		run = append(run, "--budget", fmt.Sprint(list[i].BudgetBytes))
	}
	var manifest results.Manifest
	var got struct{ Budgets []budgetPhase }
	text, err := os.ReadFile(path)
	if err := errors.Join(err, json.Unmarshal(text, &manifest), json.Unmarshal(programOutput(t, oracle.Python(t), run...), &got)); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	load, _ := os.ReadFile("/proc/loadavg")
	average, _, _ := strings.Cut(string(load), " ")
	fmt.Fprintf(&b, "%s on %d processors; load average at the end %s, of which this run is about 1.\n\n", budgetNetworks[0], runtime.NumCPU(), average)
	b.WriteString("| budget, MB | change, ms | read by it, MB | taken, MB | of the budget | latency of loads and CPU, ms | first on the clock, ms | median, ms | outputs |\n|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for k, i := range budgetOrder {
		p := got.Budgets[k]
		same := "equal"
		if fmt.Sprint(p.Outputs) != fmt.Sprint(got.Budgets[0].Outputs) {
			same = "differ"
		}
		first, change := p.Latency[0], "-"
		if k > 0 {
			change = fmt.Sprintf("%.0f", p.Change)
		}
		slices.Sort(p.Latency)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.0f %% | %.1f | %.1f | %.1f | %s |\n", mb(list[i].BudgetBytes), change, mb(p.Read), mb(p.Taken),
			100*float64(p.Taken)/float64(list[i].BudgetBytes), chainOf(&manifest, manifest.Plans[i], p.Computed), first, p.Latency[len(p.Latency)/2], same)
	}
	return b.String()
}

// chainOf returns the latency in milliseconds of segments that compute so long, and load as early and as fast as a plan
// permits.
func chainOf(m *results.Manifest, p results.SegmentsPlan, computed []float64) float64 {
	ends, loaded := make([]float64, len(computed)+1), make([]float64, len(computed)+1)
	loader, next := 0.0, 0
	for i, ms := range computed {
		if next < len(p.Loads) && p.Loads[next].Segment == i+1 {
			loader = math.Max(loader, ends[p.Loads[next].WaitsFor]) + 1000*float64(m.Segments[i].Bytes)/(budgetMiB<<20)
			loaded[i+1] = loader
			next++
		}
		ends[i+1] = math.Max(ends[i], loaded[i+1]) + ms
	}
	return ends[len(computed)]
}

// programOutput runs a program with the Python package of the repository, and returns its standard output.
func programOutput(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	python, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+python, "PYTHONDONTWRITEBYTECODE=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", program, args, err)
	}
	return out
}
