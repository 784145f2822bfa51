package benchmarks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/problem"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
)

// Limits of one run. Rivals are held to CPU time, and our own command to the clock,
// which on a busy machine gives it less.
const (
	fitLimit   = 10 * time.Second // what "plan --capacity" takes by default
	leastLimit = 20 * time.Second
	posed      = 1 << 20 // the capacity that MiniMalloc's problems are posed with, in bytes
)

// A finding is what one process made of one problem.
type finding struct {
	Rival   string  `json:"rival"`
	Total   int64   `json:"total"` // bytes; 0 without a plan
	Bound   int64   `json:"bound"` // bytes; what it has shown to be needed
	Proven  bool    `json:"proven"`
	Stopped bool    `json:"stopped"`
	Offsets []int64 `json:"offsets"`
	// Planning is the CPU time of the planning alone, as a rival says, and CPU that of
	// the process, both user and system, in seconds.
	Planning float64 `json:"cpu_seconds"`
	CPU      float64 `json:"-"`
}

// A posing is one problem and what everybody found.
type posing struct {
	title, path string
	records     []lifetime.Record
	ours        finding
	rivals      []finding
}

// TestRivals runs rivals and our own command side by side, one process at a time, and
// checks every plan. With -update it writes rivals.md, else it prints it. It takes about
// ten minutes where nothing else runs.
func TestRivals(t *testing.T) {
	python := os.Getenv("TFLARENA_RIVALS")
	if python == "" {
		t.Skip("left out: TFLARENA_RIVALS names no Python with benchmarks/rivals/requirements.txt installed")
	}
	dir := corpus.Dir(t)
	command := filepath.Join(t.TempDir(), "tflarena")
	if out, err := exec.Command("go", "build", "-o", command, "../cmd/tflarena").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	hard, networks := posings(t, dir, "dsa-benchmarks", "minimalloc", "[A-K].*.csv"), posings(t, dir, "models", "paper_records", "*.csv")
	least := append(append([]*posing{}, hard...), networks...)
	for _, p := range least {
		p.ours = ours(t, command, p, "--strategy", "exact", "--time-limit", leastLimit.String())
		p.rivals = []finding{rival(t, python, p, "vela", 0, leastLimit), rival(t, python, p, "cp-sat", 0, leastLimit)}
		p.agree(t)
	}
	leastTable := tableOfLeast(least)
	for _, p := range hard {
		p.ours = ours(t, command, p, "--capacity", fmt.Sprint(posed), "--time-limit", fitLimit.String())
		p.rivals = []finding{rival(t, python, p, "cp-sat", posed, fitLimit)}
	}
	document := fmt.Sprintf(rivalsText, versions(t, python), leastTable, tableOfFits(hard))
	if !*golden.Update {
		t.Log("\n" + document)
		return
	}
	if err := os.WriteFile("rivals.md", []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
}

func posings(t *testing.T, path ...string) []*posing {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(path...))
	if err != nil || len(files) == 0 {
		t.Fatalf("no problems in %v (%v)", path, err)
	}
	var all []*posing
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := problem.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(filepath.Base(file), ".")
		all = append(all, &posing{title: title, path: file, records: p.Records})
	}
	return all
}

// ours runs our command. Exit codes up to 5 are answers, of which 5 is "not known".
func ours(t *testing.T, command string, p *posing, args ...string) finding {
	t.Helper()
	out, cpu := run(t, 5, command, append([]string{"plan", p.path, "--json", "--quiet"}, args...)...)
	var document struct{ Models []results.Plan }
	if err := json.Unmarshal(out, &document); err != nil || len(document.Models) != 1 {
		t.Fatalf("%s: %d plans: %v", p.title, len(document.Models), err)
	}
	plan := document.Models[0]
	f := finding{
		Rival: "tflarena", Total: plan.TotalBytes, Bound: plan.LowerBoundBytes,
		Proven: plan.ProvenOptimal, Stopped: plan.Interrupted, CPU: cpu, Planning: float64(plan.ElapsedNS) / 1e9,
	}
	for _, l := range plan.Placements {
		f.Offsets = append(f.Offsets, *l.OffsetBytes)
	}
	f.check(t, p)
	return f
}

func rival(t *testing.T, python string, p *posing, name string, capacity int64, limit time.Duration) finding {
	t.Helper()
	out, cpu := run(t, 0, python, filepath.Join("rivals", "rivals.py"), name, p.path,
		"--capacity", fmt.Sprint(capacity), "--limit", fmt.Sprint(limit.Seconds()))
	var f finding
	// What a library prints of its own comes before our line.
	if err := json.Unmarshal(out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:], &f); err != nil {
		t.Fatalf("%s, %s: %v", name, p.title, err)
	}
	f.CPU = cpu
	f.check(t, p)
	return f
}

// run returns what a child printed and its user and system time in seconds.
func run(t *testing.T, answers int, name string, args ...string) ([]byte, float64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*leastLimit)
	defer cancel()
	var errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() < 0 || exit.ExitCode() > answers) {
		t.Fatalf("%s %v: %v\n%s", name, args, err, errs.Bytes())
	}
	return out, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}

// check has the independent checker look at a plan, if there is one.
func (f finding) check(t *testing.T, p *posing) {
	t.Helper()
	t.Logf("%s: %s: total %d, bound %d, proven %t, stopped %t, CPU %.3f s", p.title, f.Rival, f.Total, f.Bound, f.Proven, f.Stopped, f.CPU)
	if f.Offsets == nil {
		return
	}
	if err := check.Offsets(p.records, f.Offsets, f.Total); err != nil {
		t.Errorf("%s: %s: %v", p.title, f.Rival, err)
	}
}

// agree compares proofs: no total is below anybody's bound.
func (p *posing) agree(t *testing.T) {
	t.Helper()
	all := append([]finding{p.ours}, p.rivals...)
	for _, a := range all {
		for _, b := range all {
			if a.Total > 0 && a.Total < b.Bound {
				t.Errorf("%s: %s has a plan of %d bytes, %s a bound of %d", p.title, a.Rival, a.Total, b.Rival, b.Bound)
			}
		}
	}
}

// versions says what was run.
func versions(t *testing.T, python string) string {
	t.Helper()
	const script = "import platform, importlib.metadata as m; print(m.version('ethos-u-vela'), m.version('ortools'), platform.python_version())"
	out, _ := run(t, 0, python, "-c", script)
	installed := strings.Fields(string(out))
	pinned, err := os.ReadFile(filepath.Join("rivals", "requirements.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"ethos-u-vela", "ortools"} {
		if pin := name + "==" + installed[i] + "\n"; !strings.Contains(string(pinned), pin) {
			t.Errorf("%s is %s, not what requirements.txt pins", name, installed[i])
		}
	}
	return fmt.Sprintf("Vela %s and OR-tools %s, on Python %s", installed[0], installed[1], installed[2])
}

func tableOfLeast(all []*posing) string {
	var b strings.Builder
	b.WriteString("| problem | records | tflarena | CPU s | Vela | CPU s | of that planning | ratio | CP-SAT | CPU s | of that planning | ratio |\n" +
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, p := range all {
		fmt.Fprintf(&b, "| %s | %d | %s | %.3f |", p.title, len(p.records), p.ours.total(), p.ours.CPU)
		for _, r := range p.rivals {
			fmt.Fprintf(&b, " %s%s | %.2f | %.3f | %s |", r.total(), r.above(p.ours), r.CPU, r.Planning, p.ratio(r, p.ours.Stopped, r.Stopped))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func tableOfFits(all []*posing) string {
	answer := func(f finding) string {
		if f.Total > 0 && f.Total <= posed {
			return "fits"
		}
		return "not known"
	}
	var b strings.Builder
	b.WriteString("| problem | tflarena | CPU s | CP-SAT | CPU s | of that planning | ratio |\n|---|---|---:|---|---:|---:|---:|\n")
	for _, p := range all {
		r := p.rivals[0]
		ours, theirs := answer(p.ours), answer(r)
		fmt.Fprintf(&b, "| %s | %s | %.3f | %s | %.2f | %.3f | %s |\n", p.title, ours, p.ours.CPU, theirs, r.CPU, r.Planning,
			p.ratio(r, ours != "fits", theirs != "fits"))
	}
	return b.String()
}

// total marks a plan that is proven to be the smallest.
func (f finding) total() string {
	switch {
	case f.Total == 0:
		return "none"
	case f.Proven:
		return fmt.Sprintf("**%d**", f.Total)
	}
	return fmt.Sprint(f.Total)
}

// above says by how much a plan is larger than another, or smaller.
func (f finding) above(than finding) string {
	if f.Total == 0 || f.Total == than.Total {
		return ""
	}
	return fmt.Sprintf(" (%+.1f %%)", 100*(float64(f.Total)/float64(than.Total)-1))
}

// ratio compares the CPU times of the processes. A limit makes it a bound, and says
// nothing where both ran into theirs.
func (p *posing) ratio(r finding, oursStopped, theirsStopped bool) string {
	ratio := r.CPU / p.ours.CPU
	digits := 0
	if ratio < 10 {
		digits = 1
	}
	switch {
	case oursStopped && theirsStopped:
		return "-"
	case oursStopped:
		return fmt.Sprintf("< %.*f", digits, ratio)
	case theirsStopped:
		return fmt.Sprintf("> %.*f", digits, ratio)
	}
	return fmt.Sprintf("%.*f", digits, ratio)
}

const rivalsText = `# Rivals side by side

%s, and this tflarena,
each a child process of the same test, one at a time, with one thread. To repeat it (about ten minutes if nothing else runs):

` + "```" + `
python3 -m venv ~/rivals && ~/rivals/bin/pip install -r benchmarks/rivals/requirements.txt
TFLARENA_RIVALS=~/rivals/bin/python go test ./benchmarks -run TestRivals -count=1 -timeout 30m -update
` + "```" + `

CPU seconds are user and system time of the whole process. "Of that planning" leaves out the start of Python and its imports, as
the rival's own process counts it. The ratio is the rival's whole process over ours: "> 50" means that the rival was stopped
before it had its answer, "< 0.5" that ours was stopped, and "-" that both were. On the papers' networks, the last five
problems, all three need milliseconds, and the ratio mostly shows how long Python takes to start: Vela's planning alone is too
short for the clock to measure, and takes less time than our process. Every plan has passed our independent checker, and no plan
is below a bound that another planner has shown.

MiniMalloc is not here: its Python package is not in the package index.

## The smallest plan

Totals are in bytes. A total in bold is proven to be the smallest; in parentheses is how far a total is above ours. tflarena is
` + "`plan --strategy exact`" + `, stopped after 20 s by the clock. Vela is its hill climb with the default of 99,999 iterations, which
can prove a plan only by meeting the most bytes alive at once; CP-SAT minimises the height of a strip of rectangles with one
worker. Both are stopped after about 20 s of CPU time. Vela would need a list for each of a million positions, so it is given
the ranks of the times instead.

%s
## Does it fit?

These are MiniMalloc's problems with the 1,048,576 bytes of their definition. tflarena is ` + "`plan --capacity`" + `, and CP-SAT is the
same model without an objective, with offsets up to the capacity. Both are stopped after 10 s.

%s`
