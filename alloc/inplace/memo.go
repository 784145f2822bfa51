package inplace

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"sync"

	"github.com/tflarena/tflarena/lifetime"
)

// A Memo remembers the plans of links, so that chains which have links in common plan these once. The results
// are the same as without it. It is safe for concurrent use; a nil Memo remembers nothing.
type Memo struct {
	mu sync.Mutex
	// known has the offsets of a packing problem, nil if none were found.
	known map[digest][]int64
	// size is the approximate size of known in bytes.
	size int
}

// A digest identifies a packing problem: of a million, two are alike by chance with a probability of 1e-27.
type digest [16]byte

// memoBytes is the approximate size in bytes at which a memo forgets everything.
const memoBytes = 32 << 20

// NewMemo returns an empty memo.
func NewMemo() *Memo { return &Memo{known: map[digest][]int64{}} }

// offsets returns the offsets of a packing problem. find returns them, nil for none, and whether they are
// worth remembering.
func (m *Memo) offsets(p packing, find func() (offsets []int64, final bool)) []int64 {
	if m == nil {
		offsets, _ := find()
		return offsets
	}
	key := p.sum()
	m.mu.Lock()
	offsets, ok := m.known[key]
	m.mu.Unlock()
	if ok {
		return offsets
	}
	offsets, final := find()
	if !final {
		return offsets
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size > memoBytes {
		clear(m.known)
		m.size = 0
	}
	m.known[key], m.size = offsets, m.size+64+8*len(offsets) // 64 for the digest, the slice and the map's own data
	return offsets
}

// sum returns the hash of a packing problem, which does not depend on the time at which it begins.
func (p *packing) sum() digest {
	begin := math.MaxInt
	for _, r := range p.records {
		begin = min(begin, r.First)
	}
	var data []byte
	put := func(list ...int64) {
		for _, x := range list {
			data = binary.LittleEndian.AppendUint64(data, uint64(x))
		}
	}
	put(p.limit, p.nodes, int64(len(p.records)))
	for _, r := range p.records {
		pinned := int64(-1)
		if r.Pinned {
			pinned = r.Offset
		}
		put(int64(r.First-begin), int64(r.Last-begin), r.Size, r.Align, pinned, int64(len(r.Gaps)))
		for _, g := range r.Gaps {
			put(int64(g.First-begin), int64(g.Last-begin), g.Lo, g.Hi)
		}
	}
	for _, o := range p.overlaps {
		put(int64(o.From), int64(o.To), int64(o.At-begin), o.Distance)
	}
	h := fnv.New128a()
	h.Write(data)
	return digest(h.Sum(nil))
}

// A packing is a problem of records, some of them pinned, within a limit in bytes, with a maximum number of
// search nodes.
type packing struct {
	records      []lifetime.Record
	overlaps     []lifetime.Overlap
	limit, nodes int64
}
