package check

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

func rec(size int64, first, last int) lifetime.Record {
	return lifetime.Record{ID: "t", First: first, Last: last, Size: size}
}

func TestOffsetsLaws(t *testing.T) {
	two := []lifetime.Record{rec(10, 0, 2), rec(10, 2, 3)}
	aligned := []lifetime.Record{{Size: 3, Align: 8}}
	pinned := []lifetime.Record{{Size: 3, Pinned: true, Offset: 5}}
	empty := []lifetime.Record{rec(10, 0, 2), rec(0, 1, 1)}
	holed := []lifetime.Record{withGaps(rec(10, 0, 5), lifetime.Gap{First: 2, Last: 3, Lo: 4, Hi: 6}), rec(4, 2, 3)}
	late := []lifetime.Record{holed[0], rec(4, 2, 4)}
	away := []lifetime.Record{withGaps(rec(10, 0, 5), lifetime.Gap{First: 2, Last: 3}), rec(12, 2, 3)}
	tests := []struct {
		name    string
		records []lifetime.Record
		offsets []int64
		total   int64
		law     Law
	}{
		{"right", two, []int64{0, 10}, 20, ""},
		{"nothing", nil, nil, 0, ""},
		{"one after the other in time", []lifetime.Record{rec(10, 0, 1), rec(10, 2, 3)}, []int64{0, 0}, 10, ""},
		{"an empty tensor is in nobody's way", empty, []int64{0, 5}, 10, ""},
		{"an empty tensor needs nothing", empty, []int64{0, 50}, 10, ""},
		{"too few offsets", two, []int64{0}, 20, Length},
		{"too many offsets", two, []int64{0, 10, 20}, 20, Length},
		{"below the arena", two, []int64{-1, 10}, 20, NegativeOffset},
		{"past int64", two, []int64{0, math.MaxInt64 - 9}, 20, Overflow},
		{"misaligned", aligned, []int64{4}, 7, Alignment},
		{"unpinned", pinned, []int64{0}, 3, Pinned},
		{"sharing the last byte", two, []int64{0, 9}, 19, Overlap},
		{"at the same offset", two, []int64{0, 0}, 10, Overlap},
		{"one inside the other", []lifetime.Record{rec(10, 0, 5), rec(2, 3, 3)}, []int64{0, 4}, 10, Overlap},
		{"below a window", holed, []int64{0, 0}, 10, ""},
		{"above a window", holed, []int64{0, 6}, 10, ""},
		{"into a window from below", holed, []int64{0, 1}, 10, Overlap},
		{"into a window from above", holed, []int64{0, 5}, 10, Overlap},
		{"longer than a gap", late, []int64{0, 0}, 10, Overlap},
		{"in a gap", away, []int64{2, 0}, 12, ""},
		{"a gap saves no bytes of the total", away, []int64{4, 0}, 12, Total},
		{"total too small", two, []int64{0, 10}, 19, Total},
		{"total too large", two, []int64{0, 10}, 21, Total},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantLaw(t, Offsets(test.records, test.offsets, test.total), test.law)
		})
	}
}

func TestSharedLaws(t *testing.T) {
	two := []lifetime.Record{rec(10, 0, 2), rec(20, 3, 3)}
	clash := []lifetime.Record{rec(10, 0, 3), rec(20, 3, 3)}
	empty := []lifetime.Record{rec(10, 0, 3), rec(0, 3, 3)}
	tests := []struct {
		name    string
		records []lifetime.Record
		objects []int
		sizes   []int64
		total   int64
		law     Law
	}{
		{"right", two, []int{0, 0}, []int64{20}, 20, ""},
		{"an object that nobody uses counts", two, []int{0, 0}, []int64{20, 5}, 25, ""},
		{"nothing", nil, nil, nil, 0, ""},
		{"an empty tensor is in nobody's way", empty, []int{0, 0}, []int64{10}, 10, ""},
		{"too few objects", two, []int{0}, []int64{20}, 20, Length},
		{"no such object", two, []int{0, 1}, []int64{20}, 20, NoSuchObject},
		{"negative object", two, []int{0, -1}, []int64{20}, 20, NoSuchObject},
		{"too small", two, []int{0, 0}, []int64{19}, 19, ObjectTooSmall},
		{"both at once", clash, []int{0, 0}, []int64{20}, 20, Overlap},
		{"negative size", two, []int{0, 0}, []int64{20, -1}, 19, Overflow},
		{"past int64", two, []int{0, 0}, []int64{20, math.MaxInt64}, 20, Overflow},
		{"wrong total", two, []int{0, 0}, []int64{20}, 10, Total},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantLaw(t, Shared(test.records, test.objects, test.sizes, test.total), test.law)
		})
	}
}

func withGaps(r lifetime.Record, gaps ...lifetime.Gap) lifetime.Record {
	r.Gaps = gaps
	return r
}

func wantLaw(t *testing.T, err error, law Law) {
	t.Helper()
	var v *Violation
	switch {
	case law == "" && err != nil:
		t.Errorf("a right plan is refused: %v", err)
	case law == "":
	case !errors.As(err, &v):
		t.Errorf("got %v, want a violation of %q", err, law)
	case v.Law != law:
		t.Errorf("got %v, want a violation of %q", err, law)
	case !strings.HasPrefix(err.Error(), string(law)+": "):
		t.Errorf("the message does not begin with the law: %v", err)
	}
}

func TestViolationNamesBothTensors(t *testing.T) {
	records := []lifetime.Record{
		{ID: "0:7", Name: "conv", First: 0, Last: 2, Size: 10},
		{ID: "0:9", Name: "add", First: 2, Last: 3, Size: 10},
	}
	err := Offsets(records, []int64{0, 4}, 14)
	want := "overlap: record 0 (0:7 conv, positions 0 to 2) in bytes [0, 10) and " +
		"record 1 (0:9 add, positions 2 to 3) in bytes [4, 14)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestViolationSaysWhenWithGaps(t *testing.T) {
	records := []lifetime.Record{
		withGaps(lifetime.Record{ID: "a", First: 0, Last: 9, Size: 10}, lifetime.Gap{First: 3, Last: 4, Lo: 8, Hi: 10}),
		{ID: "b", First: 3, Last: 4, Size: 9},
	}
	err := Offsets(records, []int64{0, 0}, 10)
	want := "overlap: record 0 (a, positions 0 to 9) in bytes [8, 10) at positions 3 to 4 and " +
		"record 1 (b, positions 3 to 4) in bytes [0, 9)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestBadRecordsAreNoViolation(t *testing.T) {
	bad := []lifetime.Record{rec(-1, 0, 0)}
	for _, err := range []error{Offsets(bad, []int64{0}, 0), Shared(bad, []int{0}, []int64{0}, 0)} {
		if v := (*Violation)(nil); err == nil || errors.As(err, &v) {
			t.Errorf("got %v, want the records' own error", err)
		}
	}
}

func drawRecords(t *rapid.T) []lifetime.Record {
	records := make([]lifetime.Record, rapid.IntRange(0, 12).Draw(t, "n"))
	for i := range records {
		first := rapid.IntRange(-3, 12).Draw(t, "first")
		records[i] = rec(rapid.Int64Range(0, 4).Draw(t, "size"), first, first+rapid.IntRange(0, 6).Draw(t, "length"))
	}
	return records
}

// TestOffsetsAgreesWithPairs compares with the law in its plainest form: no two of
// all pairs collide. Half of the drawn plans are wrong.
func TestOffsetsAgreesWithPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t)
		room := rapid.SampledFrom([]int64{5, 20, 200}).Draw(t, "room")
		offsets := make([]int64, len(records))
		pairs := map[[2]int]bool{}
		var total int64
		for i, r := range records {
			offsets[i] = rapid.Int64Range(0, room).Draw(t, "offset")
			if r.Size > 0 {
				total = max(total, offsets[i]+r.Size)
			}
			for j, s := range records[:i] {
				if r.Size > 0 && s.Size > 0 && r.Overlaps(s) &&
					max(offsets[i], offsets[j]) < min(offsets[i]+r.Size, offsets[j]+s.Size) {
					pairs[[2]int{j, i}] = true
				}
			}
		}
		agree(t, Offsets(records, offsets, total), pairs)
	})
}

// TestOffsetsAgreesWithBytes compares with a table of who holds which byte at which
// position, the law of gaps and windows in its plainest form.
func TestOffsetsAgreesWithBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t)
		room := rapid.SampledFrom([]int64{5, 20, 60}).Draw(t, "room")
		offsets := make([]int64, len(records))
		type cell struct {
			position int
			address  int64
		}
		holders := map[cell][]int{}
		pairs := map[[2]int]bool{}
		var total int64
		for i := range records {
			drawGaps(t, &records[i])
			offsets[i] = rapid.Int64Range(0, room).Draw(t, "offset")
			if r := records[i]; r.Size > 0 {
				total = max(total, offsets[i]+r.Size)
			}
			for p := records[i].First; p <= records[i].Last; p++ {
				lo, hi := int64(0), records[i].Size
				for _, g := range records[i].Gaps {
					if g.First <= p && p <= g.Last {
						lo, hi = g.Lo, g.Hi
					}
				}
				for b := lo; b < hi; b++ {
					at := cell{p, offsets[i] + b}
					for _, j := range holders[at] {
						pairs[[2]int{j, i}] = true
					}
					holders[at] = append(holders[at], i)
				}
			}
		}
		agree(t, Offsets(records, offsets, total), pairs)
	})
}

// drawGaps gives r gaps that records may have.
func drawGaps(t *rapid.T, r *lifetime.Record) {
	for p := r.First; p <= r.Last; p++ {
		if !rapid.Bool().Draw(t, "gap") {
			continue
		}
		g := lifetime.Gap{First: p, Last: rapid.IntRange(p, r.Last).Draw(t, "gap's last")}
		g.Lo = rapid.Int64Range(0, r.Size).Draw(t, "lo")
		g.Hi = rapid.Int64Range(g.Lo, r.Size).Draw(t, "hi")
		r.Gaps = append(r.Gaps, g)
		p = g.Last
	}
}

func TestSharedAgreesWithPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t)
		sizes := make([]int64, rapid.SampledFrom([]int{1, 4, 12, 60}).Draw(t, "objects"))
		objects := make([]int, len(records))
		pairs := map[[2]int]bool{}
		for i, r := range records {
			objects[i] = rapid.IntRange(0, len(sizes)-1).Draw(t, "object")
			sizes[objects[i]] = max(sizes[objects[i]], r.Size)
			for j, s := range records[:i] {
				if r.Size > 0 && s.Size > 0 && r.Overlaps(s) && objects[i] == objects[j] {
					pairs[[2]int{j, i}] = true
				}
			}
		}
		var total int64
		for _, size := range sizes {
			total += size
		}
		agree(t, Shared(records, objects, sizes, total), pairs)
	})
}

// agree fails unless err names one of the colliding pairs, or is nil without any.
func agree(t *rapid.T, err error, pairs map[[2]int]bool) {
	t.Helper()
	if len(pairs) == 0 {
		if err != nil {
			t.Fatalf("no pair collides, got %v", err)
		}
		return
	}
	var v *Violation
	if !errors.As(err, &v) || v.Law != Overlap || !pairs[[2]int{v.Record, v.Other}] {
		t.Fatalf("got %v, want one of the pairs %v", err, pairs)
	}
}

// TestRankSet compares with a map, over enough numbers for three levels.
func TestRankSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 64*64 + 100
		set, members := newRankSet(n), map[int]bool{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := rapid.OneOf(rapid.IntRange(0, n-1), rapid.IntRange(0, 70)).Draw(t, "k")
			if rapid.Bool().Draw(t, "add") {
				set.add(k)
				members[k] = true
			} else {
				set.remove(k)
				delete(members, k)
			}
			at := rapid.OneOf(rapid.IntRange(0, n-1), rapid.IntRange(0, 70)).Draw(t, "at")
			before, after := -1, -1
			for m := range members {
				if m < at {
					before = max(before, m)
				}
				if m > at && (after < 0 || m < after) {
					after = m
				}
			}
			if set.before(at) != before || set.after(at) != after {
				t.Fatalf("around %d: got %d and %d, want %d and %d", at, set.before(at), set.after(at), before, after)
			}
		}
	})
}

func BenchmarkOffsets(b *testing.B) {
	const n = 1_000_000
	for name, length := range map[string]int{"chain": 1, "all alive": n} {
		b.Run(name, func(b *testing.B) {
			records, offsets := make([]lifetime.Record, n), make([]int64, n)
			for i := range records {
				records[i] = rec(16, i, i+length)
				offsets[i] = 16 * int64(i%(length+1))
			}
			for b.Loop() {
				if err := Offsets(records, offsets, 16*int64(min(length+1, n))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
