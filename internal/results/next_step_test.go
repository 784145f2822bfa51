package results

import "testing"

func TestNextStep(t *testing.T) {
	for _, c := range []struct {
		gains gains
		want  Step
	}{
		{gains{disordered: true, asIs: 9, withPlan: 5}, StepBlocked},
		{gains{runs: true, disordered: true, asIs: 9, withPlan: 5}, StepSort},
		{gains{runs: true, asIs: 9, withPlan: 5, withOrder: 4, inPieces: 1}, StepReorder},
		{gains{runs: true, asIs: 9, withPlan: 5, withOrder: 9, inPieces: 1}, StepRewrite},
		{gains{runs: true, asIs: 9, withPlan: 9, inPieces: 1}, StepFit},
		{gains{runs: true, asIs: 9, withPlan: 9, withOrder: 10, inPieces: 9}, StepNone},
		{gains{runs: true, asIs: 9}, StepNone},
	} {
		if got := c.gains.next(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.gains, got, c.want)
		}
	}
}
