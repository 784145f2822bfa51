package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite/fit"
)

// A Shortfall explains a budget that is not met.
type Shortfall struct {
	// HeadBytes and ArenaBytes are what is too much, zero where nothing is.
	HeadBytes  int64 `json:"head_missed_by_bytes"`
	ArenaBytes int64 `json:"arena_missed_by_bytes"`
	// TailAlone says that the tail by itself is larger than the budget of the arena.
	TailAlone bool `json:"tail_alone"`
	// Bottleneck is the operator at the peak, nil where nothing is planned.
	Bottleneck *Bottleneck `json:"bottleneck"`
	// Ways are flags that were tried in the place of the ones given, or besides them.
	Ways []FitWay `json:"ways"`
}

// A Bottleneck is the operator at which most bytes are in use.
type Bottleneck struct {
	// Subgraph and Operator are indexes in the file that was found; Operator is -1 for what is in
	// use before any runs.
	Subgraph int    `json:"subgraph"`
	Operator int    `json:"operator"`
	Name     string `json:"name"`
	// Bytes are those in use as if no output took over an input; TakeoversLeftOut says that
	// some do, so that the head is less than the sum. ScratchBytes of them are scratch.
	Bytes            int64              `json:"breadth_bytes"`
	ScratchBytes     int64              `json:"scratch_bytes"`
	TakeoversLeftOut bool               `json:"takeovers_left_out"`
	Tensors          []BottleneckTensor `json:"tensors"`
	// Reasons say why it is not cut, or not cut further.
	Reasons []string `json:"reasons"`
}

// A BottleneckTensor is a tensor that is in use at a bottleneck.
type BottleneckTensor struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Bytes int64  `json:"size_bytes"`
}

// A FitWay is flags with what they lead to. The figures are zero where time was over before.
type FitWay struct {
	Flags              string `json:"flags"`
	Tried              bool   `json:"tried"`
	Met                bool   `json:"met"`
	HeadBytes          int64  `json:"head_bytes"`
	SmallestArenaBytes int64  `json:"smallest_arena_bytes"`
	ExtraMACs          int64  `json:"extra_macs"`
}

// NewShortfall returns an explanation as a result. flags says what a way is on the command line.
func NewShortfall(s *fit.Shortfall, r *fit.Report, g fit.Goal, flags func(w *fit.Way) string) *Shortfall {
	best := &r.Rungs[r.Best]
	f := &Shortfall{HeadBytes: s.Head, ArenaBytes: s.Arena, TailAlone: g.Arena > 0 && best.Tail >= g.Arena, Ways: []FitWay{}}
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
			way.HeadBytes, way.SmallestArenaBytes, way.ExtraMACs = w.Best.Head, w.Best.Smallest, w.Best.ExtraMACs
		}
		f.Ways = append(f.Ways, way)
	}
	return f
}

// shownTensors is how many tensors of a bottleneck people see.
const shownTensors = 4

// text writes the explanation, for a model whose own multiply-accumulates are macs.
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
			s.line(b, "meets it", fmt.Sprintf("%s: smallest arena %s, head %s, for %s",
				s.Paint.Good(w.Flags), s.bytes(w.SmallestArenaBytes), s.bytes(w.HeadBytes), inFull(extraWork(w.ExtraMACs, macs))))
		default:
			missed = append(missed, fmt.Sprintf("%s (smallest arena %s B, head %s B)", w.Flags, s.exact(w.SmallestArenaBytes), s.exact(w.HeadBytes)))
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
