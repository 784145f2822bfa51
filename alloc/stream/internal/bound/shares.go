package bound

import (
	"cmp"
	"math/bits"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// totalIntervals is the number of intervals of totals of resident bytes.
const totalIntervals = 200

// Shares returns a bound of the latency in a feasible budget that divides memory between resident and
// prefetched weights.
//
// Let the resident weights have total bytes. At the end of compute v memory holds the live bytes, the
// resident weights and the streamed weights of layer v; the rest can hold prefetched weights. Let
// ahead(v) be the most loading time of these. It is zero if the next layer that loads has more bytes
// than the rest, since loads are in the order of layers and memory is held for the whole layer. A run
// takes at least
//
//	the time of all loads - the time of resident loads + the sum of max(0, compute(v) - ahead(v)).
//
// Resident weights gain the time of their loads, and leave more room in the step of their layer and for
// the load of their layer. The most that they can gain is a fractional knapsack problem. The bound is
// the least over all totals, in intervals: the room follows from the lower end of each, and the gain
// from its upper end.
func Shares(net *network.Network, budget int64) time.Duration {
	b := newBounder(net, budget)
	b.tensors = byLayer(net)
	most := residents(net, b.live, b.weights, b.budget)
	step := max((most+totalIntervals-1)/totalIntervals, 1)
	s := &sharer{bounder: b, ahead: b.aheads(), next: b.nexts()}
	least := time.Duration(1<<63 - 1)
	for total := int64(0); total <= most; total += step {
		latency := time.Duration(0)
		for _, s.ordered = range []bool{false, true} {
			latency = max(latency, s.latency(total, min(total+step, most)))
		}
		least = min(least, latency)
	}
	return least
}

// nexts returns for each layer the next one that loads, or 0.
func (b *bounder) nexts() []int {
	nexts := make([]int, len(b.live))
	next := 0
	for v := len(nexts) - 1; v >= 0; v-- {
		nexts[v] = next
		if b.net.Layers[v].Load > 0 {
			next = v
		}
	}
	return nexts
}

// A sharer computes the bound for totals of residents.
type sharer struct {
	*bounder
	ahead []laterLoads
	next  []int
	// ordered is set to respect the order of loads: runs lose more, and resident weights gain more.
	ordered bool
	// For the current total: the room at the end of each compute, and the time that each layer may
	// lose because the next layer that loads has no room.
	room, blocked []int64
	blocks        [][]int // the layers that each layer blocks
}

// latency returns the bound for resident weights of atLeast to atMost bytes, both inclusive.
func (s *sharer) latency(atLeast, atMost int64) time.Duration {
	fixed := s.prepare(atLeast) // in 1/fine nanoseconds, like all times here
	var pieces []piece
	for v := range s.live {
		pieces = append(pieces, s.gains(v)...)
	}
	slices.SortStableFunc(pieces, steeper)
	for _, p := range pieces {
		part := min(p.bytes, atMost)
		fixed -= int64(network.Share(time.Duration(p.gain), part, p.bytes))
		if atMost -= part; atMost == 0 {
			break
		}
	}
	return time.Duration((fixed + unitsPerNanosecond - 1) / unitsPerNanosecond) // a latency is a whole number of nanoseconds
}

// prepare sets the fields for a total and returns the time of the run if resident weights gain nothing.
func (s *sharer) prepare(total int64) (fixed int64) {
	n := len(s.live)
	s.room, s.blocked, s.blocks = make([]int64, n), make([]int64, n), make([][]int, n)
	for v := 1; v < n; v++ {
		s.room[v] = s.budget - total - s.live[v] - s.weights[v]
		fixed += int64(s.net.Layers[v].Load) * unitsPerNanosecond
		if len(s.tensors[v]) > maxSubsetWeights {
			continue // gains ignores the room of its resident weights
		}
		stall := s.stall(v, s.room[v])
		fixed += stall
		if w := s.next[v]; s.ordered && w > 0 && s.weights[w] > s.room[v] && len(s.tensors[w]) <= maxSubsetWeights {
			s.blocked[v] = int64(s.net.Layers[v].Compute)*unitsPerNanosecond - stall
			s.blocks[w] = append(s.blocks[w], v)
			fixed += s.blocked[v]
		}
	}
	return fixed
}

// stall returns the least time by which compute v exceeds what room bytes can prefetch during it.
func (s *sharer) stall(v int, room int64) int64 {
	return max(0, int64(s.net.Layers[v].Compute)*unitsPerNanosecond-s.ahead[v].most(room))
}

// gains returns the gains of resident weights of layer v.
func (s *sharer) gains(v int) []piece {
	if len(s.tensors[v]) > maxSubsetWeights { // too many subsets
		var pieces []piece
		for _, t := range s.tensors[v] {
			pieces = append(pieces, piece{t.bytes, t.time})
		}
		return pieces
	}
	options := []piece{{}}
	for _, t := range s.tensors[v] {
		for _, o := range slices.Clone(options) {
			options = append(options, piece{o.bytes + t.bytes, o.gain + t.time})
		}
	}
	for i := range options {
		options[i].gain += s.relief(v, options[i].bytes)
	}
	return hull(options)
}

// relief returns the time gained by more room if some bytes of layer v are resident: in its own step,
// and in the steps of earlier layers that wait for room for it. If the bytes of two layers give room
// only together, each has its part of the gain.
func (s *sharer) relief(v int, bytes int64) (gain int64) {
	if v == 0 {
		return 0
	}
	gain = s.stall(v, s.room[v]) - s.stall(v, s.room[v]+bytes) + s.unblocked(v, bytes)
	for _, u := range s.blocks[v] {
		gain += s.unblocked(u, bytes)
	}
	return gain
}

// unblocked returns the time gained by additional bytes of room if the next load has no room during
// compute v.
func (s *sharer) unblocked(v int, bytes int64) int64 {
	if s.blocked[v] == 0 {
		return 0
	}
	missing := s.weights[s.next[v]] - max(s.room[v], 0)
	return int64(network.Share(time.Duration(s.blocked[v]), min(bytes, missing), missing))
}

// A piece is a number of resident bytes, and the time that they gain.
type piece struct{ bytes, gain int64 }

// hull returns the upper concave hull of options, as pieces of falling gain per byte.
func hull(options []piece) []piece {
	slices.SortStableFunc(options, func(a, b piece) int { return cmp.Or(cmp.Compare(a.bytes, b.bytes), cmp.Compare(b.gain, a.gain)) })
	corners := options[:1:1]
	for _, o := range options[1:] {
		last := corners[len(corners)-1]
		if o.bytes == last.bytes || o.gain <= last.gain {
			continue
		}
		for len(corners) > 1 && steeper(between(corners[len(corners)-1], o), between(corners[len(corners)-2], corners[len(corners)-1])) <= 0 {
			corners = corners[:len(corners)-1]
		}
		corners = append(corners, o)
	}
	pieces := make([]piece, 0, len(corners))
	for i := 1; i < len(corners); i++ {
		pieces = append(pieces, between(corners[i-1], corners[i]))
	}
	return pieces
}

func between(a, b piece) piece { return piece{b.bytes - a.bytes, b.gain - a.gain} }

// steeper compares the gains per byte of two non-empty pieces without rounding. The greater one comes
// first.
func steeper(a, b piece) int {
	ah, al := bits.Mul64(uint64(a.gain), uint64(b.bytes))
	bh, bl := bits.Mul64(uint64(b.gain), uint64(a.bytes))
	return cmp.Or(cmp.Compare(bh, ah), cmp.Compare(bl, al))
}
