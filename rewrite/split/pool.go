package split

// pool allocates short slices from larger ones: every operator has lists of operands, and every
// tensor has a shape.
type pool[T any] struct{ room []T }

// poolSize is the number of elements in one allocation.
const poolSize = 1024

// list returns a slice of the given numbers.
func (p *pool[T]) list(numbers ...T) []T {
	if cap(p.room)-len(p.room) < len(numbers) {
		p.room = make([]T, 0, max(poolSize, len(numbers)))
	}
	from := len(p.room)
	p.room = append(p.room, numbers...)
	return p.room[from:len(p.room):len(p.room)]
}
