package results

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

type fataler interface {
	Helper()
	Fatal(args ...any)
}

// compare returns what changed between the files of two models.
func compare(t fataler, a, b []byte) *Diff {
	t.Helper()
	r := rules.Micro()
	side := func(data []byte, name string) *DiffSide {
		m, err := tflite.Parse(data, name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.View(m, -1)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := alloc.Solve(context.Background(), v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: r.Planner})
		if err != nil {
			t.Fatal(err)
		}
		return NewDiffSide(v, v.Records(), plan)
	}
	return NewDiff(r, side(a, "a"), side(b, "b"))
}

func TestEdits(t *testing.T) {
	before := encode.Encode(fork())
	for _, e := range edits {
		m := fork()
		e.edit(&m)
		after := encode.Encode(m)
		d := compare(t, before, after)
		if diff := cmp.Diff(e.want, d.Differences, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", e.name, diff)
		}
		if d.Identical != (e.want == nil) || d.Unlike {
			t.Errorf("%s: identical %v, unlike %v", e.name, d.Identical, d.Unlike)
		}
		checkMirror(t, d, compare(t, after, before))
		checkNoNull(t, d)
	}
}

// checkMirror fails unless what changed from B to A is what changed from A to B, read
// backwards.
func checkMirror(t interface {
	fataler
	Errorf(format string, args ...any)
}, d, back *Diff,
) {
	t.Helper()
	m := mirror(d)
	m.A.Input, m.B.Input = back.A.Input, back.B.Input // each side is called a on one way and b on the other
	if diff := cmp.Diff(m, back, cmpopts.IgnoreUnexported(Diff{}, DiffSide{}, modeldiff.PlanSide{})); diff != "" {
		t.Errorf("the way back is another: %s", diff)
	}
}

func mirror(d *Diff) *Diff {
	m := *d
	m.A, m.B = d.B, d.A
	m.UsedDifferenceBytes, m.HeadDifferenceBytes = -d.UsedDifferenceBytes, -d.HeadDifferenceBytes
	m.LowerBoundDifferenceBytes, m.FileDifferenceBytes = -d.LowerBoundDifferenceBytes, -d.FileDifferenceBytes
	m.Operators, m.Tensors = mirrorList(d.Operators, func(o modeldiff.Operator) string { return o.ID() }), mirrorList(d.Tensors, func(t modeldiff.Tensor) string { return t.ID })
	m.Plan.A, m.Plan.B = d.Plan.B, d.Plan.A
	m.Plan.Change, m.Plan.MarkerChange = mirrorWord(d.Plan.Change), mirrorWord(d.Plan.MarkerChange)
	m.Metadata.Added, m.Metadata.Removed = d.Metadata.Removed, d.Metadata.Added
	return &m
}

// mirrorWord returns what became of a plan or a marker on the way back.
func mirrorWord(change modeldiff.PlanChange) modeldiff.PlanChange {
	switch change {
	case modeldiff.PlanAdded:
		return modeldiff.PlanRemoved
	case modeldiff.PlanRemoved:
		return modeldiff.PlanAdded
	}
	return change
}

func mirrorList[T any](l modeldiff.List[T], id func(T) string) modeldiff.List[T] {
	m := modeldiff.List[T]{Matched: l.Matched, Changed: []modeldiff.Change[T]{}, Added: l.Removed, Removed: l.Added}
	for _, c := range l.Changed {
		m.Changed = append(m.Changed, modeldiff.Change[T]{A: c.B, B: c.A, Changed: c.Changed})
	}
	place := func(c modeldiff.Change[T]) (s, i int) {
		_, _ = fmt.Sscanf(id(c.A), "%d:%d", &s, &i) // an ID that another test reads
		return s, i
	}
	slices.SortFunc(m.Changed, func(x, y modeldiff.Change[T]) int {
		s, i := place(x)
		r, j := place(y)
		return 1000*(s-r) + i - j
	})
	return m
}

// Any of the edits together: nothing differs from itself, and the way back mirrors the
// way there.
func TestEditsTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) []byte {
			m := fork()
			for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(edits)-1), 0, 4, rapid.ID).Draw(t, label) {
				edits[i].edit(&m)
			}
			if rapid.Bool().Draw(t, "mixed") {
				s := &m.Subgraphs[0]
				s.Operators = rapid.Permutation(s.Operators).Draw(t, "operators")
			}
			return encode.Encode(m)
		}
		a, b := draw("a"), draw("b")
		d := compare(t, a, b)
		checkMirror(t, d, compare(t, b, a))
		if d.Identical != bytes.Equal(a, b) || d.Identical != (len(d.Differences) == 0) {
			t.Fatalf("identical %v: %v", d.Identical, d.Differences)
		}
		if s := compare(t, a, a); len(s.Differences) > 0 || s.Unlike || len(s.Operators.Changed)+len(s.Tensors.Changed) > 0 {
			t.Fatalf("differs from itself: %+v", s)
		}
	})
}

// A model with its operators in any other order differs in nothing else, and as few of
// them are said to have moved as can be.
func TestOrderAlone(t *testing.T) {
	before := encode.Encode(fork())
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.Permutation([]int{0, 1, 2, 3, 4, 5}).Draw(t, "places")
		m := fork()
		operators := slices.Clone(m.Subgraphs[0].Operators)
		for i, p := range places {
			m.Subgraphs[0].Operators[i] = operators[p]
		}
		d := compare(t, before, encode.Encode(m))
		var want []Difference
		if !slices.IsSorted(places) {
			want = []Difference{"order"}
		}
		if diff := cmp.Diff(want, d.Differences, cmpopts.EquateEmpty()); diff != "" && !d.Identical {
			t.Fatal(diff)
		}
		if n := len(places) - longestRising(places); len(d.Operators.Changed) != n {
			t.Fatalf("%v: %d moved, want %d", places, len(d.Operators.Changed), n)
		}
	})
}

// longestRising tries all subsequences.
func longestRising(list []int) int {
	best := 0
	for set := range 1 << len(list) {
		n, last := 0, -1
		for i, x := range list {
			if set>>i&1 == 0 {
				continue
			}
			if x < last {
				n = -1
				break
			}
			n, last = n+1, x
		}
		best = max(best, n)
	}
	return best
}

// An operator that makes nothing is known by what it does to which tensors.
func TestOperatorsThatMakeNothing(t *testing.T) {
	m := fork()
	s := &m.Subgraphs[0]
	s.Operators = append(s.Operators, encode.Operator{Custom: "log", Inputs: []int{2}}, encode.Operator{Custom: "log", Inputs: []int{3}})
	before := encode.Encode(m)
	s.Operators[6], s.Operators[7] = s.Operators[7], s.Operators[6]
	if d := compare(t, before, encode.Encode(m)); !slices.Equal(d.Differences, []Difference{"order"}) || len(d.Operators.Changed) != 1 {
		t.Errorf("%v, %+v", d.Differences, d.Operators)
	}
}
