package shrink

import (
	"errors"
	"testing"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

func TestVerdict(t *testing.T) {
	one, two := make([]Candidate, 1), make([]Candidate, 2)
	for _, c := range []struct {
		name   string
		report Report
		goal   Goal
		want   Verdict
	}{
		{"the least head", Report{Steps: two}, Goal{}, Gained},
		{"the least head so far", Report{Steps: two, Interrupted: true}, Goal{}, Gained},
		{"nothing", Report{Steps: one}, Goal{}, NothingToGain},
		{"nothing in time", Report{Steps: one, Interrupted: true}, Goal{}, OutOfTime},
		{"another tool's", Report{Steps: one, Foreign: "x"}, Goal{}, ForeignStays},
		{"another tool's, and forced", Report{Steps: one, Foreign: "x"}, Goal{Force: true}, NothingToGain},
		{"within the budget as it is", Report{Steps: one, Met: true}, Goal{Budget: 1}, NothingToGain},
		{"within the budget", Report{Steps: two, Met: true}, Goal{HeadBudget: 1}, Gained},
		{"above the budget", Report{Steps: two}, Goal{HeadBudget: 1}, Unmet},
		{"above the budget so far", Report{Steps: two, Interrupted: true}, Goal{Budget: 1}, UnmetSoFar},
		{"above the budget, another tool's", Report{Steps: one, Foreign: "x"}, Goal{Budget: 1}, Unmet},
	} {
		c.report.Best = len(c.report.Steps) - 1
		m := &tflite.Model{Data: []byte("model")}
		o, err := c.report.Outcome(m, c.goal)
		if err != nil || o.Verdict != c.want || string(o.Data) != "model" || o.ForeignLost {
			t.Errorf("%s: %+v, %v, want %d", c.name, o, err, c.want)
		}
		if o.Verdict.Writes() != (c.goal.HeadBudget == 0 && c.goal.Budget == 0 || c.report.Met) {
			t.Errorf("%s: written: %v", c.name, o.Verdict.Writes())
		}
	}
}

// A file that cannot even be read is our fault, and not the model's.
func TestFault(t *testing.T) {
	r := Report{Steps: []Candidate{{}, {Data: []byte("no model")}}, Best: 1}
	var fault *rewrite.FaultError
	if _, err := r.Outcome(&tflite.Model{}, Goal{}); !errors.As(err, &fault) {
		t.Error(err)
	}
}
