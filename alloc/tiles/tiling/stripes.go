package tiling

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A cascade is operators that are computed stripe by stripe, each making the rows that the
// next one needs. No row is made twice: rows that are needed again stay on chip.
type cascade struct {
	*network
	first, last int
	// rows says of each tensor in between which rows are made and read by which stripes.
	rows map[int]*rows
	// fresh has the rows that the present stripe adds to each tensor.
	fresh map[int]op.Span
	// accesses counts those of the stripes until now.
	accesses int
}

// maxRows is how many rows a tensor in a cascade may have: they are looked at one by one.
const maxRows = 1 << 14

// cascade returns operators from first to last as a cascade, nil where they cannot be one:
// only the last one may make what others need.
func (n *network) cascade(first, last int) *cascade {
	c := &cascade{network: n, first: first, last: last, rows: map[int]*rows{}}
	for k := first; k <= last; k++ {
		o := n.operators[k]
		if o.whole || len(o.outputs) != 1 || len(o.Outputs) != 1 {
			return nil
		}
		t := o.outputs[0].tensor
		axis, ok := n.rowsOf(t)
		if !ok || !n.offChip(t) || n.tensors[t].shape[axis] > maxRows {
			return nil
		}
		if k == last {
			break
		}
		x := n.tensors[t]
		if x.made != k || x.last > last || x.last == k { // an input that is made again is there before
			return nil
		}
		c.rows[t] = &rows{axis: axis, bytes: x.bytes / x.shape[axis]}
	}
	return c
}

// rowsOf returns the axis of a tensor's rows: false where its rows do not lie one after the other.
func (n *network) rowsOf(t int) (axis int, ok bool) {
	x := n.tensors[t]
	axis = rowAxis(len(x.shape))
	if axis < 0 || x.bits < 8 {
		return axis, false
	}
	for _, d := range x.shape[:axis] {
		if d != 1 {
			return axis, false
		}
	}
	return axis, true
}

// height returns how many rows the last output has.
func (c *cascade) height() int64 {
	t := c.operators[c.last].outputs[0].tensor
	axis, _ := c.rowsOf(t)
	return c.tensors[t].shape[axis]
}

// block returns the steps of the cascade in stripes of some rows: nil where they have too many
// accesses, or when the context has ended.
func (c *cascade) block(stripe int64) *block {
	b := &block{first: c.first, last: c.last, tile: Rows, extent: stripe}
	for t, r := range c.rows {
		r.done, r.made, r.read = 0, nil, nil
		b.between = append(b.between, t)
	}
	slices.Sort(b.between)
	c.accesses = 0
	height := c.height()
	for from := int64(0); from < height; from += stripe {
		if c.ctx.Err() != nil {
			return nil
		}
		c.fresh = map[int]op.Span{c.operators[c.last].outputs[0].tensor: {From: from, To: min(from+stripe, height)}}
		s, ok := c.stripe(len(b.steps))
		if !ok {
			return nil
		}
		c.accesses += len(s.touches)
		b.steps = append(b.steps, s)
	}
	for k, bytes := range c.held(len(b.steps)) {
		b.steps[k].onChip += bytes
		b.kept = max(b.kept, bytes)
	}
	return b
}

// stripe returns one step, without the bytes of the tensors in between: false where it has too
// many accesses.
func (c *cascade) stripe(number int) (s step, ok bool) {
	ok = true
	for k := c.last; k >= c.first; k-- {
		o := c.operators[k]
		out := o.outputs[0]
		fresh, needed := c.fresh[out.tensor]
		if !needed {
			continue
		}
		box := wholeBox(c.tensors[out.tensor].shape)
		axis, _ := c.rowsOf(out.tensor)
		box[axis] = fresh
		for i, t := range o.Inputs {
			if r := c.rows[t]; t >= 0 && r != nil {
				c.need(number, t, r, out.regions[i], box)
			} else if t >= 0 {
				ok = ok && c.load(&s, o, i, box)
			}
		}
		if k == c.last {
			s.onChip += sizeOf(volume(box), c.tensors[out.tensor].bits)
			ok = ok && c.touch(&s, c.accesses, out.tensor, true, box)
		} else {
			r := c.rows[out.tensor]
			r.made, r.done = append(r.made, deed{fresh, number}), fresh.To
		}
	}
	return s, ok
}

// load adds what an operator reads of an input off chip, or of weights: false where there are too
// many accesses. Like that of a tile, what two inputs read alike counts once on chip.
func (c *cascade) load(s *step, o operator, input int, box op.Box) bool {
	t, region := o.Inputs[input], o.outputs[0].regions[input]
	if !o.repeats(input, o.outputs[0]) {
		s.onChip += c.readBytes(t, region, box)
	}
	return !c.offChip(t) || c.touch(s, c.accesses, t, false, c.readBox(t, region, box))
}
