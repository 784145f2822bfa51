package route

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/fit/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
)

// A loop is a way to compute a run that package parts does not know: in so many bytes, and in as
// many operators as there were.
type loop struct {
	bytes    int64
	from, to int
}

func (l loop) Cost() (parts.Cost, error) {
	return parts.Cost{Peak: l.bytes, Sure: l.bytes, Tail: 100}, nil
}

func (l loop) Fragment(int) (*split.Fragment, error) {
	f := &split.Fragment{}
	for i := l.from; i < l.to; i++ {
		f.Operators = append(f.Operators, edit.Operator{Kind: edit.Piece, Of: i})
	}
	return f, nil
}

func (l loop) Link() (*inplace.Link, error) {
	return inplace.NewLink([]lifetime.Record{{Last: 1, Size: l.bytes, Align: parts.Align}}, nil, nil, -1, -1), nil
}

func (l loop) Stage() *split.Stage { return &split.Stage{First: l.from, Last: l.to - 1} }

// TestOtherCandidates: a way to compute a run that is like no other is taken where it is the only
// one that fits, is left where something costs less, and is written as it says.
func TestOtherCandidates(t *testing.T) {
	row, list := drawn(t, 1, rules.NoAlias)
	whole := row.AsIs(0, row.Len()).Cost.Peak
	l := loop{bytes: parts.Align, from: 0, to: row.Len()}
	cost, err := l.Cost()
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, parts.Part{From: l.from, To: l.to, By: l, Cost: cost})
	front := parts.Frontier(t.Context(), list, row.Len())
	if got := front[len(front)-1].Stages(); !cmp.Equal(got, []split.Stage{*l.Stage()}) {
		t.Errorf("the path of the least peak is %+v", got)
	}
	for _, limit := range []int64{parts.Align, whole} {
		p, ok := New(row, list).Router(t.Context(), Budget{Limit: limit, Peak: limit, Plans: plenty}).Cheapest(prices[1])
		if stages := p.Stages(); !ok || (limit < whole) != (len(stages) == 1) {
			t.Errorf("within %d: %t with %+v", limit, ok, stages)
		}
	}
	e, err := row.Edit(&front[len(front)-1])
	if want, _ := l.Fragment(0); err != nil || !cmp.Equal(e.Operators, want.Operators) {
		t.Errorf("%v: %+v", err, e.Operators)
	}
}
