package mip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
)

// small has a pinned record, an alignment, a gap, an empty record and a hostile id.
var small = []lifetime.Record{
	{ID: "a", First: 0, Last: 2, Size: 64},
	{ID: "End\n\\ b", First: 1, Last: 4, Size: 96, Align: 64},
	{ID: "empty", First: 0, Last: 4},
	{ID: "pinned", First: 3, Last: 5, Size: 32, Pinned: true, Offset: 32},
	{ID: "gap", First: 2, Last: 6, Size: 64, Gaps: []lifetime.Gap{{First: 3, Last: 4, Lo: 32, Hi: 64}}},
}

// chain has records that follow one another in time, so that they may share objects.
var chain = []lifetime.Record{
	{ID: "a", First: 0, Last: 1, Size: 16},
	{ID: "b", First: 1, Last: 2, Size: 8},
	{ID: "c", First: 2, Last: 3, Size: 64},
	{ID: "d", First: 3, Last: 4, Size: 32},
	{ID: "e", First: 3, Last: 5, Size: 8},
}

func TestGolden(t *testing.T) {
	for _, g := range []struct {
		name string
		data []byte
	}{
		{"offsets.lp", file(t, "lp", alloc.Offsets, small, nil, 0)},
		{"offsets.mps", file(t, "mps", alloc.Offsets, small, nil, 256)},
		{"shared.lp", file(t, "lp", alloc.Shared, chain, nil, 0)},
		{"empty.lp", file(t, "lp", alloc.Offsets, nil, nil, 0)},
	} {
		path := filepath.Join("testdata", g.name)
		golden.File(t, path, g.data)
	}
}

// TestTextIsPlain keeps ids, which are hostile, from being more than comments.
func TestTextIsPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := shape{records: 6, positions: 4, length: 3, size: 5, extras: true, scale: 1}.draw(fromRapid(rt))
		for i := range records {
			records[i].ID = rapid.String().Draw(rt, "id")
		}
		for _, form := range []string{"lp", "mps"} {
			first := map[string]string{"lp": "Minimize", "mps": "NAME"}[form]
			comment := map[string]string{"lp": "\\ ", "mps": "* "}[form]
			begun := false
			for line := range strings.SplitSeq(string(file(t, form, alloc.Offsets, records, nil, 0)), "\n") {
				begun = begun || strings.HasPrefix(line, first)
				if !begun && !strings.HasPrefix(line, comment) {
					rt.Fatalf("%q stands before the program and is no comment", line)
				}
				if bad := strings.IndexFunc(line, func(r rune) bool { return r < ' ' || r > '~' }); bad >= 0 || len(line) >= 1000 {
					rt.Fatalf("%q is not short and plain", line)
				}
			}
		}
	})
}

// evaluate returns the first row or bound that the values break.
func (p *program) evaluate(values []int64) error {
	for i, c := range p.columns {
		if values[i] < c.lo || values[i] > c.hi {
			return fmt.Errorf("%s = %d is not in %d to %d", c.name, values[i], c.lo, c.hi)
		}
	}
	for _, r := range p.rows {
		var sum int64
		for _, t := range r.terms {
			sum += t.factor * values[t.column]
		}
		if r.sense != atMost && sum < r.rhs || r.sense != atLeast && sum > r.rhs {
			return fmt.Errorf("row %s: %d is not %c %d", r.name, sum, r.sense, r.rhs)
		}
	}
	return nil
}

// valuesOf returns what the variables are for a plan, with offsets rounded down to
// units.
func (p *offsetsProgram) valuesOf(records []lifetime.Record, plan *alloc.Plan) []int64 {
	values := make([]int64, len(p.columns))
	of := map[string]int{}
	for i, c := range p.columns {
		of[c.name] = i
	}
	units := make([]int64, len(records))
	for i, r := range records {
		if r.Size == 0 {
			continue
		}
		units[i] = plan.Offsets[i] / p.unit
		values[of[fmt.Sprintf("x%d", i)]] = units[i] / p.step(r)
		values[p.u] = max(values[p.u], units[i]+r.Size/p.unit)
	}
	for k, pair := range p.pairs {
		if (units[pair.j]-units[pair.i])*p.unit < pair.hi {
			values[p.z[k]] = 1
		}
	}
	return values
}

// written returns the values as a solver writes them.
func (p *program) written(s solver, values []int64) []byte {
	var b bytes.Buffer
	if s.name == "cbc" {
		fmt.Fprintf(&b, "Optimal - objective value %.8f\n", 1.0)
		for i, v := range values {
			if v != 0 {
				fmt.Fprintf(&b, "%7d %s %15.7g %23d\n", i, p.columns[i].name, float64(v), 0)
			}
		}
		return b.Bytes()
	}
	fmt.Fprintf(&b, "c Problem:\ns mip %d %d o 1\n", len(p.rows), len(p.columns))
	for i, v := range values {
		fmt.Fprintf(&b, "j %d %d\n", i+1, v)
	}
	fmt.Fprint(&b, "e o f\n")
	return b.Bytes()
}

// TestPlansKeepTheRows shows that no right plan is cut off, by the rows of the paper or
// by those that were added, and that reading gives a plan that is no larger.
func TestPlansKeepTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]int64{1, 12, 1000, 1 << 40}).Draw(t, "scale")
		records := shape{records: 12, positions: 6, length: 4, size: 9, extras: true, scale: scale}.draw(fromRapid(t))
		strategies := []string{"naive", "greedy-by-size", "greedy-in-order", alloc.Auto}
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{
			Approach: alloc.Offsets, Strategy: rapid.SampledFrom(strategies).Draw(t, "strategy"),
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := newOffsets(records, nil, plan.Total)
		if err != nil {
			t.Fatal(err)
		}
		values := p.valuesOf(records, plan)
		if err := p.evaluate(values); err != nil {
			t.Fatalf("a right plan breaks the program: %v\n%+v\n%v", err, records, plan.Offsets)
		}
		for _, s := range []solver{cbc, glpsol} {
			offsets, total, err := ReadSolution(bytes.NewReader(p.written(s, values)), records, nil)
			if err == nil {
				err = check.Offsets(records, offsets, total)
			}
			if err != nil || total > plan.Total {
				t.Fatalf("%s: total %d of a plan of %d, %v", s.name, total, plan.Total, err)
			}
		}
	})
}

// TestSharedPlansKeepTheRows does the same for shared objects.
func TestSharedPlansKeepTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := shape{records: 12, positions: 6, length: 4, size: 9, scale: 8}.draw(fromRapid(t))
		plan, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Shared})
		if err != nil {
			t.Fatal(err)
		}
		p, err := newShared(records)
		if err != nil {
			t.Fatal(err)
		}
		leader := map[int]int{}
		values := make([]int64, len(p.columns))
		for _, i := range p.order {
			if _, ok := leader[plan.Objects[i]]; !ok {
				leader[plan.Objects[i]] = i
				values[p.lead[i]] = 1
			}
		}
		for _, f := range p.follow {
			if leader[plan.Objects[f.record]] == f.leader {
				values[f.column] = 1
			}
		}
		if err := p.evaluate(values); err != nil {
			t.Fatalf("a right plan breaks the program: %v\n%+v\n%v", err, records, plan.Objects)
		}
		for _, s := range []solver{cbc, glpsol} {
			objects, sizes, total, err := ReadSharedSolution(bytes.NewReader(p.written(s, values)), records)
			if err == nil {
				err = check.Shared(records, objects, sizes, total)
			}
			if err != nil || total != plan.Total {
				t.Fatalf("%s: total %d of a plan of %d, %v", s.name, total, plan.Total, err)
			}
		}
	})
}

func TestReadSolutionRefuses(t *testing.T) {
	records := []lifetime.Record{{Size: 4, Last: 1}, {Size: 6, Last: 1}, {Size: 2, Last: 1, Pinned: true}}
	const optimal = "Optimal - objective value 6.00000000\n"
	const stopped = "Stopped on time (no integer solution - continuous used) - objective value 20.00000000\n"
	const glpk = "c Status: INTEGER OPTIMAL\ns mip 12 7 o 6\n"
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"hello", "line 1: this is neither what CBC writes"},
		{"Problem:    x", "use glpsol --write"},
		{"Infeasible - objective value 3.0", `line 1: the solver has no solution: "Infeasible"`},
		{stopped, "no integer solution"},
		{"Unbounded - objective value 0", "no solution"},
		{optimal + "0 u 6", "line 2: the line has 3 fields"},
		{optimal + "0 x9 6 0", `line 2: this problem has no variable "x9"`},
		{optimal + "0 z0_1_1 1 0", `no variable "z0_1_1"`},
		{optimal + "0 u six 0", `u is "six", which is not a number`},
		{optimal + "0 u NaN 0", "not a number"},
		{optimal + "0 u 1e999 0", "not a number"},
		{optimal + "0 x0 2.00001 0", `x0 is "2.00001", which is not a whole number`},
		{optimal + "0 u 6 0\n0 u 6 0", "line 3: u has a value already"},
		{optimal + "0 z0_1 2 0", "z0_1 is 2: it has to be 0 or 1"},
		{optimal + "0 u 12 0", "the solution puts record 2 (\"\") at offset 4 or above, and it is pinned at 0"},
		{optimal + strings.Repeat("x", 1<<20), "line 2: the line is too long"},
		{"s bas 1 1 f f 0", "not a solution in whole numbers"},
		{"s mip 12 8 o 6", `the solution has "8" columns, this problem has 7`},
		{"s mip 12 7 n 0", `the solver has no solution: its status is "n"`},
		{glpk + "j 8 1", `line 3: this problem has no column "8": it has 1 to 7`},
		{glpk + "j 0 1", "no column"},
		{glpk + "j 1", "2 fields"},
	} {
		_, _, err := ReadSolution(strings.NewReader(c.text), records, nil)
		if !errors.Is(err, ErrSolution) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestReadSolutionKeepsToWhatWasSaid(t *testing.T) {
	records := []lifetime.Record{{Size: 4}, {Size: 6}}
	for text, want := range map[string]string{
		"0 u 5.0000001 0\n1 x0 0 0\n2 x1 2 0":    "",
		"0 u 4 0\n1 x0 0 0\n2 x1 2 0":            "the solution says 8 B, but its order of the records takes 10 B",
		"0 u 5 0\n** 1 x0 3.0 0\n2 z0_1 1.0 0\n": "",
	} {
		offsets, total, err := ReadSolution(strings.NewReader("Stopped on time - objective value 5\n"+text), records, nil)
		switch {
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%q: %v, want %q", text, err, want)
		case want == "" && (err != nil || total != 10 || len(offsets) != 2):
			t.Errorf("%q: %v %d %v", text, offsets, total, err)
		}
	}
}

func TestContradictingOrder(t *testing.T) {
	records := []lifetime.Record{{Size: 2}, {Size: 2}, {Size: 2}}
	const circle = "Optimal - objective value 3\n0 u 3 0\n0 z0_2 1 0\n" // 0 below 1 below 2 below 0
	if _, _, err := ReadSolution(strings.NewReader(circle), records, nil); !errors.Is(err, ErrSolution) || !strings.Contains(err.Error(), "contradicts itself") {
		t.Errorf("got %v", err)
	}
}

func TestReadSharedSolutionRefuses(t *testing.T) {
	records := []lifetime.Record{{Size: 4}, {Size: 2, First: 1, Last: 1}, {Size: 2, First: 1, Last: 2}}
	for text, want := range map[string]string{
		"0 y0_0 1 0\n0 y1_0 1 0\n0 y2_0 1 0":             "overlap",
		"0 y0_0 1 0\n0 y1_0 1 0":                         "record 2 (\"\") is in no object",
		"0 y1_0 1 0\n0 y2_2 1 0":                         "is in no object",
		"0 y0_0 1 0\n0 y1_0 1 0\n0 y1_1 1 0\n0 y2_2 1 0": "record 1 (\"\") is in two objects",
		"0 y0_0 3 0": "has to be 0 or 1",
		"0 y2_1 1 0": "no variable",
	} {
		_, _, _, err := ReadSharedSolution(strings.NewReader("Optimal - objective value 1\n"+text), records)
		if !errors.Is(err, ErrSolution) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	many := make([]lifetime.Record, 1000)
	for i := range many {
		many[i].Size = 1
	}
	for name, c := range map[string]struct {
		records []lifetime.Record
		upper   int64
		want    string
		large   bool
	}{
		"bad record":      {[]lifetime.Record{{Size: -1}}, 0, "has size -1", false},
		"too many":        {many, 0, "more than 262144 pairs", true},
		"too many bytes":  {[]lifetime.Record{{Size: 1 << 54}, {Size: 1}}, 0, "units of 1 B", true},
		"no room":         {[]lifetime.Record{{ID: "a", Size: 8}}, 7, `record 0 ("a") does not fit into 0 B`, false},
		"no room for pin": {[]lifetime.Record{{Size: 8, Pinned: true, Offset: 8}}, 8, "does not fit", false},
	} {
		var b bytes.Buffer
		err := WriteLP(&b, c.records, nil, c.upper)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrTooLarge) != c.large || b.Len() > 0 {
			t.Errorf("%s: %v and %d bytes, want %q", name, err, b.Len(), c.want)
		}
		if mps := WriteMPS(&b, c.records, nil, c.upper); fmt.Sprint(mps) != fmt.Sprint(err) {
			t.Errorf("%s: MPS has %v, LP %v", name, mps, err)
		}
	}
	apart := make([]lifetime.Record, 2000)
	for i := range apart {
		apart[i] = lifetime.Record{Size: 1, First: i, Last: i}
	}
	if err := WriteSharedLP(&bytes.Buffer{}, apart); !errors.Is(err, ErrTooLarge) {
		t.Errorf("shared objects: %v", err)
	}
	if err := WriteLP(&bytes.Buffer{}, apart, nil, 0); err != nil {
		t.Errorf("records that are never alive at once: %v", err)
	}
}

// TestPairs compares the forbidden distances with all distances there are.
func TestPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := shape{records: 6, positions: 5, length: 8, size: 4, extras: true, scale: 1}.draw(fromRapid(t))
		pairs, err := pairsOf(records, nil)
		if err != nil {
			t.Fatal(err)
		}
		const far = 10
		for j, s := range records {
			for i, r := range records[:j] {
				for distance := int64(-far); distance <= far; distance++ {
					forbidden := slices.ContainsFunc(pairs, func(p pair) bool {
						return p.i == i && p.j == j && p.lo < distance && distance < p.hi
					})
					if forbidden != clash(r, s, far, far+distance) {
						t.Fatalf("records %d and %d at distance %d: forbidden %v\n%+v\n%v", i, j, distance, forbidden, records, pairs)
					}
				}
			}
		}
	})
}

// TestPairsThatTouch has one distance between two ranges at which windows just fit.
func TestPairsThatTouch(t *testing.T) {
	records := []lifetime.Record{
		{Last: 1, Size: 4, Gaps: []lifetime.Gap{{First: 0, Last: 0, Lo: 1, Hi: 2}, {First: 1, Last: 1, Lo: 2, Hi: 3}}},
		{Last: 1, Size: 4, Gaps: []lifetime.Gap{{First: 0, Last: 0, Lo: 3, Hi: 4}, {First: 1, Last: 1, Lo: 2, Hi: 3}}},
	}
	pairs, err := pairsOf(records, nil)
	want := []pair{{j: 1, lo: -3, hi: -1}, {j: 1, nth: 1, lo: -1, hi: 1}}
	if err != nil || !slices.Equal(pairs, want) {
		t.Errorf("got %v, %v, want %v", pairs, err, want)
	}
}

func TestUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := shape{records: 6, positions: 4, length: 3, size: 60, extras: true, scale: 1}.draw(fromRapid(t))
		unit := unitOf(records, nil)
		for _, r := range records {
			a := r.Alignment()
			if r.Size > 0 && (r.Size%unit != 0 || r.Pinned && r.Offset%unit != 0 || a%unit != 0 && unit%a != 0) {
				t.Fatalf("unit %d does not suit %+v", unit, r)
			}
			for _, g := range r.Gaps {
				if r.Size > 0 && (g.Lo%unit != 0 || g.Hi%unit != 0) {
					t.Fatalf("unit %d does not suit a gap of %+v", unit, r)
				}
			}
		}
	})
	for want, records := range map[int64][]lifetime.Record{
		1: nil, 3: {{Size: 6, Gaps: []lifetime.Gap{{Lo: 3, Hi: 6}}}}, 12: {{Size: 24, Align: 4}, {Size: 36, Align: 6}}, 16: {{Size: 48, Align: 64}, {Size: 16}}, 2: {{Size: 12, Align: 4}, {Size: 36, Align: 10}},
	} {
		if got := unitOf(records, nil); got != want {
			t.Errorf("%v: unit %d, want %d", records, got, want)
		}
	}
}

// FuzzReadSolution holds what is read of any file to the checker.
func FuzzReadSolution(f *testing.F) {
	f.Add([]byte("Optimal - objective value 10\n0 u 10 0\n** 1 x0 0 0\n2 z0_1 1 0\n"))
	f.Add([]byte("c x\ns mip 9 9 o 10\nj 1 100\nj 5 0\ne o f\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		offsets, total, err := ReadSolution(bytes.NewReader(data), small, nil)
		if err == nil {
			err = check.Offsets(small, offsets, total)
		} else if errors.Is(err, ErrSolution) {
			err = nil
		}
		if err != nil {
			t.Error(err)
		}
		if _, _, _, err := ReadSharedSolution(bytes.NewReader(data), small); err != nil && !errors.Is(err, ErrSolution) {
			t.Error(err)
		}
	})
}
