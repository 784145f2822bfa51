package results

import (
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// TestShortfallText: ways that meet the budget, that do not, and that were not tried are three lines, and ways that are
// not allowed are one if no other meets it. A riskier way that is no better has none, and a tail that is too large by
// itself is reported.
func TestShortfallText(t *testing.T) {
	report := &shrink.Report{Steps: []shrink.Candidate{{Cost: shrink.Cost{Figures: rules.Figures{Required: 512, Used: 500, Head: 300, Tail: 200}}}}}
	s := &shrink.Shortfall{
		Required: 412,
		Ways: []shrink.Way{
			{Alias: rules.OverwriteAlias, Tried: true, Met: true, Best: shrink.Candidate{Cost: shrink.Cost{Figures: rules.Figures{Required: 96, Head: 10}, ExtraMACs: 5}}},
			{Alias: rules.DiagonalAlias, Tried: true, Met: true, Best: shrink.Candidate{Cost: shrink.Cost{Figures: rules.Figures{Required: 80, Head: 8}}}},
			{Alias: rules.UnmeasuredAlias},
			{Alias: rules.SafeAlias, Tried: true, Best: shrink.Candidate{Cost: shrink.Cost{Figures: rules.Figures{Required: 400, Head: 200}}}},
			{Alias: rules.ElementwiseAlias, Tried: true, Interrupted: true, Best: shrink.Candidate{Cost: shrink.Cost{Figures: rules.Figures{Required: 300, Head: 100}}}},
			{MaxOverhead: 1},
		},
	}
	forbidden := *s
	forbidden.Ways = slices.Clone(s.Ways[1:])
	flags := func(w *shrink.Way) string {
		if w.MaxOverhead > 0 {
			return "--max-overhead 100%"
		}
		return "--alias " + string(w.Alias)
	}
	allowed := func(w *shrink.Way) bool {
		return slices.Contains(rules.OverwriteAlias.UpTo(), w.Alias) || w.Alias == ""
	}
	text := func(s *shrink.Shortfall) string {
		var b strings.Builder
		NewShortfall(s, report, shrink.Goal{Budget: 100}, flags, allowed).text(Style{}, &b, 100)
		return b.String()
	}
	want := []string{
		"too small:    ... tail ...",
		"meets it:     --alias overwrite: required 96 B, head 10 B, ... 5.0 % more ...",
		"tried:        ... --alias safe (required 400 B, head 200 B)",
		"unfinished:   --alias elementwise (required 300 B, head 100 B), --max-overhead 100%: ... --time-limit",
	}
	if diff := golden.Like(strings.Join(want, "\n")+"\n", text(s)); diff != "" {
		t.Error(diff)
	}
	want[1] = "forbidden:    --alias diagonal ... required 80 B, head 8 B, ..."
	if diff := golden.Like(strings.Join(want, "\n")+"\n", text(&forbidden)); diff != "" {
		t.Error(diff)
	}
}
