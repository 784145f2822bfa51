package results

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/verify"
)

// checkNoNull fails when JSON of v would have null where a list belongs.
func checkNoNull(t *testing.T, v any) {
	t.Helper()
	data, err := JSON(v)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "null") {
		t.Errorf("%s has null in it:\n%s", reflect.TypeOf(v), data)
	}
}

func TestJSONHasNoNull(t *testing.T) {
	checkNoNull(t, NewPlan("x", "tflm", nil, nil, &alloc.Plan{Approach: alloc.Offsets}))
	checkNoNull(t, NewPlan("x", "", nil, nil, &alloc.Plan{Approach: alloc.Shared}))
	checkNoNull(t, NewContest("x", "", alloc.Shared, nil))
	checkNoNull(t, NewVerification("x", &verify.Report{Findings: []verify.Finding{{Law: verify.LawSize}}}))
}

func TestJSONKeepsNames(t *testing.T) {
	data, err := JSON(Tensor{Name: "a<b>&\u2028\xff"})
	if err != nil || !strings.Contains(string(data), `"name": "a<b>&\u2028\ufffd"`) {
		t.Errorf("%s, %v", data, err)
	}
}

// The verdict on a capacity follows from the two totals that are known.
func TestJudge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.Int64Range(0, 9).Draw(t, "bound")
		total := rapid.Int64Range(bound, 12).Draw(t, "total")
		capacity := rapid.Int64Range(0, 14).Draw(t, "capacity")
		p := NewPlan("x", "", nil, nil, &alloc.Plan{
			Total: total, LowerBound: bound, Optimal: total == bound || rapid.Bool().Draw(t, "optimal"),
		})
		p.Judge(capacity)
		want := Open
		if total <= capacity {
			want = Feasible
		} else if capacity < bound || p.ProvenOptimal {
			want = Infeasible
		}
		if p.Capacity.Verdict != want {
			t.Fatalf("total %d, bound %d, proven %v, capacity %d: %s, want %s", total, bound, p.ProvenOptimal, capacity, p.Capacity.Verdict, want)
		}
		if text := p.Text(Style{}); !strings.Contains(text, "capacity:") || strings.Contains(text, "-") && !strings.Contains(text, "half-open") {
			t.Fatalf("a negative difference in\n%s", text)
		}
	})
}

func TestNewPlan(t *testing.T) {
	records := []lifetime.Record{{ID: "0:1", Name: "n", First: -1, Last: 2, Size: 8}, {ID: "0:2", First: 3, Last: 3, Size: 4}}
	offset, object := int64(0), 0
	want := Placement{Tensor: Tensor{ID: "0:1", Name: "n", FirstOp: -1, LastOp: 2, SizeBytes: 8}}
	inOffsets, inObjects := want, want
	inOffsets.OffsetBytes, inObjects.Object = &offset, &object
	p := NewPlan("x", "tflm", nil, records, &alloc.Plan{Approach: alloc.Offsets, Offsets: []int64{0, 0}, Total: 8, LowerBound: 8, Elapsed: time.Second})
	if diff := cmp.Diff(inOffsets, p.Placements[0]); diff != "" || p.ElapsedNS != 1e9 || p.NaiveBytes != 12 || p.ObjectSizes != nil {
		t.Errorf("%s %+v", diff, p)
	}
	p = NewPlan("x", "tflm", nil, records, &alloc.Plan{Approach: alloc.Shared, Objects: []int{0, 0}, ObjectSizes: []int64{8}, Total: 8, LowerBound: 8})
	if diff := cmp.Diff(inObjects, p.Placements[0]); diff != "" {
		t.Error(diff)
	}
}

func TestContest(t *testing.T) {
	c := NewContest("x", "", alloc.Offsets, []lifetime.Record{{Size: 8, Last: 1}})
	c.Add("slow", nil, errors.New("too many"))
	c.Add("first", &alloc.Plan{Total: 12}, nil)
	c.Add("second", &alloc.Plan{Total: 12, Optimal: true}, nil)
	c.Add("third", &alloc.Plan{Total: 16}, nil)
	if c.BestBytes != 12 || c.BestStrategy != "first" || !c.ProvenOptimal || c.LowerBoundBytes != 8 {
		t.Errorf("%+v", c)
	}
	got := []string{c.cell("slow", Style{}), c.cell("first", Style{}), c.cell("third", Style{})}
	if diff := cmp.Diff([]string{"-  ", "12 *", "16  "}, got); diff != "" {
		t.Error(diff)
	}
}

// Each contest appears exactly once however narrow the terminal is.
func TestComparisonTextShowsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "inputs")
		c := &Comparison{}
		for i := range n {
			contest := NewContest(string(rune('A'+i)), "", alloc.Offsets, nil)
			contest.Add("naive", &alloc.Plan{Total: int64(100 + i)}, nil)
			c.Results = append(c.Results, contest)
		}
		var s Style
		s.Width = rapid.IntRange(20, 120).Draw(t, "width")
		text := c.Text(s)
		for i := range n {
			if k := strings.Count(text, Style{}.exact(int64(100+i))); k != 1 {
				t.Fatalf("%d shown %d times at width %d:\n%s", 100+i, k, s.Width, text)
			}
		}
	})
}

func TestSign(t *testing.T) {
	for _, c := range []struct {
		bytes   int64
		printed string
		want    string
	}{
		{4816896, "4.594", "="}, {4816896, "4.595", "<"}, {4816896, "4.593", ">"}, {10753280, "9.999", ">"}, {9 << 20, "10.337", "<"},
	} {
		if got := sign(c.bytes, c.printed); got != c.want {
			t.Errorf("%d, %s: %s, want %s", c.bytes, c.printed, got, c.want)
		}
	}
}

func TestTablesAreCut(t *testing.T) {
	var list []Tensor
	for i := range 12 {
		list = append(list, Tensor{ID: "x", SizeBytes: int64(i)})
	}
	for top, want := range map[int]int{0: 12, 5: 6, 11: 12, 12: 12, 20: 12} {
		if got := len(tensorTable(list, top).Rows); got != want {
			t.Errorf("top %d: %d rows, want %d", top, got, want)
		}
	}
	if rows := tensorTable(bySize(list), 1).Rows; rows[0].Cells[4] != int64(11) || rows[1].Cells[4] != int64(55) {
		t.Errorf("%+v", rows)
	}
}

// A workflow command ends at its line, and its values at commas and colons.
func TestGitHubEscapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Check{Input: rapid.String().Draw(t, "input")}
		c.Judge("tensor", 5, 4, rapid.String().Draw(t, "detail"))
		text := ChecksGitHub([]*Check{c}, Style{})
		command, _, found := strings.Cut(strings.TrimPrefix(text, "::error "), "::")
		if strings.Count(text, "\n") != 1 || strings.Contains(text, "\r") || !found || strings.Count(command, ",") != 1 || strings.Contains(command, ":") {
			t.Fatalf("%q", text)
		}
	})
}

// A budget holds up to its last byte, and one that does not fails the check.
func TestJudgeBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Check{Pass: true}
		want := true
		for range rapid.IntRange(0, 4).Draw(t, "budgets") {
			actual, limit := rapid.Int64Range(0, 3).Draw(t, "actual"), rapid.Int64Range(0, 3).Draw(t, "limit")
			c.Judge("head", actual, limit, "")
			want = want && actual <= limit
		}
		if len(c.Budgets) == 0 {
			return
		}
		c.Decide()
		text := c.Text(Style{})
		if c.Pass != want || strings.HasPrefix(text, string(DoesNotFit)) == want {
			t.Fatalf("pass %v, want %v:\n%s", c.Pass, want, text)
		}
	})
}

// The name of the peak's operator is cut to the line where lines have a width, and
// nowhere else.
func TestPeakTitleIsCut(t *testing.T) {
	operator := "first" + strings.Repeat("x", 1<<20) + "last"
	a := &Analysis{Peak: Peak{Operator: operator, Position: 0}, Operators: []Operator{{Name: operator}}}
	var s Style
	if got := a.peakTitle(s); !strings.HasSuffix(got, "Op# 0:0 "+operator) {
		t.Errorf("cut without a width: %d B", len(got))
	}
	s.Width = 80
	if got := a.peakTitle(s); text.StringWidth(got) > s.Width || !strings.HasSuffix(got, "last") || !strings.Contains(got, "first") {
		t.Errorf("%.200q", got)
	}
}

// A head below the lower bound is explained next to the bound.
func TestRewriteBound(t *testing.T) {
	for head, want := range map[int64]bool{999: true, 1000: false, 1001: false} {
		r := &Rewrite{Before: State{Figures: rules.Figures{Head: head}}, After: State{Figures: rules.Figures{Head: 1000}}, SavedBytes: head - 1000, LowerBoundBytes: 1000}
		if got := strings.Contains(r.Text(Style{}), "1,000 B (without sharing on purpose)\n"); got != want {
			t.Errorf("head %d, bound 1000: explained %v", head, got)
		}
	}
}

// Names and messages from hostile files make no marks on a page, and no commands.
func TestChecksEscape(t *testing.T) {
	c := &Check{Input: "a|b\n::error::x", Failed: &Failed{Error: Problem{Message: "50%\n::error::y"}}, Warnings: []Note{{Text: "*bold* <b> [link](x) `code` _it_"}}}
	page := ChecksMarkdown([]*Check{c}, Style{}.AsMarkdown())
	if strings.Contains(page, "*bold*") || strings.Contains(page, "<b>") && !strings.Contains(page, `\<b>`) || strings.Count(page, "\n") != 5 {
		t.Errorf("page:\n%s", page)
	}
	annotations := ChecksGitHub([]*Check{c}, Style{})
	if strings.Count(annotations, "\n") != 2 || !strings.HasPrefix(annotations, "::error file=a|b%0A%3A%3Aerror%3A%3Ax,title=model not checked::50%25") {
		t.Errorf("annotations:\n%s", annotations)
	}
}

// TestOrderText: a bound that holds only while operators of unknown side effects keep their order
// says so.
func TestOrderText(t *testing.T) {
	for _, c := range []struct {
		order Order
		want  string
	}{
		{Order{PeakBytes: 9, LeastPeakBytes: 9, BoundBytes: 9, Proven: true}, "no other order ..."},
		{Order{PeakBytes: 9, LeastPeakBytes: 9, BoundBytes: 9, Proven: true, EffectsKept: true}, "no other order ... side effects ..."},
		{Order{PeakBytes: 9, LeastPeakBytes: 9, BoundBytes: 8, EffectsKept: true}, "no better order ... side effects ... 8 B"},
		{Order{PeakBytes: 10, LeastPeakBytes: 9, BoundBytes: 9, Proven: true, EffectsKept: true}, "another order ... 9 B, 10.0 % less, ... side effects ... rewrite --reorder"},
	} {
		got := c.order.text(Style{})
		if diff := golden.Like(c.want, got); diff != "" || strings.Contains(got, "side effects") != c.order.EffectsKept {
			t.Errorf("%+v: %s\n%s", c.order, got, diff)
		}
	}
}
