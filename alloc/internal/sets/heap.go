package sets

// A Heap is a binary heap: Top and Pop give an item that no other is less than.
type Heap[T any] struct {
	// Less reports whether a comes before b.
	Less func(a, b T) bool

	items []T
}

// Len returns the number of items.
func (h *Heap[T]) Len() int { return len(h.items) }

func (h *Heap[T]) Clear() { h.items = h.items[:0] }

// Top returns the least item of a heap that is not empty.
func (h *Heap[T]) Top() T { return h.items[0] }

func (h *Heap[T]) Push(item T) {
	h.items = append(h.items, item)
	for i := len(h.items) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h.Less(h.items[i], h.items[parent]) {
			return
		}
		h.items[i], h.items[parent] = h.items[parent], h.items[i]
		i = parent
	}
}

// Pop removes and returns the least item of a non-empty heap.
func (h *Heap[T]) Pop() T {
	top, last := h.items[0], len(h.items)-1
	h.items[0] = h.items[last]
	h.items = h.items[:last]
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < last; child++ {
			if h.Less(h.items[child], h.items[least]) {
				least = child
			}
		}
		if least == i {
			return top
		}
		h.items[i], h.items[least] = h.items[least], h.items[i]
		i = least
	}
}
