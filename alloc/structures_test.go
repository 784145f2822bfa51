package alloc

import (
	"cmp"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

// TestSortedList compares with a sorted slice, over enough items for many blocks.
func TestSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := sortedList[int]{compare: func(a, b int) int { return cmp.Compare(a, b) }}
		var want []int
		number := rapid.IntRange(0, 4000)
		for range rapid.IntRange(1, 4).Draw(t, "phases") {
			adding := rapid.Bool().Draw(t, "adding")
			from, count := number.Draw(t, "from"), rapid.IntRange(0, 600).Draw(t, "count")
			stride := rapid.SampledFrom([]int{1, -1, 7, 1009}).Draw(t, "stride")
			for k := range count {
				item := ((from+k*stride)%4001 + 4001) % 4001
				at, found := slices.BinarySearch(want, item)
				switch {
				case adding && !found:
					list.insert(item)
					want = slices.Insert(want, at, item)
				case !adding && found:
					list.remove(list.seek(item))
					want = slices.Delete(want, at, at+1)
				}
			}
		}
		var got, back []int
		for at := list.first(); list.valid(at); at = list.next(at) {
			got = append(got, list.at(at))
		}
		for at := list.prev(list.end()); list.valid(at); at = list.prev(at) {
			back = append(back, list.at(at))
		}
		slices.Reverse(back)
		if !slices.Equal(got, want) || !slices.Equal(back, want) {
			t.Fatalf("forwards %v\nbackwards %v\nwant %v", got, back, want)
		}
		for range 20 {
			item := number.Draw(t, "sought")
			k, _ := slices.BinarySearch(want, item)
			at := list.seek(item)
			if list.valid(at) != (k < len(want)) || k < len(want) && list.at(at) != want[k] {
				t.Fatalf("seek %d: got %v, want item %d of %v", item, at, k, want)
			}
		}
	})
}

// TestOccupancy compares with a bitmap of time and bytes.
func TestOccupancy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bytes = 40
		times := rapid.IntRange(1, 33).Draw(t, "times")
		o := newOccupancy(times)
		used := make([][bytes]bool, times)
		window := func() (int, int) {
			first := rapid.IntRange(0, times-1).Draw(t, "first")
			return first, rapid.IntRange(first, times-1).Draw(t, "last")
		}
		for range rapid.IntRange(0, 30).Draw(t, "spans") {
			first, last := window()
			lo := rapid.Int64Range(0, bytes-1).Draw(t, "lo")
			hi := rapid.Int64Range(lo+1, min(lo+6, bytes)).Draw(t, "hi")
			o.add(first, last, span{lo, hi})
			for p := first; p <= last; p++ {
				for b := lo; b < hi; b++ {
					used[p][b] = true
				}
			}
			first, last = window()
			var want []span
			for b := range int64(bytes) {
				taken := false
				for p := first; p <= last; p++ {
					taken = taken || used[p][b]
				}
				if k := len(want) - 1; taken && k >= 0 && want[k].hi == b {
					want[k].hi++
				} else if taken {
					want = append(want, span{b, b + 1})
				}
			}
			if got := o.taken(first, last); !slices.Equal(got, want) {
				t.Fatalf("taken from %d to %d: got %v, want %v", first, last, got, want)
			}
		}
	})
}

func TestHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOf(rapid.IntRange(0, 20)).Draw(t, "items")
		h := heap[int]{less: func(a, b int) bool { return a < b }}
		for _, item := range items {
			h.push(item)
		}
		slices.Sort(items)
		for _, item := range items {
			if top := h.top(); top != item || h.pop() != item {
				t.Fatalf("got %d, want %d", top, item)
			}
		}
	})
}

// TestBusiest compares with an occupancy, which has its own test.
func TestBusiest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawShape(t, false).draw(t, 1)
		time := newTimeline(records)
		busiest := newBusiest(time, rapid.IntRange(0, 8).Draw(t, "enough"))
		plain := newOccupancy(time.count)
		for i, r := range records {
			got, want := busiest.taken(time.first[i], time.last[i]), plain.taken(time.first[i], time.last[i])
			if !slices.Equal(got, want) {
				t.Fatalf("record %d: got %v, want %v", i, got, want)
			}
			lo := rapid.Int64Range(0, 60).Draw(t, "lo")
			busiest.add(time.first[i], time.last[i], span{lo, lo + r.Size})
			plain.add(time.first[i], time.last[i], span{lo, lo + r.Size})
		}
	})
}

// crowds returns problems of n records unlike any network: many alive at once, as
// many stages as records, ties between most objects.
func crowds(n int) map[string]Records {
	random := rand.New(rand.NewPCG(3, uint64(n)))
	crowds := map[string]Records{}
	add := func(name string, record func(i int) lifetime.Record) {
		for i := range n {
			crowds[name] = append(crowds[name], record(i))
		}
	}
	gap := func(i int) lifetime.Record {
		return lifetime.Record{First: i, Last: n + random.IntN(n), Size: 1 + random.Int64N(40), Align: []int64{1, 3, 64}[random.IntN(3)]}
	}
	add("gaps", gap)
	add("gaps and strays", func(i int) lifetime.Record {
		r := gap(i)
		if i%8 == 0 {
			r.First = random.IntN(2 * n)
			r.Last = r.First + random.IntN(20)
		}
		return r
	})
	add("comb", func(i int) lifetime.Record {
		return lifetime.Record{Last: i % 2 * (n - 1), Size: int64(i + 1)}
	})
	add("stair", func(i int) lifetime.Record {
		return lifetime.Record{First: i, Last: i + n/3, Size: int64(2*n - i)}
	})
	add("teeth", func(i int) lifetime.Record { // those at 2 tie all idle objects
		if i%2 == 0 {
			return lifetime.Record{Size: int64(2 * (n - i))}
		}
		return lifetime.Record{First: 2 - i%3, Last: 2, Size: int64(2*n - 3*i/2)}
	})
	return crowds
}

// TestManyRecordsMatchDefinitions goes where drawn problems are too small to go:
// objects with hundreds of uses, skylines with hundreds of lines.
func TestManyRecordsMatchDefinitions(t *testing.T) {
	many, layers := 300, 700
	if testing.Short() { // the definitions take cubic time
		many, layers = 150, 200
	}
	problems := crowds(many)
	problems["network"] = network(layers)
	for problem, records := range problems {
		t.Run(problem, func(t *testing.T) { matchDefinitions(t, records) })
	}
}

func matchDefinitions(t *testing.T, records Records) {
	for name, define := range sharedDefinitions {
		records := records
		if name == "min-cost-flow" {
			records = records[:100] // its definition takes cubic time
		}
		want, plan := define(records), solve(t, records, Shared, name)
		if diff := gocmp.Diff(want.of, plan.Objects); diff != "" {
			t.Errorf("shared %s: definition - strategy +:\n%s", name, diff)
		}
	}
	for name, define := range offsetsDefinitions {
		records := records
		if name == stripOrdersName {
			records = records[:150] // its definition looks at all records for each piece of the skyline
		}
		if diff := gocmp.Diff(define(records), solve(t, records, Offsets, name).Offsets); diff != "" {
			t.Errorf("offsets %s: definition - strategy +:\n%s", name, diff)
		}
	}
}
