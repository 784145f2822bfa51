package strip

import (
	"context"
	"math"

	"github.com/tflarena/tflarena/alloc/internal/problem"
	"github.com/tflarena/tflarena/internal/integer"
)

// A packer packs records along a skyline repeatedly: as [Pack], but for any ranking of the records, and
// in arrays by position that are allocated once.
type packer struct {
	records problem.Records
	time    problem.Timeline
	skyline skyline
	waiting rankTree
	pins    pins
	// load is the bytes alive at each position, rest the part of it that is not placed yet. rest is
	// kept only under a limit.
	load, rest []int64
	offsets    []int64
	work       int // approximate number of visited positions, in all runs
}

// packPlacement is the work of placing a record besides the positions it is alive at.
const packPlacement = 32

func newPacker(records problem.Records) *packer {
	time := problem.NewTimeline(records)
	return &packer{
		records: records, time: time,
		skyline: newSkyline(time.Count), waiting: newRankTree(records, time), pins: newPins(records, time),
		load: problem.Loads(records, time), rest: make([]int64, time.Count),
		offsets: make([]int64, len(records)),
	}
}

// unlimited is a limit above all totals.
const unlimited = int64(math.MaxInt64)

// pack places all records, of those that fit the lowest line the first in order, and returns the total
// in bytes. It returns unlimited as soon as the total must exceed limit: if a line plus all waiting
// records above it does. It also gives up under a limit when all runs together exceed the work of a
// search, since long intervals make that quadratic.
func (k *packer) pack(ctx context.Context, order []int, limit int64) (int64, error) {
	total := k.start(order)
	pulse := problem.Pulse{Context: ctx}
	for left := len(order) - len(k.pins.order); left > 0; {
		if err := pulse.Err(); err != nil {
			return unlimited, err
		}
		l := k.skyline.lowest()
		if k.pins.next() <= l.height {
			k.raiseOverPin()
			continue
		}
		i := k.waiting.best(l, k.pins.clear(l.height))
		if i < 0 {
			to := min(k.skyline.lowerNeighbour(l), k.pins.next())
			if limit < unlimited && k.exceeds(l, to, limit) {
				return unlimited, nil
			}
			k.skyline.replace(l, line{l.first, l.last, to})
			continue
		}
		total = max(total, k.put(i, l))
		if total > limit || limit < unlimited && k.work > searchWork {
			return unlimited, nil
		}
		if limit < unlimited {
			k.settle(i)
		}
		left--
	}
	return total, nil
}

// start makes all records but the pinned ones wait, and returns the end of the pinned ones.
func (k *packer) start(order []int) (end int64) {
	k.skyline.reset()
	k.waiting.fill(order)
	copy(k.rest, k.load)
	k.pins.passed = 0
	for _, i := range k.pins.order {
		k.offsets[i] = k.records[i].Offset
		k.waiting.remove(i)
		end = max(end, k.records[i].Offset+k.records[i].Size)
	}
	return end
}

// raiseOverPin lifts every line below the end of the next pinned record to that end.
func (k *packer) raiseOverPin() {
	i := k.pins.pass()
	k.skyline.raise(k.time.First[i], k.time.Last[i], k.records[i].Offset+k.records[i].Size)
}

// put places record i on l and returns its end.
func (k *packer) put(i int, l line) int64 {
	r := &k.records[i]
	k.offsets[i] = integer.RoundUp(l.height, r.Alignment())
	end := k.offsets[i] + r.Size
	first, last := k.time.First[i], k.time.Last[i]
	k.skyline.replace(l,
		line{l.first, first - 1, l.height}, line{last + 1, l.last, l.height}, line{first, last, end})
	k.waiting.remove(i)
	k.work += packPlacement
	return end
}

// settle removes record i from the waiting bytes.
func (k *packer) settle(i int) {
	first, last := k.time.First[i], k.time.Last[i]
	for p := first; p <= last; p++ {
		k.rest[p] -= k.records[i].Size
	}
	k.work += last - first
}

// exceeds reports whether l lifted to a height forces the total above limit.
func (k *packer) exceeds(l line, height, limit int64) bool {
	k.work += l.last - l.first
	for _, rest := range k.rest[l.first : l.last+1] {
		if height+rest > limit {
			return true
		}
	}
	return false
}

// packAlong packs by one order.
func packAlong(ctx context.Context, records problem.Records, order []int) ([]int64, error) {
	if len(records) == 0 {
		return nil, nil
	}
	k := newPacker(records)
	_, err := k.pack(ctx, order, unlimited)
	return k.offsets, err
}
