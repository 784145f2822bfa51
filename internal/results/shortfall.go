package results

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

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
	// Attempts to meet the budget, in their order.
	Ways []FitWay `json:"ways"`
}

// A FitWay is flags with their result. The figures are zero if time ended before.
type FitWay struct {
	// Flags tried in addition to the given ones, or in their place.
	Flags string `json:"flags"`
	// Whether the project file allows the level of in-place outputs; `next` names no other.
	Allowed bool `json:"allowed"`
	// Whether the search found something before the time limit.
	Tried       bool `json:"tried"`
	Interrupted bool `json:"interrupted"`
	// Whether the budgets are met.
	Met bool `json:"met"`
	rules.Figures
	ExtraMACs int64 `json:"extra_macs"`
}

// NewShortfall returns an explanation as a result. flags returns the command-line flags of a way, and allowed reports
// whether it may be proposed.
func NewShortfall(s *shrink.Shortfall, r *shrink.Report, g shrink.Goal, flags func(*shrink.Way) string, allowed func(*shrink.Way) bool) *Shortfall {
	f := &Shortfall{HeadBytes: s.Head, RequiredBytes: s.Required, TailAlone: g.Budget > 0 && leastTail(r) >= g.Budget, Ways: []FitWay{}}
	for i := range s.Ways {
		w := &s.Ways[i]
		way := FitWay{Flags: flags(w), Allowed: allowed(w), Tried: w.Tried, Interrupted: w.Interrupted, Met: w.Met}
		if w.Tried {
			way.Figures, way.ExtraMACs = w.Best.Stated(), w.Best.ExtraMACs
		}
		f.Ways = append(f.Ways, way)
	}
	return f
}

// text writes the explanation, for a model with macs multiply-accumulates.
func (f *Shortfall) text(s Style, b *strings.Builder, macs int64) {
	if f == nil {
		return
	}
	if f.TailAlone {
		s.line(b, "too small", "the tail alone is larger than the budget, and no change to the plan makes it smaller")
	}
	var missed, unfinished []string
	for i, w := range f.Ways {
		if f.superfluous(i) {
			continue
		}
		result := fmt.Sprintf("required %s, head %s, for %s", s.bytes(w.Required), s.bytes(w.Head), inFull(extraWork(w.ExtraMACs, macs)))
		switch {
		case !w.Tried && w.Allowed:
			unfinished = append(unfinished, w.Flags)
		case !w.Tried:
		case w.Met && !w.Allowed:
			s.line(b, "forbidden", fmt.Sprintf("%s meets it, but the project file does not allow that level: %s", w.Flags, result))
		case w.Met:
			s.line(b, "meets it", s.Paint.Good(w.Flags)+": "+result)
		default:
			list := &missed
			if w.Interrupted {
				list = &unfinished
			}
			*list = append(*list, fmt.Sprintf("%s (required %s B, head %s B)", w.Flags, s.exact(w.Required), s.exact(w.Head)))
		}
	}
	if len(missed) > 0 {
		s.line(b, "tried", "these do not meet it either: "+strings.Join(missed, ", "))
	}
	if len(unfinished) > 0 {
		s.line(b, "unfinished", strings.Join(unfinished, ", ")+": time limit reached; use a longer --time-limit")
	}
}

// superfluous reports whether a way meets the budget no better than a safer one for the same work, or is not allowed
// while an allowed one meets it.
func (f *Shortfall) superfluous(i int) bool {
	w := f.Ways[i]
	return w.Met && (!w.Allowed && slices.ContainsFunc(f.Ways, func(o FitWay) bool { return o.Met && o.Allowed }) ||
		slices.ContainsFunc(f.Ways[:i], func(o FitWay) bool {
			return o.Met && o.Allowed == w.Allowed && o.Required <= w.Required && o.Head <= w.Head && o.ExtraMACs == w.ExtraMACs
		}))
}

// leastTail returns the smallest tail of the steps in bytes.
func leastTail(r *shrink.Report) int64 {
	return slices.MinFunc(r.Steps, func(a, b shrink.Candidate) int { return cmp.Compare(a.Tail, b.Tail) }).Tail
}
