package pool

import "math"

// bestFit removes the smallest free block that is large enough from a bin. It returns nil if there is
// none.
func (p *Pool) bestFit(bin *bin, size int64) *Block {
	p.searchKey = Block{size: size, address: -1, freed: math.MaxInt64}
	at := bin.free.Seek(&p.searchKey)
	if !bin.free.Valid(at) {
		return nil
	}
	b := bin.free.At(at)
	if p.rules.expandable {
		// A block at the end of the mapped memory counts with the size that it could grow to, so that
		// others are preferred.
		for next := bin.free.Next(at); bin.free.Valid(next) && bin.free.At(next).sizeWithUnmapped() < b.sizeWithUnmapped(); next = bin.free.Next(next) {
			b = bin.free.At(next)
		}
	}
	p.remove(b)
	return b
}

// sizeWithUnmapped returns the size of a block together with the unmapped addresses after it.
func (b *Block) sizeWithUnmapped() int64 {
	if b.after != nil && b.after.unmapped {
		return b.size + b.after.size
	}
	return b.size
}

// insert puts a free block into its bin.
func (p *Pool) insert(b *Block) {
	p.serial++
	b.freed = p.serial
	b.bin.free.Insert(b)
}

func (p *Pool) remove(b *Block) { b.bin.free.Remove(b.bin.free.Seek(b)) }

// split cuts a block after size bytes and returns the rest.
func (p *Pool) split(b *Block, size int64) *Block {
	rest := p.block()
	*rest = Block{address: b.address + size, size: b.size - size, before: b, after: b.after, bin: b.bin, unmapped: b.unmapped}
	if rest.after != nil {
		rest.after.before = rest
	}
	b.after, b.size = rest, size
	return rest
}

// block returns a new block, or one from the free list of merged blocks.
func (p *Pool) block() *Block {
	last := len(p.unused) - 1
	if last < 0 {
		return new(Block)
	}
	b := p.unused[last]
	p.unused = p.unused[:last]
	return b
}

// merged merges a free block that is in no bin with its free neighbours.
func (p *Pool) merged(b *Block) *Block {
	if a := b.before; a != nil && a.isFree() {
		p.remove(a)
		b.address, b.size, b.before = a.address, a.size+b.size, a.before
		if b.before != nil {
			b.before.after = b
		}
		p.unused = append(p.unused, a)
	}
	if c := b.after; c != nil && c.isFree() {
		p.remove(c)
		b.size, b.after = b.size+c.size, c.after
		if b.after != nil {
			b.after.before = b
		}
		p.unused = append(p.unused, c)
	}
	return b
}

func (b *Block) isFree() bool { return !b.inUse && !b.unmapped }
