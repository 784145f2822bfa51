package tflite

// A slab cuts small slices from large ones, because a model has thousands of short lists.
type slab[T any] struct{ free []T }

const slabLength = 1024

// take returns an unshared slice of n zero values; nil if n is 0.
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
