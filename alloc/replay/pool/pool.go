package pool

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
)

// ErrNoMemory is [Pool.Alloc]'s error where the limit leaves no room.
var ErrNoMemory = errors.New("the pool is out of memory")

// ErrNotInUse is [Pool.Free]'s error for an address that no block in use begins at.
var ErrNotInUse = errors.New("no block in use begins there")

// maxSize is the largest block, in bytes.
const maxSize = int64(1) << 43

// A Pool is a simulated allocator. It is not safe for concurrent use.
type Pool struct {
	rules    rules
	limit    int64 // 0: any amount
	bins     map[binKey]*bin
	last     *bin             // the one that was asked for last
	order    []*bin           // as they were made
	inUse    map[int64]*Block // of [Pool.Alloc]
	spare    []*Block         // their memory is used again
	wanted   Block            // what is looked for in a bin
	next     int64            // the next segment's address
	serial   int64
	segments []segment
	reserved int64
	peak     int64
}

// NewCaching returns PyTorch's caching allocator with its default settings, or with expandable
// segments. A limit above zero is how many bytes may be reserved at the same time: segments in
// which nothing is in use are given back before an allocation fails. It has no effect on
// expandable segments.
func NewCaching(expandable bool, limit int64) *Pool {
	if expandable {
		return newPool(expandableRules, 0)
	}
	return newPool(cachingRules, limit)
}

// NewChainer returns the memory pool of Chainer 3. The limit is as that of [NewCaching].
func NewChainer(limit int64) *Pool { return newPool(chainerRules, limit) }

func newPool(r rules, limit int64) *Pool {
	return &Pool{rules: r, limit: limit, bins: map[binKey]*bin{}, inUse: map[int64]*Block{}, next: addressSpace}
}

// Reserved returns how many bytes the pool has from the device, and Peak the most it ever had.
func (p *Pool) Reserved() int64 { return p.reserved }

// Peak returns the most bytes that were reserved at the same time.
func (p *Pool) Peak() int64 { return p.peak }

// A binKey says which free blocks may serve a request: those of the same lane, which stands for
// a stream and a private pool, and kind of segment.
type binKey struct {
	lane  int
	small bool
}

type bin struct {
	key binKey
	// free are the free blocks by size, unmapped the parts of expandable segments that have
	// no memory, by address.
	free, unmapped sets.SortedList[*Block]
}

// A Block is a part of a segment; the parts of a segment are linked in the order of addresses.
type Block struct {
	address, size   int64
	before, behind  *Block
	bin             *bin
	inUse, unmapped bool
	freed           int64 // when it became free
}

// Alloc returns the address of a block of a lane. A block of no bytes is one of the least size.
func (p *Pool) Alloc(lane int, size int64) (address int64, err error) {
	b, err := p.Request(lane, size)
	if err != nil {
		return 0, err
	}
	p.inUse[b.address] = b
	return b.address, nil
}

// Free makes a block free that [Pool.Alloc] returned the address of.
func (p *Pool) Free(address int64) error {
	b := p.inUse[address]
	if b == nil {
		return fmt.Errorf("address %#x: %w", address, ErrNotInUse)
	}
	delete(p.inUse, address)
	return p.Release(b)
}

// Request is [Pool.Alloc] for those who keep the block. Looking up millions of blocks by their
// addresses takes a fifth of a simulation's time.
func (p *Pool) Request(lane int, size int64) (*Block, error) {
	if size < 0 || size > maxSize {
		return nil, fmt.Errorf("%w: a block of %s", ErrNoMemory, units.ExactBytes(size))
	}
	size = max(integer.RoundUp(size, granule), granule)
	bin := p.bin(binKey{lane, p.rules.small(size)})
	b := p.bestFit(bin, size)
	if b == nil {
		var err error
		if b, err = p.fresh(bin, size); err != nil {
			return nil, err
		}
	}
	if rest := b.size - size; p.rules.splits(bin.key.small, rest) {
		p.insert(p.cut(b, size))
	}
	b.inUse = true
	return b, nil
}

// Release makes a block free that [Pool.Request] returned, and one with its free neighbours. Nobody
// may use the block after that.
func (p *Pool) Release(b *Block) error {
	if !b.inUse {
		return fmt.Errorf("address %#x: %w", b.address, ErrNotInUse)
	}
	b.inUse = false
	p.insert(p.merged(b))
	return nil
}

func (p *Pool) bin(key binKey) *bin {
	if p.last != nil && p.last.key == key {
		return p.last
	}
	b := p.bins[key]
	if b == nil {
		b = &bin{key: key}
		b.free.Compare = bySize
		if p.rules.lastFirst {
			b.free.Compare = byLastFreed
		}
		b.unmapped.Compare = func(a, b *Block) int { return sign(a.address - b.address) }
		p.bins[key] = b
		p.order = append(p.order, b)
	}
	p.last = b
	return b
}

func bySize(a, b *Block) int {
	if a.size != b.size {
		return sign(a.size - b.size)
	}
	return sign(a.address - b.address)
}

func byLastFreed(a, b *Block) int {
	if a.size != b.size {
		return sign(a.size - b.size)
	}
	return sign(b.freed - a.freed)
}

func sign(n int64) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
