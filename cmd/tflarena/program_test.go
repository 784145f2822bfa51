package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
)

var (
	lpUnit   = regexp.MustCompile(`in units of (\d+) B\.`)
	lpRecord = regexp.MustCompile(`(?m)^\\ x(\d+): offset / (\d+) of record "(.*)"$`)
	lpRow    = regexp.MustCompile(`(?m)^ (\w+):((?:[^>=<]|\n)*?) (>=|<=|=) (-?\d+)$`)
	lpTerm   = regexp.MustCompile(`([+-]?) ?(?:(\d+) )?([a-z]\w*)`)
)

// lpProgram is the integer program of a plan, with a value for each of its variables.
type lpProgram struct {
	text string
	unit int64
	// at is where each record lies, in bytes.
	at     map[int64]int64
	values map[string]int64
}

// The plan written with --alias is a solution of the integer program written with it, which names every
// tensor and its place in its record, and the solution is read back as the same plan.
func TestProgramsOfTakeovers(t *testing.T) {
	models := map[string][]byte{}
	for _, name := range []string{"micro/okay_nabu_v2.tflite", "micro/trained_lstm.tflite"} {
		data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models", name))
		if err != nil {
			t.Fatal(err)
		}
		models[name] = data
	}
	for seed := range uint64(12) {
		models[fmt.Sprintf("taker %d", seed)] = encode.Encode(taker(seed))
	}
	for name, data := range models {
		for _, alias := range rules.Aliases() {
			roundTrip(t, name, data, "--alias", string(alias), "--scratch", "reference")
		}
	}
}

func roundTrip(t *testing.T, name string, data []byte, flags ...string) {
	t.Helper()
	run := func(more ...string) string {
		got := execute(noTerminal(), data, append(append([]string{"plan", "-", "-q"}, flags...), more...)...)
		if got.code != exitOK {
			t.Fatalf("%s %v %v: exit %d: %s", name, flags, more, got.code, got.stderr)
		}
		return got.stdout
	}
	var plan, again results.Plan
	both := filepath.Join(t.TempDir(), "program.lp")
	if err := readOnly([]byte(run("-s", "greedy-by-size", "--json", "-o", both)), &plan); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(both)
	if err != nil {
		t.Fatal(err)
	}
	p := readLP(t, string(text))
	p.solve(t, name, &plan)
	for _, row := range p.rows() {
		p.keep(t, name, row)
	}
	path := write(t, filepath.Join(t.TempDir(), "solution.txt"), []byte(p.solution()))
	if err := readOnly([]byte(run("--solution", path, "--json")), &again); err != nil {
		t.Fatal(err)
	}
	e := exports{json: again}
	e.right(t, name+": solution", e.placed(nil), again.TotalBytes)
	if again.TotalBytes > plan.TotalBytes || len(again.Placements) != len(plan.Placements) {
		t.Errorf("%s %v: a plan of %d bytes and %d tensors came back with %d and %d", name, flags,
			plan.TotalBytes, len(plan.Placements), again.TotalBytes, len(again.Placements))
	}
}

func readLP(t *testing.T, text string) *lpProgram {
	t.Helper()
	unit := lpUnit.FindStringSubmatch(text)
	if unit == nil {
		t.Fatal(text)
	}
	return &lpProgram{text: text, unit: number(t, unit[1]), at: map[int64]int64{}, values: map[string]int64{}}
}

// solve gives the variables the values that the plan has.
func (p *lpProgram) solve(t *testing.T, name string, plan *results.Plan) {
	t.Helper()
	of := map[string]int64{}
	for _, q := range plan.Placements {
		of[q.ID] = *q.OffsetBytes
	}
	p.values["u"] = plan.TotalBytes / p.unit
	named, cut := 0, false
	for _, m := range lpRecord.FindAllStringSubmatch(p.text, -1) {
		record, step := number(t, m[1]), number(t, m[2])
		ids := strings.Fields(m[3])
		if rest, elided := strings.CutSuffix(m[3], "..."); elided { // the last is cut
			ids, cut = strings.Fields(rest), true
			ids = ids[:len(ids)-1]
		}
		for k, id := range ids {
			id, behind, _ := strings.Cut(id, "+")
			at, ok := of[id]
			if behind != "" {
				at -= number(t, behind)
			}
			if !ok || k > 0 && at != p.at[record] {
				t.Errorf("%s: record %d begins at %d by %s, and at %d by what is named before", name, record, at, id, p.at[record])
			}
			p.at[record] = at
			named++
		}
		p.values[fmt.Sprintf("x%d", record)] = p.at[record] / step
	}
	if named != len(plan.Placements) && !cut {
		t.Errorf("%s: %d tensors in the program, %d in the plan", name, named, len(plan.Placements))
	}
	// A binary is zero if that satisfies its first row.
	for _, row := range p.rows() {
		terms := lpTerm.FindAllStringSubmatch(row[2], -1)
		if last := terms[len(terms)-1][3]; strings.HasPrefix(row[1], "a") && last[0] == 'z' {
			p.values[last] = 0
			if sum := p.sum(t, name, row); sum > number(t, row[4]) {
				p.values[last] = 1
			}
		}
	}
}

// rows returns the rows: name, terms, sense and the number on the right.
func (p *lpProgram) rows() [][]string {
	_, text, _ := strings.Cut(p.text, "\nSubject To\n")
	text, _, _ = strings.Cut(text, "Bounds\n")
	return lpRow.FindAllStringSubmatch(text, -1)
}

// sum returns the sum of a row.
func (p *lpProgram) sum(t *testing.T, name string, row []string) (sum int64) {
	t.Helper()
	for _, m := range lpTerm.FindAllStringSubmatch(row[2], -1) {
		value, ok := p.values[m[3]]
		if !ok {
			t.Fatalf("%s: row %s has %q, which nothing explains", name, row[1], m[3])
		}
		if m[2] != "" {
			value *= number(t, m[2])
		}
		if m[1] == "-" {
			value = -value
		}
		sum += value
	}
	return sum
}

// keep reports a row that the values do not keep.
func (p *lpProgram) keep(t *testing.T, name string, row []string) {
	t.Helper()
	sum := p.sum(t, name, row)
	rhs := number(t, row[4])
	if row[3] == ">=" && sum < rhs || row[3] == "<=" && sum > rhs || row[3] == "=" && sum != rhs {
		t.Errorf("%s: the plan is not a solution: row %s: %d %s %d", name, row[1], sum, row[3], rhs)
	}
}

// solution returns the values as CBC writes them.
func (p *lpProgram) solution() string {
	text := fmt.Sprintf("Optimal - objective value %d\n", p.values["u"])
	for key, value := range p.values {
		text += fmt.Sprintf("%d %s %d 0\n", 0, key, value)
	}
	return text
}
