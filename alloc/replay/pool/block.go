package pool

import "math"

// bestFit takes the smallest free block that is large enough out of a bin, nil if there is none.
func (p *Pool) bestFit(bin *bin, size int64) *Block {
	p.wanted = Block{size: size, address: -1, freed: math.MaxInt64}
	at := bin.free.Seek(&p.wanted)
	if !bin.free.Valid(at) {
		return nil
	}
	b := bin.free.At(at)
	if p.rules.expandable {
		// A block at the end of what has memory counts with what it could grow to, so that
		// others are taken first.
		for next := bin.free.Next(at); bin.free.Valid(next) && bin.free.At(next).couldBe() < b.couldBe(); next = bin.free.Next(next) {
			b = bin.free.At(next)
		}
	}
	p.remove(b)
	return b
}

// couldBe returns the size of a block with the addresses behind it that have no memory yet.
func (b *Block) couldBe() int64 {
	if b.behind != nil && b.behind.unmapped {
		return b.size + b.behind.size
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

// cut cuts a block behind size bytes and returns the rest.
func (p *Pool) cut(b *Block, size int64) *Block {
	rest := p.block()
	*rest = Block{address: b.address + size, size: b.size - size, before: b, behind: b.behind, bin: b.bin, unmapped: b.unmapped}
	if rest.behind != nil {
		rest.behind.before = rest
	}
	b.behind, b.size = rest, size
	return rest
}

// block returns memory for a block. It takes the memory of a block that was merged into another one, if there is any.
func (p *Pool) block() *Block {
	last := len(p.spare) - 1
	if last < 0 {
		return new(Block)
	}
	b := p.spare[last]
	p.spare = p.spare[:last]
	return b
}

// merged makes a free block that is in no bin one with its free neighbours.
func (p *Pool) merged(b *Block) *Block {
	if a := b.before; a != nil && a.isFree() {
		p.remove(a)
		b.address, b.size, b.before = a.address, a.size+b.size, a.before
		if b.before != nil {
			b.before.behind = b
		}
		p.spare = append(p.spare, a)
	}
	if c := b.behind; c != nil && c.isFree() {
		p.remove(c)
		b.size, b.behind = b.size+c.size, c.behind
		if b.behind != nil {
			b.behind.before = b
		}
		p.spare = append(p.spare, c)
	}
	return b
}

func (b *Block) isFree() bool { return !b.inUse && !b.unmapped }
