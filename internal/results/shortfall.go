package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// A Shortfall explains a budget that is not met.
type Shortfall struct {
	// Excess of the head over its budget, in bytes; 0 if it is met or there is none.
	HeadBytes int64 `json:"head_missed_by_bytes"`
	// Excess of the required arena over its budget, in bytes; 0 if it is met or there is none.
	RequiredBytes int64 `json:"required_missed_by_bytes"`
	// Whether the tail by itself exceeds the budget of the arena.
	TailAlone bool `json:"tail_alone"`
	// Operator at the peak of the model reached. Null if nothing is planned.
	Bottleneck *Bottleneck `json:"bottleneck"`
	// Attempts to meet the budget, in their order.
	Ways []FitWay `json:"ways"`
}

// A Bottleneck is the operator with the most bytes in use.
type Bottleneck struct {
	Subgraph int `json:"subgraph"`
	// Index of the operator in the model reached; -1 before the first one runs.
	Operator int `json:"operator"`
	// Kind of the operator, such as CONV_2D, or its custom code.
	Name string `json:"name"`
	// Live bytes at this operator: the sum of the sizes of its live tensors and scratch, as if no output were in
	// place.
	Bytes int64 `json:"breadth_bytes"`
	// Part of the live bytes at the operator that is scratch of its kernel.
	ScratchBytes int64 `json:"scratch_bytes"`
	// Whether outputs are in place there. breadth_bytes counts them as if they were not.
	TakeoversLeftOut bool `json:"in_place_left_out"`
	// Live tensors and scratch at the operator.
	Tensors []BottleneckTensor `json:"tensors"`
	// Why the operator is not tiled, or not tiled further, for people.
	Reasons []string `json:"reasons"`
}

// A BottleneckTensor is a tensor in use at a bottleneck.
type BottleneckTensor struct {
	ID string `json:"id"`
	// Name in the file.
	Name string `json:"name"`
	// Memory of the tensor in bytes, as the runtime rounds it.
	Bytes int64 `json:"size_bytes"`
}

// A FitWay is flags with their result. The figures are zero if time ended before.
type FitWay struct {
	// Flags tried in addition to the given ones, or in their place.
	Flags string `json:"flags"`
	// Whether the search finished before the time limit.
	Tried bool `json:"tried"`
	// Whether the budgets are met.
	Met bool `json:"met"`
	rules.Figures
	ExtraMACs int64 `json:"extra_macs"`
}

// NewShortfall returns an explanation as a result. flags returns the command-line flags of a way.
func NewShortfall(s *shrink.Shortfall, r *shrink.Report, g shrink.Goal, flags func(w *shrink.Way) string) *Shortfall {
	best := &r.Rungs[r.Best]
	f := &Shortfall{HeadBytes: s.Head, RequiredBytes: s.Required, TailAlone: g.Budget > 0 && best.Tail >= g.Budget, Ways: []FitWay{}}
	if b := s.Bottleneck; b != nil {
		f.Bottleneck = &Bottleneck{Subgraph: b.Subgraph, Operator: b.Operator, Name: b.Name, Bytes: b.Bytes, ScratchBytes: b.Scratch, TakeoversLeftOut: best.Takeovers > 0, Tensors: []BottleneckTensor{}, Reasons: present(b.Reasons)}
		for _, t := range b.Tensors {
			f.Bottleneck.Tensors = append(f.Bottleneck.Tensors, BottleneckTensor{ID: t.ID, Name: t.Name, Bytes: t.Bytes})
		}
	}
	for i := range s.Ways {
		w := &s.Ways[i]
		way := FitWay{Flags: flags(w), Tried: w.Tried, Met: w.Met}
		if w.Tried {
			way.Figures, way.ExtraMACs = w.Best.Stated(), w.Best.ExtraMACs
		}
		f.Ways = append(f.Ways, way)
	}
	return f
}

// shownTensors is the number of tensors of a bottleneck in text.
const shownTensors = 4

// text writes the explanation, for a model with macs multiply-accumulates.
func (f *Shortfall) text(s Style, b *strings.Builder, macs int64) {
	if f == nil {
		return
	}
	if f.TailAlone {
		s.line(b, "too small", "the tail alone is larger than the budget, and no change to the plan makes it smaller")
	}
	if n := f.Bottleneck; n != nil {
		n.text(s, b)
	}
	var missed, untried []string
	for _, w := range f.Ways {
		switch {
		case !w.Tried:
			untried = append(untried, w.Flags)
		case w.Met:
			s.line(b, "meets it", fmt.Sprintf("%s: required %s, head %s, for %s",
				s.Paint.Good(w.Flags), s.bytes(w.Required), s.bytes(w.Head), inFull(extraWork(w.ExtraMACs, macs))))
		default:
			missed = append(missed, fmt.Sprintf("%s (required %s B, head %s B)", w.Flags, s.exact(w.Required), s.exact(w.Head)))
		}
	}
	if len(missed) > 0 {
		s.line(b, "tried", "these do not meet it either: "+strings.Join(missed, ", "))
	}
	if len(untried) > 0 {
		s.line(b, "not tried", strings.Join(untried, ", ")+": there was no time for it; allow more with --time-limit")
	}
}

func (n *Bottleneck) text(s Style, b *strings.Builder) {
	what := "before the first operator"
	if n.Operator >= 0 {
		what = fmt.Sprintf("operator %d:%d %s", n.Subgraph, n.Operator, tables.Printable(n.Name))
	}
	var list []string
	if n.ScratchBytes > 0 {
		list = append(list, fmt.Sprintf("scratch of %s B", s.exact(n.ScratchBytes)))
	}
	for i, t := range n.Tensors {
		if i == shownTensors {
			list = append(list, fmt.Sprintf("%d more", len(n.Tensors)-i))
			break
		}
		tensor := fmt.Sprintf("%s of %s B", t.ID, s.exact(t.Bytes))
		if i == 0 {
			tensor = "tensors " + tensor
		}
		list = append(list, tensor)
	}
	left := ""
	if n.TakeoversLeftOut {
		left = ", before outputs take over inputs"
	}
	s.line(b, "binds", fmt.Sprintf("%s needs %s%s: %s", what, s.bytes(n.Bytes), left, strings.Join(list, ", ")))
	for _, why := range n.Reasons {
		s.line(b, "because", why)
	}
}
