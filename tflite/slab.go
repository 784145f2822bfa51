package tflite

// A slab hands out small slices cut from large ones, because a model has thousands
// of lists with a few numbers each.
type slab[T any] struct{ free []T }

const slabLength = 1024

// take returns a slice of n zero values that nobody else has; nil for none.
func (s *slab[T]) take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > slabLength/4 {
		return make([]T, n)
	}
	if n > len(s.free) {
		s.free = make([]T, slabLength)
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	return out
}
