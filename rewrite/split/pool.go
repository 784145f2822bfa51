package split

// A pool hands out short lists, many from one allocation: each operator has lists of operands, and
// each tensor has a shape.
type pool[T any] struct{ room []T }

// pooled is how many numbers are allocated at once.
const pooled = 1024

// list returns a list of some numbers.
func (p *pool[T]) list(numbers ...T) []T {
	if cap(p.room)-len(p.room) < len(numbers) {
		p.room = make([]T, 0, max(pooled, len(numbers)))
	}
	from := len(p.room)
	p.room = append(p.room, numbers...)
	return p.room[from:len(p.room):len(p.room)]
}
