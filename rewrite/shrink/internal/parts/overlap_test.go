package parts

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
)

// A trail is an overlap at an operator of a fragment, with what its tensors take, in bytes.
type trail struct {
	Operator, From, To int
	Distance           int64
}

func sorted(list []trail) []trail {
	slices.SortFunc(list, func(a, b trail) int {
		return slices.Compare([]int{a.Operator, a.From, a.To, int(a.Distance)}, []int{b.Operator, b.From, b.To, int(b.Distance)})
	})
	return list
}

// promised returns the overlaps that a scene has.
func promised(row *Row, f *split.Fragment, from, to int) (list []trail) {
	s := row.scene(f, from, to-1)
	s.takeOver()
	s.overlap()
	for _, o := range s.overlaps {
		list = append(list, trail{o.At - 1, int(s.records[o.From].Size), int(s.records[o.To].Size), o.Distance})
	}
	return sorted(list)
}

// found returns the overlaps that the rules find in the file in which a fragment is in the place of
// some operators, but for those at the operators that the fragment adds, or that make several
// tensors: of these a scene knows nothing.
func found(t *testing.T, row *Row, f *split.Fragment, from, to int) (list []trail) {
	t.Helper()
	e := edit.Edit{Tensors: f.Tensors}
	for i := range row.Len() {
		if i == from {
			e.Operators = append(e.Operators, f.Operators...)
		}
		if i < from || i >= to {
			e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
		}
	}
	r, err := edit.Apply(row.model, e, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := sample.Micro(t, parse(t, r.Data, row.model.Name))
	size := func(i int) int { return int(RoundUp(v.Records()[i].Size)) }
	for _, o := range v.Overlaps(rules.DiagonalAlias) {
		at := v.Usage.Steps[o.At].Operator
		if v.Usage.Steps[o.At].Subgraph > 0 {
			continue
		}
		i := at - from
		if i >= 0 && i < len(f.Operators) && f.Operators[i].Kind <= edit.Valid && len(v.Model.Subgraphs[0].Operators[at].Outputs) == 1 {
			list = append(list, trail{i, size(o.From), size(o.To), o.Distance})
		}
	}
	return sorted(list)
}

// TestOverlapsAreThoseOfTheFile: what a scene says of outputs that trail inputs, without a file, is
// what the rules find in the file that comes out.
func TestOverlapsAreThoseOfTheFile(t *testing.T) {
	stages, overlaps := 0, 0
	for seed := range uint64(32) {
		row := rowOf(t, kinds[seed%2](t, seed/2), rules.DiagonalAlias)
		list := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		for k, p := range append(list, row.asIs(0, row.Len())) {
			if p.Stage != nil && k%3 > 0 {
				continue // there are many, and each is a file
			}
			f, err := row.fragment(&p, row.base())
			if err != nil {
				t.Fatal(err)
			}
			want := found(t, row, f, p.From, p.To)
			if diff := cmp.Diff(want, promised(row, f, p.From, p.To)); diff != "" {
				t.Errorf("%s, operators %d to %d, %+v: overlaps (-file +scene):\n%s", row.model.Name, p.From, p.To, p.Stage, diff)
			}
			if p.Stage != nil {
				stages, overlaps = stages+1, overlaps+len(want)
			}
		}
	}
	if stages < 20 || overlaps < 50 {
		t.Errorf("%d stages with %d overlaps are too few to tell", stages, overlaps)
	}
}

// TestOverlapsOfOperatorsAsTheyAre: the same of many kinds of operators that stay as they are.
func TestOverlapsOfOperatorsAsTheyAre(t *testing.T) {
	overlaps := 0
	for seed := range uint64(300) {
		m := parse(t, network.Draw(seed), fmt.Sprint("network ", seed))
		row := rowOf(t, m, rules.DiagonalAlias)
		p := row.asIs(0, row.Len())
		f, err := row.fragment(&p, row.base())
		if err != nil {
			t.Fatal(err)
		}
		want := found(t, row, f, 0, row.Len())
		if diff := cmp.Diff(want, promised(row, f, 0, row.Len())); diff != "" {
			t.Errorf("%s: overlaps (-file +scene):\n%s", m.Name, diff)
		}
		overlaps += len(want)
	}
	if overlaps < 50 {
		t.Errorf("%d overlaps are too few to tell", overlaps)
	}
}

// TestOverlapsLowerPeaks: a row needs no more memory with overlaps than without them, and some rows
// need less.
func TestOverlapsLowerPeaks(t *testing.T) {
	less := 0
	for seed := range uint64(40) {
		m := drawn(t, seed)
		without := rowOf(t, m, rules.OverwriteAlias)
		with := rowOf(t, m, rules.DiagonalAlias)
		a, b := without.Own(0, without.Len()), with.Own(0, with.Len())
		if b.Peak > a.Peak || b.Sure != a.Sure || a.Sure != lifetime.MaxBreadth(sample.Micro(t, m).Records()) {
			t.Errorf("%s: %+v, with overlaps %+v", m.Name, a, b)
		}
		if b.Peak < a.Peak {
			less++
		}
	}
	if less < 20 {
		t.Errorf("%d rows need less", less)
	}
}
