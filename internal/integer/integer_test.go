package integer

import (
	"testing"

	"pgregory.net/rapid"
)

func TestRoundUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, multiple := rapid.Int64Range(-1<<40, 1<<40).Draw(t, "n"), rapid.Int64Range(1, 1<<20).Draw(t, "multiple")
		if up := RoundUp(n, multiple); up%multiple != 0 || up < n || up-n >= multiple {
			t.Fatalf("RoundUp(%d, %d) = %d", n, multiple, up)
		}
	})
}

func TestGCD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(0, 300).Draw(t, "a"), rapid.Int64Range(0, 300).Draw(t, "b")
		want := max(a, b)
		for d := want; d > 0; d-- {
			if a%d == 0 && b%d == 0 {
				want = d
				break
			}
		}
		if got := GCD(a, b); got != want {
			t.Fatalf("GCD(%d, %d) = %d, want %d", a, b, got, want)
		}
	})
}
