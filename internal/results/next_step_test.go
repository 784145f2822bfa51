package results

import "testing"

func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		gains arenas
		want  Step
	}{
		{arenas{disordered: true, asIs: 9, withPlan: 5}, StepBlocked},
		{arenas{repairable: true, disordered: true, asIs: 9, withPlan: 5}, StepRepair},
		{arenas{runs: true, disordered: true, asIs: 9, withPlan: 5}, StepSort},
		{arenas{runs: true, asIs: 9, withPlan: 5, withOrder: 4, tiled: 4}, StepReorder},
		{arenas{runs: true, asIs: 9, withPlan: 5, withOrder: 9, tiled: 6}, StepRewrite},
		{arenas{runs: true, asIs: 9, withPlan: 5, withOrder: 4, tiled: 3}, StepFit},
		{arenas{runs: true, asIs: 9, withPlan: 5, withOrder: 5, tiled: 5}, StepRewrite},
		{arenas{runs: true, asIs: 9, withPlan: 9, withOrder: 10, tiled: 9}, StepNone},
		{arenas{runs: true, asIs: 9}, StepNone},
	} {
		if got := c.gains.next(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.gains, got, c.want)
		}
	}
}
