package pool

import (
	"fmt"
	"sort"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
)

// newMemory returns a block that is large enough from newly reserved memory.
func (p *Pool) newMemory(bin *bin, size int64) (*Block, error) {
	if p.next > lastAddress-segmentSpace {
		return nil, fmt.Errorf("%w: there are no addresses left", ErrNoMemory)
	}
	if p.rules.expandable {
		return p.expand(bin, size), nil
	}
	segment := p.rules.segment(size)
	if p.limit > 0 && p.reserved+segment > p.limit {
		p.GiveBack()
	}
	if p.limit > 0 && p.reserved+segment > p.limit {
		return nil, fmt.Errorf("%w: %s are reserved, and a segment of %s more is above the limit of %s", ErrNoMemory, units.ExactBytes(p.reserved), units.ExactBytes(segment), units.ExactBytes(p.limit))
	}
	p.reserve(segment)
	b := &Block{address: p.next, size: segment, bin: bin}
	p.addSegment(segment, integer.RoundUp(segment, segmentSpacing))
	return b, nil
}

// A segment is a range of addresses. Size is the largest part of it that ever had memory, in bytes.
type segment struct{ address, size int64 }

// addSegment adds a segment that takes a number of addresses.
func (p *Pool) addSegment(size, addresses int64) {
	p.segments = append(p.segments, segment{p.next, size})
	p.next += addresses
}

// Compact maps addresses to offsets in a memory in which all segments ever reserved are consecutive: a
// plan of all blocks, if no segment was given back.
func (p *Pool) Compact(addresses []int64) (offsets []int64) {
	base := make([]int64, len(p.segments)+1)
	for k, s := range p.segments {
		base[k+1] = base[k] + s.size
	}
	offsets = make([]int64, len(addresses))
	for i, a := range addresses {
		k := sort.Search(len(p.segments), func(k int) bool { return p.segments[k].address > a }) - 1
		offsets[i] = base[k] + a - p.segments[k].address
	}
	return offsets
}

func (p *Pool) reserve(bytes int64) {
	p.reserved += bytes
	p.peak = max(p.peak, p.reserved)
}

// GiveBack releases empty segments to the device, except expandable ones.
func (p *Pool) GiveBack() {
	if p.rules.expandable {
		return
	}
	for _, bin := range p.order {
		for at := bin.free.First(); bin.free.Valid(at); {
			b := bin.free.At(at)
			at = bin.free.Next(at)
			if b.before == nil && b.after == nil {
				p.remove(b)
				p.reserved -= b.size
				at = bin.free.Seek(b)
			}
		}
	}
}

// segmentSpace is the number of addresses of an expandable segment, far above the memory of any device.
const segmentSpace = int64(1) << 45

// lastAddress is the end of all addresses.
const lastAddress = int64(1) << 62

// expand maps memory of an expandable segment until a free block is large enough. The block may begin
// with free memory before the mapping.
func (p *Pool) expand(bin *bin, size int64) *Block {
	var b *Block
	for at := bin.unmapped.First(); bin.unmapped.Valid(at) && b == nil; at = bin.unmapped.Next(at) {
		b = bin.unmapped.At(at)
		if b.before != nil && b.before.isFree() {
			b = b.before
		}
		if !hasRoom(b, size) {
			b = nil
		}
	}
	if b == nil {
		b = &Block{address: p.next, size: segmentSpace, bin: bin, unmapped: true}
		p.addSegment(0, segmentSpace)
		bin.unmapped.Insert(b)
	}
	if b.unmapped {
		b = p.mapped(b, min(b.size, size))
	}
	for b.size < size {
		b = p.mapped(b.after, min(size-b.size, b.after.size))
	}
	p.remove(b)
	return b
}

// hasRoom reports whether a block and its successors, up to the first one in use, have size bytes.
func hasRoom(b *Block, size int64) bool {
	var room int64
	for ; b != nil && !b.inUse && room < size; b = b.after {
		room += b.size
	}
	return room >= size
}

// mapped maps the first bytes of an unmapped block, in whole units of the segment, and returns the free
// block that contains them.
func (p *Pool) mapped(b *Block, size int64) *Block {
	unit := int64(largeSegment)
	if b.bin.key.small {
		unit = smallSegment
	}
	bytes := integer.RoundUp(size, unit)
	b.bin.unmapped.Remove(b.bin.unmapped.Seek(b))
	if bytes < b.size {
		b.bin.unmapped.Insert(p.split(b, bytes))
	}
	b.unmapped = false
	p.reserve(b.size)
	k := sort.Search(len(p.segments), func(k int) bool { return p.segments[k].address > b.address }) - 1
	s := &p.segments[k]
	s.size = max(s.size, b.address+b.size-s.address)
	b = p.merged(b)
	p.insert(b)
	return b
}
