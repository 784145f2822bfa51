package tiling

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite/op"
)

// A cascade is operators that are computed stripe by stripe, each making the rows that the next one
// needs. No row is made twice: rows that are needed again stay on chip.
type cascade struct {
	*network
	first, last int
	rows        map[int]*rows   // of each intermediate tensor
	newRows     map[int]op.Span // the rows that the current stripe adds to each tensor
	accesses    int             // of all stripes so far
}

// maxRows is the largest number of rows of a tensor in a cascade, since rows are handled one by one.
const maxRows = 1 << 14

// cascade returns the operators first to last as a cascade, or nil if they cannot form one: only the last
// output may be read outside.
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
		if x.producer != k || x.lastReader > last || x.lastReader == k { // the producer is not k for an input that is overwritten
			return nil
		}
		c.rows[t] = &rows{axis: axis, bytes: x.bytes / x.shape[axis]}
	}
	return c
}

// rowsOf returns the axis of a tensor's rows, and false if rows are not contiguous.
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

// height returns the number of rows of the last output.
func (c *cascade) height() int64 {
	t := c.operators[c.last].outputs[0].tensor
	axis, _ := c.rowsOf(t)
	return c.tensors[t].shape[axis]
}

// block returns the cascade in stripes of a number of rows, or nil if there are too many accesses or the
// context has ended.
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
		c.newRows = map[int]op.Span{c.operators[c.last].outputs[0].tensor: {From: from, To: min(from+stripe, height)}}
		s, ok := c.stripe(len(b.steps))
		if !ok {
			return nil
		}
		c.accesses += len(s.touches)
		b.steps = append(b.steps, s)
	}
	for k, bytes := range c.intermediateBytes(len(b.steps)) {
		b.steps[k].onChip += bytes
		b.kept = max(b.kept, bytes)
	}
	return b
}

// stripe returns one step, without the bytes of intermediate tensors. It returns false if there are too
// many accesses.
func (c *cascade) stripe(number int) (s step, ok bool) {
	ok = true
	for k := c.last; k >= c.first; k-- {
		o := c.operators[k]
		out := o.outputs[0]
		fresh, needed := c.newRows[out.tensor]
		if !needed {
			continue
		}
		box := wholeBox(c.tensors[out.tensor].shape)
		axis, _ := c.rowsOf(out.tensor)
		box[axis] = fresh
		for i, t := range o.Inputs {
			if r := c.rows[t]; t >= 0 && r != nil {
				c.requestRows(number, t, r, out.regions[i], box)
			} else if t >= 0 {
				ok = ok && c.load(&s, o, i, box)
			}
		}
		if k == c.last {
			s.onChip += sizeOf(volume(box), c.tensors[out.tensor].bits)
			ok = ok && c.touch(&s, c.accesses, out.tensor, true, box)
		} else {
			r := c.rows[out.tensor]
			r.made, r.done = append(r.made, rowAccess{fresh, number}), fresh.To
		}
	}
	return s, ok
}

// load adds the reads of an input off chip, or of weights. Equal parts of one tensor count once on chip.
// It returns false if there are too many accesses.
func (c *cascade) load(s *step, o operator, input int, box op.Box) bool {
	t, region := o.Inputs[input], o.outputs[0].regions[input]
	if !o.repeats(input, o.outputs[0]) {
		s.onChip += c.readBytes(t, region, box)
	}
	return !c.offChip(t) || c.touch(s, c.accesses, t, false, c.readBox(t, region, box))
}
