package advice

import "testing"

func TestFor(t *testing.T) {
	for _, c := range []struct {
		known Known
		want  Advice
	}{
		{Known{Disordered: true, AsIs: 9, WithPlan: 5}, Leave},
		{Known{Runs: true, Disordered: true, AsIs: 9, WithPlan: 5}, Mend},
		{Known{Runs: true, AsIs: 9, WithPlan: 5, WithOrder: 4, InPieces: 1}, Reorder},
		{Known{Runs: true, AsIs: 9, WithPlan: 5, WithOrder: 9, InPieces: 1}, Replan},
		{Known{Runs: true, AsIs: 9, WithPlan: 9, InPieces: 1}, Cut},
		{Known{Runs: true, AsIs: 9, WithPlan: 9, WithOrder: 10, InPieces: 9}, Keep},
		{Known{Runs: true, AsIs: 9}, Keep},
	} {
		if got := For(c.known); got != c.want {
			t.Errorf("%+v: %d, want %d", c.known, got, c.want)
		}
	}
}
