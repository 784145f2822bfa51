package order

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A value is memory that is alive from the first operator that touches it to the last, sizes in
// bytes.
type value struct {
	size int64
	ops  []int32
	// entry and kept are alive before the first operator runs, after the last has run.
	entry, kept bool
	// shares are the bytes that outputs of an operator may have in common with the value if it ends there, by operator.
	shares map[int32]int64
}

// A problem is a graph of operators over values, or a segment of one. Operators are numbered in
// the given order, which is valid.
type problem struct {
	preds, succs [][]int32
	values       []value
	touch        [][]int32 // the values that each operator touches
	// extra is the memory of an operator while it runs, besides the values it touches.
	extra []int64
	// base is always alive; first and last are alive only during the first and the last
	// operator of an order.
	base, first, last int64
	// shared[v] are the bytes that operator v may share with each of touch[v], most[v] those that it may share in all.
	// Both are nil without shares. backward reports that time is reversed: values end where they seem to begin.
	shared   [][]int64
	most     []int64
	backward bool
	// before and start are alive at positions -1 and 0 of [lifetime.Graph.Scopes], at which no
	// operator runs.
	before, start int64
}

// newProblem returns the problem of a subgraph in valid order. It fails if sizes are negative
// or their sum exceeds [lifetime.MaxTotal].
func newProblem(s *lifetime.Subgraph, o Options) (*problem, error) {
	n := len(s.Operators)
	list := usesOf(s)
	p := &problem{preds: predecessors(s, list), extra: make([]int64, n)}
	for v, list := range p.preds {
		if n := len(list); n > 0 && int(list[n-1]) > v {
			return nil, fmt.Errorf("operator %d has to run before operator %d, but comes after it", s.Operators[list[n-1]].Index, s.Operators[v].Index)
		}
	}
	p.succs = successors(p.preds)
	if o.Extra != nil {
		if len(o.Extra) != n {
			return nil, fmt.Errorf("there are extra bytes for %d operators, but %d operators", len(o.Extra), n)
		}
		copy(p.extra, o.Extra)
	}
	if err := checkSizes(s, p.extra); err != nil {
		return nil, err
	}
	output := make([]bool, len(s.Tensors))
	for _, t := range s.Outputs {
		if t >= 0 && t < len(output) {
			output[t] = true
		}
	}
	shares, err := p.share(s)
	if err != nil {
		return nil, err
	}
	for t := range s.Tensors {
		if s.Tensors[t].Planned && s.Tensors[t].Size > 0 {
			p.add(s.Tensors[t].Size, &list[t], shares[t], output[t], o)
		}
	}
	p.index()
	return p, nil
}

// share sets most, and returns the shares by tensor.
func (p *problem) share(s *lifetime.Subgraph) (map[int]map[int32]int64, error) {
	if len(s.Shares) == 0 {
		return nil, nil
	}
	p.most = make([]int64, len(s.Operators))
	for v := range s.Operators {
		outputs := slices.Clone(s.Operators[v].Outputs)
		slices.Sort(outputs)
		for _, t := range slices.Compact(outputs) {
			if t >= 0 && t < len(s.Tensors) && s.Tensors[t].Planned {
				p.most[v] += s.Tensors[t].Size
			}
		}
	}
	shares := map[int]map[int32]int64{}
	for _, x := range s.Shares {
		if x.Operator < 0 || x.Operator >= len(s.Operators) || x.Tensor < 0 || x.Tensor >= len(s.Tensors) || x.Bytes < 0 || x.Bytes > s.Tensors[x.Tensor].Size {
			return nil, fmt.Errorf("operator at index %d cannot share %d bytes of the tensor at index %d", x.Operator, x.Bytes, x.Tensor)
		}
		if shares[x.Tensor] == nil {
			shares[x.Tensor] = map[int32]int64{}
		}
		shares[x.Tensor][int32(x.Operator)] = x.Bytes
	}
	return shares, nil
}

// outside returns the bytes alive when no operator runs, which no order changes.
func (p *problem) outside(scopes bool) int64 {
	switch {
	case len(p.preds) > 0:
		return max(p.before, p.start)
	case scopes:
		return max(p.before, p.start+p.last)
	}
	return p.base + p.first
}

func checkSizes(s *lifetime.Subgraph, extra []int64) error {
	var sum int64
	for t := range s.Tensors {
		size := s.Tensors[t].Size
		if size < 0 || size > lifetime.MaxTotal {
			return fmt.Errorf("tensor %s has size %d", s.Tensors[t].ID, size)
		}
		if sum += size; sum > lifetime.MaxTotal {
			return fmt.Errorf("tensor %s brings the sum of sizes above %s", s.Tensors[t].ID, units.ExactBytes(int64(lifetime.MaxTotal)))
		}
	}
	for i, b := range extra {
		if b < 0 || b > lifetime.MaxTotal {
			return fmt.Errorf("operator %d needs %d extra bytes", s.Operators[i].Index, b)
		}
	}
	return nil
}

// add adds a tensor with a size above zero.
func (p *problem) add(size int64, u *uses, shares map[int32]int64, output bool, o Options) {
	v := value{size: size, entry: u.input, shares: shares}
	switch {
	case u.input && o.Scopes:
		p.start += size
	case len(u.makers) > 0 || u.input:
	case !o.Scopes:
		return // nothing makes it: no record
	case output:
		p.last += size // begins when the outputs are marked
		return
	case len(u.readers) > 0:
		p.before += size
		p.start += size
		v.entry = true
	default:
		p.before += size
		return
	}
	if o.Scopes {
		v.kept = output
	} else {
		v.kept = u.input && o.Keep.Inputs || output && o.Keep.Outputs ||
			o.Keep.Unread && len(u.makers) > 0 && len(u.readers) == 0
	}
	v.ops = u.all()
	if !v.entry { // reading does not begin a tensor
		for v.ops[0] != u.makers[0] {
			v.ops = v.ops[1:]
		}
	}
	switch {
	case v.entry && v.kept:
		p.base += size
	case len(v.ops) == 0 && !o.Scopes:
		p.first += size
	case len(v.ops) > 0:
		p.values = append(p.values, v)
	}
}

// index fills in touch and shared.
func (p *problem) index() {
	p.touch = make([][]int32, len(p.preds))
	if p.most != nil {
		p.shared = make([][]int64, len(p.preds))
	}
	for x := range p.values {
		for _, v := range p.values[x].ops {
			p.touch[v] = append(p.touch[v], int32(x))
			if p.shared != nil {
				p.shared[v] = append(p.shared[v], p.values[x].shares[v])
			}
		}
	}
}

// sharedMost returns the most bytes that operator v may share.
func (p *problem) sharedMost(v int32) (bytes int64) {
	if p.most == nil {
		return 0
	}
	for _, b := range p.shared[v] {
		bytes += b
	}
	return min(bytes, p.most[v])
}

// lives returns, for each operator in the given order, the bytes alive while it runs and after
// it.
func (p *problem) lives(order []int32) (during, behind []int64) {
	during, behind = make([]int64, len(order)), make([]int64, len(order))
	r := newRun(p)
	for i, v := range order {
		during[i] = r.step(v)
		behind[i] = r.live
	}
	return during, behind
}

// peak returns the largest number of bytes alive, without those alive outside the operators.
func (p *problem) peak(order []int32) int64 {
	during, _ := p.lives(order)
	if len(during) == 0 {
		return 0
	}
	return slices.Max(during)
}

// givenOrder returns the given order of the operators.
func (p *problem) givenOrder() []int32 {
	order := make([]int32, len(p.preds))
	for i := range order {
		order[i] = int32(i)
	}
	return order
}
