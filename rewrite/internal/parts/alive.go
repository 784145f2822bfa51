package parts

import "github.com/tflarena/tflarena/lifetime"

// profile adds the live bytes at each operator.
func profile(bytes []int64, records []lifetime.Record) {
	alive := newSums(len(bytes))
	for _, record := range records {
		for p := range record.Pieces {
			alive.add(p.First-1, p.Last-1, p.Hi-p.Lo) // operator i runs at position i+1
		}
	}
	alive.addTo(bytes)
}

// sums holds the differences between neighbouring numbers, so that adding to a range takes
// constant time.
type sums []int64

func newSums(n int) sums { return make(sums, n+1) }

// add adds bytes to the numbers from first to last, both inclusive, as far as they exist.
func (s sums) add(first, last int, bytes int64) {
	if first, last = max(first, 0), min(last, len(s)-2); first <= last {
		s[first] += bytes
		s[last+1] -= bytes
	}
}

// addTo adds the numbers to list.
func (s sums) addTo(list []int64) {
	var sum int64
	for i := range list {
		sum += s[i]
		list[i] += sum
	}
}

// boundaries returns the positions at which stages may begin and end: those with no more live
// bytes than after the next operator. Elsewhere, continuing would be better.
func (r *Row) boundaries() (list []int) {
	n := r.Len()
	for i := range r.through {
		if i == 0 || i == n || r.through[i] <= r.through[i+1] {
			list = append(list, i)
		}
	}
	return list
}

// beside returns the bytes of tensors live throughout operators from to to, inclusive, but not
// read or written by them.
func (r *Row) beside(from, to int) (bytes int64) {
	for t, size := range r.size {
		if r.isBeside(t, from, to) {
			bytes += size
		}
	}
	return bytes
}

func (r *Row) isBeside(t, from, to int) bool {
	return r.size[t] > 0 && r.first[t] < from && r.last[t] > to && !r.touched(t, from, to)
}

// touched reports whether an operator in from to to, inclusive, reads or writes a tensor.
func (r *Row) touched(t, from, to int) bool {
	tensor := &r.model.Subgraphs[0].Tensors[t]
	if tensor.Producer >= from && tensor.Producer <= to {
		return true
	}
	for _, reader := range tensor.Consumers {
		if reader >= from && reader <= to {
			return true
		}
	}
	return false
}
