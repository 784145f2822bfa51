package split

// pool allocates short slices from larger ones: every operator has lists of operands, and every
// tensor has a shape.
type pool[T any] struct{ free []T }

// poolSize is the number of elements in one allocation.
const poolSize = 1024

// list returns a slice of the given numbers.
func (p *pool[T]) list(numbers ...T) []T {
	if cap(p.free)-len(p.free) < len(numbers) {
		p.free = make([]T, 0, max(poolSize, len(numbers)))
	}
	from := len(p.free)
	p.free = append(p.free, numbers...)
	return p.free[from:len(p.free):len(p.free)]
}
