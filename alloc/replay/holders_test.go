package replay

import (
	"fmt"
	"math/rand"
	"testing"
)

func TestHolders(t *testing.T) {
	d := device("+a100", "+b10", "+c3")
	for i, stack := range []int32{0, 1, 0} {
		d.Events[i].Stack = stack
		d.Events[i].Block += 1000
	}
	d.Recorded = true
	d.Segments = []Segment{{Address: 1000 + 'a', Size: 1000}, {Address: 5000, Size: 70}, {Address: 100_000, Size: 1}}
	d.Events[1].Block = 5000
	tr := &Trace{Caller: func(stack int32) (string, string) { return fmt.Sprint("f", stack), "x.py" }}
	holders, empty := newProfile(d, 16).Holders(tr, 2)
	want := "[{f0 x.py 2 128 897} {f1 x.py 1 16 60}] 1"
	if got := fmt.Sprint(holders, empty); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRegions compares with a list of bytes.
func TestRegions(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		regions := newReservedRanges(nil)
		var reserved [60]bool
		for range 40 {
			from, size := r.Intn(50), 1+r.Intn(9)
			taken := 0
			for i := from; i < from+size; i++ {
				if reserved[i] {
					taken++
				}
			}
			switch {
			case taken == 0:
				regions.add(Segment{Address: uint64(from), Size: int64(size)}, r.Intn(2) == 0)
			case taken == size && segmentOf(regions.list, uint64(from)) == segmentOf(regions.list, uint64(from+size-1)):
				regions.remove(uint64(from), int64(size))
			default:
				continue
			}
			for i := from; i < from+size; i++ {
				reserved[i] = taken == 0
			}
			for i, want := range reserved {
				if got := segmentOf(regions.list, uint64(i)) >= 0; got != want {
					t.Fatalf("seed %d: byte %d is reserved: %v, want %v: %v", seed, i, got, want, regions.list)
				}
			}
		}
	}
}
