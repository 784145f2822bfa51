package memorymap

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestLoad compares the load of random lives with a count of each half position.
func TestLoad(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const halves = 24
		var m Map
		var bytes [halves + 1]int64
		var records [halves + 1]int
		for range rapid.IntRange(1, 5).Draw(t, "records") {
			var lives []lifetime.Life
			used := map[int]bool{}
			for range rapid.IntRange(1, 4).Draw(t, "lives") {
				x := lifetime.Life{First: rapid.IntRange(0, halves-1).Draw(t, "first"), Hi: rapid.Int64Range(1, 9).Draw(t, "bytes")}
				x.Last = rapid.IntRange(x.First, halves-1).Draw(t, "last")
				lives = append(lives, x)
				for h := x.First; h <= x.Last; h++ {
					bytes[h] += x.Hi
					used[h] = true
				}
			}
			for h := range used {
				records[h]++
			}
			m.Lives = append(m.Lives, lives)
		}
		got := map[int]lifetime.Section{}
		for _, s := range m.Sections() {
			for k := s.First; k <= s.Last; k++ {
				if _, twice := got[k]; twice {
					t.Fatalf("position %d is in two sections", k)
				}
				got[k] = s
			}
		}
		for k := range halves / 2 {
			want := max(bytes[2*k], bytes[2*k+1])
			alive := max(records[2*k], records[2*k+1])
			if s := got[k]; s.Breadth != want || s.Alive != alive {
				t.Fatalf("position %d: %+v, want %d bytes and %d records", k, s, want, alive)
			}
		}
	})
}

// TestLoadOfManyPositions: memory depends on the number of lives, not of positions.
func TestLoadOfManyPositions(t *testing.T) {
	const last = 1<<30 - 2
	m := Map{Lives: [][]lifetime.Life{{{Hi: 8, First: 1, Last: 2 * last}}}}
	if got := m.Sections(); len(got) != 1 || got[0].First != 0 || got[0].Last != last || got[0].Breadth != 8 {
		t.Errorf("%+v", got)
	}
}
