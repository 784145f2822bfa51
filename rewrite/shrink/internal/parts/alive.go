package parts

import (
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// operatorAt returns a function from a position of a view to the operator of subgraph 0 that runs there,
// or that has called the subgraph which runs there; -1 before the first one.
func operatorAt(v *rules.View) func(position int) int {
	list := make([]int, len(v.Usage.Steps))
	at := -1
	for position, step := range v.Usage.Steps {
		if step.Subgraph == 0 {
			at = step.Operator
		}
		list[position] = at
	}
	return func(position int) int {
		if position < 0 {
			return -1
		}
		return list[position]
	}
}

// peaks returns the peak of live bytes before the first operator of subgraph 0 and at each one. spared
// holds the bytes, by position, that overlaps save there.
func peaks(v *rules.View, records []lifetime.Record, spared map[int]int64) (start int64, list []int64) {
	bytes := make([]int64, len(v.Usage.Steps)+1) // from position -1 on
	alive := newSums(len(bytes))
	for _, record := range records {
		for p := range record.Pieces {
			alive.add(p.First+1, p.Last+1, p.Hi-p.Lo)
		}
	}
	alive.addTo(bytes)
	list = make([]int64, len(v.Model.Subgraphs[0].Operators))
	at := operatorAt(v)
	for i, live := range bytes {
		most := &start
		if operator := at(i - 1); operator >= 0 {
			most = &list[operator]
		}
		*most = max(*most, live-spared[i-1])
	}
	return start, list
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
	for _, c := range r.called {
		if c.first < from && c.last > to {
			bytes += c.size
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
