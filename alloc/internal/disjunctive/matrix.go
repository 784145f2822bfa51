package disjunctive

import "github.com/tflarena/tflarena/internal/integer"

// A matrix holds for each two variables u, v the least known difference v - u, so that the difference
// is from at(u, v) to -at(v, u). Variable 0 is the start of the arena and variable i+1 the offset of
// tensor i. It is closed: at(u, w) is never below at(u, v) + at(v, w), and every entry is a multiple of
// the alignments' common divisor, which for variable 0 is the other's alignment.
type matrix struct {
	n     int
	least []int64
	steps []int64 // divisor of each entry
	trail []change
	queue []edge
	from  []int // scratch: the variables that an edge improves from, and to
	to    []int
	meter *meter
}

// A change is an entry and its previous value.
type change struct {
	entry int
	value int64
}

// An edge requires that v - u is at least least.
type edge struct {
	u, v  int
	least int64
}

// newMatrix returns the closed matrix of tensors within capacity, or false if one of them does not fit
// alone.
func newMatrix(tensors []tensor, capacity int64, meter *meter) (*matrix, bool) {
	n := len(tensors) + 1
	m := &matrix{n: n, least: make([]int64, n*n), steps: make([]int64, n*n), meter: meter}
	low, high, align := make([]int64, n), make([]int64, n), make([]int64, n)
	for i, t := range tensors {
		align[i+1] = t.align
		high[i+1] = capacity - t.size
		if t.pinned {
			low[i+1], high[i+1] = t.pin, min(t.pin, high[i+1])
		} else {
			high[i+1] = floor(high[i+1], t.align)
		}
		if high[i+1] < low[i+1] {
			return nil, false
		}
	}
	for u := range n {
		for v := range n {
			if u != v {
				m.least[u*n+v] = low[v] - high[u]
				m.steps[u*n+v] = integer.GCD(align[u], align[v])
			}
		}
	}
	return m, true
}

func (m *matrix) at(u, v int) int64 { return m.least[u*m.n+v] }

// mark returns a position to undo to.
func (m *matrix) mark() int { return len(m.trail) }

func (m *matrix) undo(mark int) {
	for k := len(m.trail) - 1; k >= mark; k-- {
		m.least[m.trail[k].entry] = m.trail[k].value
	}
	m.trail = m.trail[:mark]
}

// require demands that v - u is at least least and closes the matrix again. It returns false if that is
// impossible, or if the meter is over; the matrix can then only be undone.
func (m *matrix) require(u, v int, least int64) bool {
	m.queue = append(m.queue[:0], edge{u, v, least})
	for len(m.queue) > 0 {
		e := m.queue[len(m.queue)-1]
		m.queue = m.queue[:len(m.queue)-1]
		e.least = ceil(e.least, m.steps[e.u*m.n+e.v])
		if e.least <= m.at(e.u, e.v) {
			continue
		}
		if !m.meter.step() || e.least+m.at(e.v, e.u) > 0 {
			return false
		}
		m.add(e)
	}
	return true
}

// add adds an edge that improves its entry and makes no positive cycle. In a closed matrix only the
// paths over this edge are new: from variables with a better path to v, to variables with a better path
// from u. Improvements by alignments go to the queue.
func (m *matrix) add(e edge) {
	m.from, m.to = m.from[:0], m.to[:0]
	for x := range m.n {
		if m.at(x, e.u)+e.least > m.at(x, e.v) {
			m.from = append(m.from, x)
		}
		if e.least+m.at(e.v, x) > m.at(e.u, x) {
			m.to = append(m.to, x)
		}
	}
	for _, x := range m.from {
		way := m.at(x, e.u) + e.least
		for _, y := range m.to {
			entry := x*m.n + y
			if d := way + m.at(e.v, y); d > m.least[entry] {
				m.trail = append(m.trail, change{entry, m.least[entry]})
				m.least[entry] = d
				if step := m.steps[entry]; step > 1 && d%step != 0 {
					m.queue = append(m.queue, edge{x, y, d})
				}
			}
		}
	}
}

// ceil returns the smallest multiple of step that is not below d, and floor the
// largest that is not above. d may be negative.
func ceil(d, step int64) int64 { return -floor(-d, step) }

func floor(d, step int64) int64 {
	if step <= 1 {
		return d
	}
	rest := d % step
	if rest < 0 {
		rest += step
	}
	return d - rest
}
