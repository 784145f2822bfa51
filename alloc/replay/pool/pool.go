package pool

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/alloc/internal/sets"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
)

// ErrNoMemory is the error of [Pool.Alloc] if the limit would be exceeded.
var ErrNoMemory = errors.New("the pool is out of memory")

// ErrNotInUse is the error of [Pool.Free] for an address at which no block in use begins.
var ErrNotInUse = errors.New("no block in use begins there")

// maxSize is the largest block, in bytes.
const maxSize = int64(1) << 43

// A Pool is a simulated allocator. It is not safe for concurrent use.
type Pool struct {
	rules     rules
	limit     int64 // 0 is unlimited
	bins      map[binKey]*bin
	last      *bin             // the last result of [Pool.bin]
	order     []*bin           // in order of creation
	inUse     map[int64]*Block // by [Pool.Alloc]
	unused    []*Block         // free list of merged blocks
	searchKey Block            // the key of a search in a bin
	next      int64            // the next segment's address
	serial    int64
	segments  []segment
	reserved  int64
	peak      int64
}

// NewCaching returns PyTorch's caching allocator with its default settings, or with expandable
// segments. A positive limit is the largest number of reserved bytes; the pool releases empty segments
// before an allocation fails. It has no effect on expandable segments.
func NewCaching(expandable bool, limit int64) *Pool {
	if expandable {
		return newPool(expandableRules, 0)
	}
	return newPool(cachingRules, limit)
}

// NewChainer returns the memory pool of Chainer 3. The limit is as for [NewCaching].
func NewChainer(limit int64) *Pool { return newPool(chainerRules, limit) }

func newPool(r rules, limit int64) *Pool {
	return &Pool{rules: r, limit: limit, bins: map[binKey]*bin{}, inUse: map[int64]*Block{}, next: addressSpace}
}

// Reserved returns the number of reserved bytes.
func (p *Pool) Reserved() int64 { return p.reserved }

// Peak returns the largest number of reserved bytes so far.
func (p *Pool) Peak() int64 { return p.peak }

// A binKey selects the free blocks that may serve a request: blocks of the same lane (a stream and a
// private pool) and kind of segment.
type binKey struct {
	lane  int
	small bool
}

type bin struct {
	key binKey
	// free are the free blocks by size, and unmapped the parts of expandable segments without memory,
	// by address.
	free, unmapped sets.SortedList[*Block]
}

// A Block is a part of a segment. The parts of a segment are a list in order of addresses.
type Block struct {
	address, size   int64
	before, after   *Block
	bin             *bin
	inUse, unmapped bool
	freed           int64 // when it became free
}

// Alloc returns the address of a block of a lane. An empty block takes the least size.
func (p *Pool) Alloc(lane int, size int64) (address int64, err error) {
	b, err := p.Request(lane, size)
	if err != nil {
		return 0, err
	}
	p.inUse[b.address] = b
	return b.address, nil
}

// Free frees a block by the address that [Pool.Alloc] returned.
func (p *Pool) Free(address int64) error {
	b := p.inUse[address]
	if b == nil {
		return fmt.Errorf("address %#x: %w", address, ErrNotInUse)
	}
	delete(p.inUse, address)
	return p.Release(b)
}

// Request is [Pool.Alloc] for callers that keep the block, for [Pool.Release]. Looking up millions of
// blocks by address takes a fifth of the time of a simulation.
func (p *Pool) Request(lane int, size int64) (*Block, error) {
	if size < 0 || size > maxSize {
		return nil, fmt.Errorf("%w: a block of %s", ErrNoMemory, units.ExactBytes(size))
	}
	size = max(integer.RoundUp(size, granule), granule)
	bin := p.bin(binKey{lane, p.rules.small(size)})
	b := p.bestFit(bin, size)
	if b == nil {
		var err error
		if b, err = p.newMemory(bin, size); err != nil {
			return nil, err
		}
	}
	if rest := b.size - size; p.rules.splits(bin.key.small, rest) {
		p.insert(p.split(b, size))
	}
	b.inUse = true
	return b, nil
}

// Release frees a block that [Pool.Request] returned, and merges it with its free neighbours. The block
// is invalid afterwards.
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
