package sets

import "golang.org/x/exp/slices"

// blockLimit is the largest number of items of a block: small enough to shift in a few cache lines,
// large enough that the list of blocks stays short.
const blockLimit = 128

// A SortedList keeps distinct items in ascending order, in blocks, so that inserting
// costs far less than shifting one long slice. No block is empty.
type SortedList[T any] struct {
	// Compare orders two items.
	Compare func(a, b T) int

	blocks [][]T
}

// A Slot is the position of an item of a SortedList, until the list changes.
type Slot struct{ block, index int }

// Seek returns the slot of the first item not less than item, which may be past
// the end.
func (l *SortedList[T]) Seek(item T) Slot {
	low, high := 0, len(l.blocks) // of the first block whose items are all greater
	for low < high {
		if middle := int(uint(low+high) / 2); l.Compare(l.blocks[middle][0], item) > 0 {
			high = middle
		} else {
			low = middle + 1
		}
	}
	if low == 0 {
		return Slot{}
	}
	b := low - 1
	block := l.blocks[b]
	low, high = 0, len(block)
	for low < high {
		if middle := int(uint(low+high) / 2); l.Compare(block[middle], item) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == len(block) {
		return Slot{b + 1, 0}
	}
	return Slot{b, low}
}

// First returns the slot of the smallest item, past the end in an empty list.
func (l *SortedList[T]) First() Slot { return Slot{} }

// End returns the slot past the largest item.
func (l *SortedList[T]) End() Slot { return Slot{len(l.blocks), 0} }

// Valid reports whether an item is at p: p is neither past the end nor the result of Prev at the
// beginning.
func (l *SortedList[T]) Valid(p Slot) bool { return p.block >= 0 && p.block < len(l.blocks) }

// At returns the item at a valid slot.
func (l *SortedList[T]) At(p Slot) T { return l.blocks[p.block][p.index] }

// Next returns the slot after a valid slot.
func (l *SortedList[T]) Next(p Slot) Slot {
	if p.index+1 < len(l.blocks[p.block]) {
		return Slot{p.block, p.index + 1}
	}
	return Slot{p.block + 1, 0}
}

// Prev returns the slot before p, which may be past the end; before the first item
// it returns a slot that is not valid.
func (l *SortedList[T]) Prev(p Slot) Slot {
	if p.index > 0 {
		return Slot{p.block, p.index - 1}
	}
	if p.block == 0 {
		return Slot{-1, 0}
	}
	return Slot{p.block - 1, len(l.blocks[p.block-1]) - 1}
}

// Insert adds an item that is not in the list.
func (l *SortedList[T]) Insert(item T) {
	p := l.Seek(item)
	if before := l.Prev(p); p.index == 0 && l.Valid(before) {
		p = Slot{before.block, before.index + 1} // append rather than shift
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

// Remove takes out the item at a valid slot.
func (l *SortedList[T]) Remove(p Slot) {
	l.blocks[p.block] = slices.Delete(l.blocks[p.block], p.index, p.index+1)
	if len(l.blocks[p.block]) == 0 {
		l.blocks = slices.Delete(l.blocks, p.block, p.block+1)
	}
}
