package diagonal

import (
	"testing"

	"pgregory.net/rapid"
)

// A body of a nest: the end of its writes and the start of its reads, if any.
type body struct {
	end, low      int64
	writes, reads bool
}

// bodies runs a nest.
func bodies(loops []Loop, so body) []body {
	if len(loops) == 0 {
		return []body{so}
	}
	var list []body
	for _, r := range loops[0] {
		list = append(list, bodies(loops[1:], body{so.end + r.Writes, so.low + r.Reads, so.writes && !r.WritesNone, so.reads && !r.ReadsNone})...)
	}
	return list
}

// Distance is the largest difference between the end of a body's writes and the start of the
// reads of a later one, or, for pieces, of itself.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := Nest{Unit: rapid.Int64Range(1, 8).Draw(t, "unit"), Pieces: rapid.Bool().Draw(t, "pieces")}
		for range rapid.IntRange(0, 4).Draw(t, "loops") {
			var l Loop
			for range rapid.IntRange(1, 4).Draw(t, "rounds") {
				l = append(l, Round{
					Writes: rapid.Int64Range(-20, 20).Draw(t, "writes"), Reads: rapid.Int64Range(-20, 20).Draw(t, "reads"),
					WritesNone: rapid.IntRange(0, 5).Draw(t, "writes none") == 0, ReadsNone: rapid.IntRange(0, 5).Draw(t, "reads none") == 0,
				})
			}
			n.Loops = append(n.Loops, l)
		}
		want := int64(None)
		list := bodies(n.Loops, body{writes: true, reads: true})
		for i, a := range list {
			for j, b := range list {
				if a.writes && b.reads && (i < j || i == j && n.Pieces) {
					want = max(want, a.end+n.Unit-b.low)
				}
			}
		}
		if got := n.Distance(); got != want {
			t.Errorf("%+v: %d, not %d", n, got, want)
		}
	})
}

// Even omits rounds that make no difference.
func TestEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all, few Nest
		for range rapid.IntRange(1, 3).Draw(t, "loops") {
			n, writes, reads := rapid.Int64Range(1, 7).Draw(t, "n"), rapid.Int64Range(-5, 5).Draw(t, "writes"), rapid.Int64Range(-5, 5).Draw(t, "reads")
			var l Loop
			for i := range n {
				l = append(l, Round{Writes: i * writes, Reads: i * reads})
			}
			all.Loops, few.Loops = append(all.Loops, l), append(few.Loops, Even(n, writes, reads))
		}
		all.Pieces = rapid.Bool().Draw(t, "pieces")
		few.Pieces = all.Pieces
		if all.Distance() != few.Distance() {
			t.Errorf("%+v: %d, not %d", few, few.Distance(), all.Distance())
		}
	})
	if l := Even(1<<40, 3, 2); len(l) != 4 || l[3].Writes != 3*(1<<40-1) {
		t.Errorf("%+v", l)
	}
}
