package shrink

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// TestWorthwhile: the least arena for little work, and none where nothing is smaller.
func TestWorthwhile(t *testing.T) {
	point := func(smallest, extra int64) Point {
		return Point{Candidate: Candidate{Cost: Cost{Figures: rules.Figures{Required: smallest}, Overhead: float64(extra) / 100}}}
	}
	plain := Level{Points: []Point{point(90, 0), point(70, 5), point(60, 6)}}
	s := Survey{Own: Candidate{Cost: Cost{Figures: rules.Figures{Required: 100}}}, OwnMACs: 100, Levels: []Level{plain, {Points: []Point{point(10, 0)}}}}
	if p, ok := s.Worthwhile(); !ok || p.Required != 70 {
		t.Errorf("%+v, %v, want 70 bytes", p, ok)
	}
	for _, none := range []Survey{{}, {Own: Candidate{Cost: Cost{Figures: rules.Figures{Required: 60}}}, OwnMACs: 100, Levels: s.Levels}} {
		if p, ok := none.Worthwhile(); ok {
			t.Errorf("%+v of %+v", p, none)
		}
	}
}
