package lifetime

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/property"
)

// drawGaps draws gaps that CheckRecords accepts, many of them side by side.
func drawGaps(t *rapid.T, r Record) []Gap {
	var gaps []Gap
	for p := r.First; p <= r.Last; p++ {
		if rapid.IntRange(0, 2).Draw(t, "gap") > 0 {
			continue
		}
		g := Gap{First: p, Last: rapid.IntRange(p, r.Last).Draw(t, "gap's last")}
		g.Lo = rapid.Int64Range(0, r.Size).Draw(t, "lo")
		g.Hi = rapid.Int64Range(g.Lo, r.Size).Draw(t, "hi")
		gaps = append(gaps, g)
		p = g.Last
	}
	return gaps
}

// slowHeld computes the bytes of a record at a position from the definition.
func slowHeld(r Record, position int) int64 {
	held := r.Size
	for _, g := range r.Gaps {
		if g.First <= position && position <= g.Last {
			held = g.Hi - g.Lo
		}
	}
	if position < r.First || position > r.Last {
		return 0
	}
	return held
}

// TestMeet: records meet if both hold a byte at some position.
func TestMeet(t *testing.T) {
	met, apart := 0, 0
	property.Until(t, func() bool { return met > 0 && apart > 0 }, func(t *rapid.T) {
		var records [2]Record
		var at [2]int64
		held := map[[2]int64]int{} // by byte and position
		for k := range records {
			r := Record{First: rapid.IntRange(-1, 8).Draw(t, "first"), Size: rapid.Int64Range(0, 8).Draw(t, "size")}
			r.Last = r.First + rapid.IntRange(0, 8).Draw(t, "length")
			r.Gaps = drawGaps(t, r)
			records[k], at[k] = r, rapid.Int64Range(0, 8).Draw(t, "offset")
			for p := range r.Pieces {
				for b := p.Lo; b < p.Hi; b++ {
					for i := p.First; i <= p.Last; i++ {
						held[[2]int64{at[k] + b, int64(i)}]++
					}
				}
			}
		}
		want := false
		for _, n := range held {
			want = want || n > 1
		}
		if got := Meet(records[0], records[1], at[0], at[1]); got != want {
			t.Fatalf("%+v at %d and %+v at %d: got %t, want %t", records[0], at[0], records[1], at[1], got, want)
		}
		if want {
			met++
		} else if records[0].Overlaps(records[1]) {
			apart++
		}
	})
}

func TestPieces(t *testing.T) {
	r := Record{First: 2, Last: 9, Size: 8}
	for _, tt := range []struct {
		gaps []Gap
		want []Piece
	}{
		{nil, []Piece{{2, 9, 0, 8}}},
		{[]Gap{{4, 5, 0, 0}}, []Piece{{2, 3, 0, 8}, {6, 9, 0, 8}}},
		{[]Gap{{2, 5, 3, 3}}, []Piece{{6, 9, 0, 8}}},
		{[]Gap{{4, 9, 0, 0}}, []Piece{{2, 3, 0, 8}}},
		{[]Gap{{2, 9, 0, 0}}, nil},
		{[]Gap{{2, 9, 1, 7}}, []Piece{{2, 9, 1, 7}}},
		{[]Gap{{3, 3, 1, 2}, {4, 5, 2, 3}, {8, 8, 0, 0}}, []Piece{{2, 2, 0, 8}, {3, 3, 1, 2}, {4, 5, 2, 3}, {6, 7, 0, 8}, {9, 9, 0, 8}}},
	} {
		r.Gaps = tt.gaps
		if err := CheckRecords([]Record{r}); err != nil {
			t.Errorf("%v: %v", tt.gaps, err)
		}
		var got []Piece
		for p := range r.Pieces {
			got = append(got, p)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.gaps, diff)
		}
		for range r.Pieces {
			break // a caller may stop early
		}
	}
}

func TestPiecesHoldWhatGapsLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := problem(t)
		if err := CheckRecords(records); err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			last := r.First - 1
			for p := range r.Pieces {
				if p.First <= last || p.First > p.Last || p.Last > r.Last {
					t.Fatalf("%+v has the piece %+v after position %d", r, p, last)
				}
				last = p.Last
			}
			for p := r.First - 1; p <= r.Last+1; p++ {
				if got, _ := r.held(p); got != slowHeld(r, p) {
					t.Fatalf("%+v holds %d bytes at %d, want %d", r, got, p, slowHeld(r, p))
				}
			}
		}
	})
}

// A record that never holds a byte needs none.
func TestAllInAGap(t *testing.T) {
	records := []Record{{First: 0, Last: 4, Size: 8, Gaps: []Gap{{0, 4, 0, 0}}}}
	if len(Sections(records)) != 0 || MaxBreadth(records) != 0 || SharedBound(records) != 0 {
		t.Errorf("sections %v, breadth %d, shared bound %d", Sections(records), MaxBreadth(records), SharedBound(records))
	}
}

// PiecesTogether takes time linear in the number of pieces, with as many gaps as a file can
// have in both records.
func TestPiecesTogether(t *testing.T) {
	const n = 200_000
	record := func(shift int) Record {
		r := Record{Last: 4 * n, Size: 2}
		for k := range n {
			r.Gaps = append(r.Gaps, Gap{First: 4*k + shift, Last: 4*k + 1 + shift, Hi: 1})
		}
		return r
	}
	r, s := record(0), record(1)
	met := 0
	for p, q := range PiecesTogether(r, s) {
		if p.First > q.Last || q.First > p.Last {
			t.Fatalf("%+v and %+v have no position in common", p, q)
		}
		met++
	}
	if most := 2*len(r.Gaps) + 2*len(s.Gaps) + 2; met < n || met > most {
		t.Errorf("%d pairs of pieces, want at most %d", met, most)
	}
	if got := Forbidden([]Record{r, s}, nil, nil)(0, 1); len(got) != 1 || got[0] != (Range{-1, 1}) {
		t.Errorf("forbidden: %v", got)
	}
}
