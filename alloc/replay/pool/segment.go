package pool

import "fmt"

// fresh returns a block that is large enough from memory that was not reserved before.
func (p *Pool) fresh(bin *bin, size int64) (*block, error) {
	if p.next > lastAddress-segmentSpace {
		return nil, fmt.Errorf("%w: there are no addresses left", ErrNoMemory)
	}
	if p.rules.expandable {
		return p.expand(bin, size), nil
	}
	segment := p.rules.segment(size)
	if p.limit > 0 && p.reserved+segment > p.limit {
		p.giveBack()
	}
	if p.limit > 0 && p.reserved+segment > p.limit {
		return nil, fmt.Errorf("%w: %d bytes are reserved, and a segment of %d bytes more is above the limit of %d", ErrNoMemory, p.reserved, segment, p.limit)
	}
	p.reserve(segment)
	b := &block{address: p.next, size: segment, bin: bin}
	p.next += roundUp(segment, segmentsApart)
	return b, nil
}

func (p *Pool) reserve(bytes int64) {
	p.reserved += bytes
	p.peak = max(p.peak, p.reserved)
}

// giveBack returns the segments in which nothing is in use to the device.
func (p *Pool) giveBack() {
	for _, bin := range p.order {
		for at := bin.free.First(); bin.free.Valid(at); {
			b := bin.free.At(at)
			at = bin.free.Next(at)
			if b.before == nil && b.behind == nil {
				p.remove(b)
				p.reserved -= b.size
				at = bin.free.Seek(b)
			}
		}
	}
}

// segmentSpace is how many addresses an expandable segment has: far more than any device has
// memory.
const segmentSpace = int64(1) << 45

// lastAddress is where addresses end.
const lastAddress = int64(1) << 62

// expand gives memory to addresses of an expandable segment, until a free block is large enough.
// Such a block may begin with what is free in front of them.
func (p *Pool) expand(bin *bin, size int64) *block {
	var b *block
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
		b = &block{address: p.next, size: segmentSpace, bin: bin, unmapped: true}
		p.next += segmentSpace
		bin.unmapped.Insert(b)
	}
	if b.unmapped {
		b = p.mapped(b, min(b.size, size))
	}
	for b.size < size {
		b = p.mapped(b.behind, min(size-b.size, b.behind.size))
	}
	p.remove(b)
	return b
}

// hasRoom reports whether a block and those behind it, up to one in use, have room.
func hasRoom(b *block, size int64) bool {
	var room int64
	for ; b != nil && !b.inUse && room < size; b = b.behind {
		room += b.size
	}
	return room >= size
}

// mapped gives memory to the first bytes of a block without any, in whole units of the segment,
// and returns the free block that has them.
func (p *Pool) mapped(b *block, size int64) *block {
	unit := int64(largeSegment)
	if b.bin.key.small {
		unit = smallSegment
	}
	bytes := roundUp(size, unit)
	b.bin.unmapped.Remove(b.bin.unmapped.Seek(b))
	if bytes < b.size {
		b.bin.unmapped.Insert(b.cut(bytes))
	}
	b.unmapped = false
	p.reserve(b.size)
	b = p.merged(b)
	p.insert(b)
	return b
}
