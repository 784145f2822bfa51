package alloc

import "golang.org/x/exp/slices"

// blockLimit is how many items a block holds at most: small enough to shift in a
// few cache lines, large enough that the list of blocks stays short.
const blockLimit = 128

// A sortedList keeps distinct items in ascending order, in blocks, so that inserting
// costs far less than shifting one long slice. No block is empty.
type sortedList[T any] struct {
	compare func(a, b T) int
	blocks  [][]T
}

// A slot is where an item of a sortedList is, until the list changes.
type slot struct{ block, index int }

// seek returns the slot of the first item not less than item, which may be past
// the end.
func (l *sortedList[T]) seek(item T) slot {
	b, found := slices.BinarySearchFunc(l.blocks, item, func(block []T, t T) int { return l.compare(block[0], t) })
	if found || b == 0 {
		return slot{b, 0}
	}
	k, _ := slices.BinarySearchFunc(l.blocks[b-1], item, l.compare)
	if k == len(l.blocks[b-1]) {
		return slot{b, 0}
	}
	return slot{b - 1, k}
}

// first returns the slot of the smallest item, past the end in an empty list.
func (l *sortedList[T]) first() slot { return slot{} }

// end returns the slot past the largest item.
func (l *sortedList[T]) end() slot { return slot{len(l.blocks), 0} }

// valid reports whether there is an item at p: p is neither past the end nor what
// prev returns at the beginning.
func (l *sortedList[T]) valid(p slot) bool { return p.block >= 0 && p.block < len(l.blocks) }

// at returns the item at a valid slot.
func (l *sortedList[T]) at(p slot) T { return l.blocks[p.block][p.index] }

// next returns the slot after a valid slot.
func (l *sortedList[T]) next(p slot) slot {
	if p.index+1 < len(l.blocks[p.block]) {
		return slot{p.block, p.index + 1}
	}
	return slot{p.block + 1, 0}
}

// prev returns the slot before p, which may be past the end; before the first item
// it returns a slot that is not valid.
func (l *sortedList[T]) prev(p slot) slot {
	if p.index > 0 {
		return slot{p.block, p.index - 1}
	}
	if p.block == 0 {
		return slot{-1, 0}
	}
	return slot{p.block - 1, len(l.blocks[p.block-1]) - 1}
}

// insert adds an item that is not in the list.
func (l *sortedList[T]) insert(item T) {
	p := l.seek(item)
	if before := l.prev(p); p.index == 0 && l.valid(before) {
		p = slot{before.block, before.index + 1} // append rather than shift
	}
	if len(l.blocks) == 0 {
		l.blocks = append(l.blocks, nil)
	}
	block := slices.Insert(l.blocks[p.block], p.index, item)
	l.blocks[p.block] = block
	if len(block) > blockLimit {
		half := len(block) / 2
		l.blocks[p.block] = block[:half]
		l.blocks = slices.Insert(l.blocks, p.block+1, slices.Clone(block[half:]))
	}
}

// remove takes out the item at a valid slot.
func (l *sortedList[T]) remove(p slot) {
	l.blocks[p.block] = slices.Delete(l.blocks[p.block], p.index, p.index+1)
	if len(l.blocks[p.block]) == 0 {
		l.blocks = slices.Delete(l.blocks, p.block, p.block+1)
	}
}
