package reference

import (
	"fmt"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// A Shape is the kind of drawn problems. Few distinct sizes and positions make many ties, which is
// where plans differ.
type Shape struct {
	Records, Positions, Length int
	Size                       int64
	Aligns                     []int64
	Pins                       bool
}

// DrawShape draws a kind of problems; pins permits pinned records.
func DrawShape(t *rapid.T, pins bool) Shape {
	aligns := rapid.SampledFrom([][]int64{{0}, {1}, {4}, {1, 2, 4}, {3, 4}, {8, 16}, {6}}).Draw(t, "aligns")
	return Shape{
		Records:   rapid.SampledFrom([]int{3, 8, 14, 40}).Draw(t, "most records"),
		Positions: rapid.SampledFrom([]int{1, 4, 12, 40}).Draw(t, "positions"),
		Length:    rapid.SampledFrom([]int{1, 3, 10}).Draw(t, "longest"),
		Size:      rapid.SampledFrom([]int64{1, 3, 10, 60}).Draw(t, "largest"),
		Aligns:    aligns,
		Pins:      pins && rapid.Bool().Draw(t, "pins"),
	}
}

// Draw returns records that every strategy accepts; least is the smallest size.
func (s Shape) Draw(t *rapid.T, least int64) []lifetime.Record {
	var records []lifetime.Record
	for range rapid.IntRange(0, s.Records).Draw(t, "n") {
		r := lifetime.Record{
			First: rapid.IntRange(-2, s.Positions).Draw(t, "first"),
			Size:  rapid.Int64Range(least, s.Size).Draw(t, "size"),
			Align: rapid.SampledFrom(s.Aligns).Draw(t, "align"),
		}
		r.Last = r.First + rapid.IntRange(0, s.Length).Draw(t, "length")
		if s.Pins && rapid.IntRange(0, 4).Draw(t, "pin") == 0 {
			r.Pinned = true
			r.Offset = r.Alignment() * rapid.Int64Range(0, 12).Draw(t, "offset")
		}
		if clearOfPins(records, r) {
			records = append(records, r)
		}
	}
	return records
}

func clearOfPins(records []lifetime.Record, r lifetime.Record) bool {
	for _, s := range records {
		if r.Pinned && s.Pinned && r.Overlaps(s) && r.Offset < s.Offset+s.Size && s.Offset < r.Offset+r.Size {
			return false
		}
	}
	return true
}

// Small returns a random problem of up to 8 records: dense, with few sizes or many, and
// sometimes alignments and pins.
func Small(r *rand.Rand) []lifetime.Record {
	records := make([]lifetime.Record, 1+r.IntN(8))
	positions, largest := 1+r.IntN(6), []int64{2, 5, 12}[r.IntN(3)]
	aligned, pinned := r.IntN(2) == 0, r.IntN(4) == 0
	for i := range records {
		first := r.IntN(positions)
		records[i] = lifetime.Record{ID: fmt.Sprint(i), First: first, Last: first + r.IntN(4), Size: 1 + r.Int64N(largest)}
		if aligned {
			records[i].Align = []int64{1, 2, 4, 3, 8, 12}[r.IntN(6)]
		}
		if pinned && r.IntN(4) == 0 {
			records[i].Pinned, records[i].Offset = true, records[i].Alignment()*r.Int64N(3)
			records[i].Pinned = clearOfPins(records[:i], records[i])
		}
	}
	return records
}
