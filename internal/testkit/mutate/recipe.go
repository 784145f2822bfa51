package mutate

import (
	"math"

	"golang.org/x/exp/slices"
)

// A recipe is the bytes that determine a mutation; each choice consumes as many as it requires, and
// takes the first alternative when none are left.
type recipe struct{ remaining []byte }

// below returns a number from 0 to n-1, 0 if n is less than one.
func (r *recipe) below(n int) int {
	if n <= 1 {
		return 0
	}
	choice := 0
	for most := 1; most < n && len(r.remaining) > 0; most <<= 8 {
		choice = choice<<8 | int(r.remaining[0])
		r.remaining = r.remaining[1:]
	}
	return choice % n
}

// one returns one of a list.
func one[T any](r *recipe, list []T) (chosen T) {
	if len(list) == 0 {
		return chosen
	}
	return list[r.below(len(list))]
}

// dimensions are sizes that are likely to do harm, and plain ones.
var dimensions = []int64{
	0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 64, 100, 128, 255, 256, 1000, 1 << 12, 1 << 15, 1<<16 - 1, 1 << 16, 1 << 20, 1 << 24,
	1 << 28, 1 << 30, math.MaxInt32, -1, -2, math.MinInt32,
}

// smallNumbers are indexes, axes, strides and codes.
var smallNumbers = []int64{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, -2, -3, -4}

// any returns any number: one that is likely to do harm, or the next four bytes.
func (r *recipe) any() int64 {
	switch r.below(4) {
	case 0:
		return one(r, dimensions)
	case 1:
		return one(r, smallNumbers)
	case 2:
		return int64(r.below(1 << 8))
	}
	n := int64(0)
	for range 4 {
		n = n<<8 | int64(r.below(1<<8))
	}
	return int64(int32(n))
}

// numberIn changes a vector of numbers: one of them, or their count.
func (r *recipe) numberIn(data []byte, size int, number func() int64) []byte {
	n := len(data) / size
	at := r.below(n) * size
	switch r.below(8) {
	case 0:
		return slices.Insert(data, at, bytes(number(), size)...)
	case 1:
		if n > 0 {
			return slices.Delete(data, at, at+size)
		}
	case 2:
		if n > 0 {
			return slices.Insert(data, at, clone(data[at:at+size])...)
		}
	}
	if n > 0 {
		copy(data[at:at+size], bytes(number(), size))
	}
	return data
}

// in changes a list: it repeats, moves or removes an element.
func in[T any](r *recipe, list []T, copied func(T) T) []T {
	if len(list) == 0 {
		return list
	}
	from, to := r.below(len(list)), r.below(len(list))
	switch r.below(4) {
	case 0:
		return slices.Delete(list, from, from+1)
	case 1:
		return slices.Insert(list, to, copied(list[from]))
	case 2:
		list[to] = copied(list[from])
	default:
		list[from], list[to] = list[to], list[from]
	}
	return list
}
