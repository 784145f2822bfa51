package tiling

import "github.com/tflarena/tflarena/tflite/op"

// rows are those of a tensor that stays on chip.
type rows struct {
	axis       int
	done       int64 // how many have been made
	bytes      int64 // of one row
	made, read []int
}

// need notes which rows of a tensor in between are read, and has those made that are not yet.
func (c *cascade) need(number, t int, r *rows, region op.Region, box op.Box) {
	asked := op.Span{From: 0, To: int64(len(r.made))}
	if len(region) == len(c.tensors[t].shape) {
		reads := region.Reads(box)
		if volume(reads) == 0 {
			return
		}
		asked = reads[r.axis]
	}
	for y := asked.From; y < asked.To; y++ {
		r.read[y] = number
	}
	if to := max(asked.To, c.fresh[t].To); to > r.done {
		c.fresh[t] = op.Span{From: r.done, To: to}
	}
}

// held returns the bytes of tensors in between at each stripe: the rows from the first one that
// is there to the last.
func (c *cascade) held(stripes int) []int64 {
	sum := make([]int64, stripes)
	for _, r := range c.rows {
		first, last := make([]int64, stripes), make([]int64, stripes)
		for y := range r.done {
			for k := r.made[y]; k <= max(r.read[y], r.made[y]); k++ {
				if last[k] == 0 {
					first[k] = y
				}
				last[k] = y + 1
			}
		}
		for k := range sum {
			sum[k] += (last[k] - first[k]) * r.bytes
		}
	}
	return sum
}

// most returns the largest number of bytes that a step of a block needs on chip.
func (b *block) most() (most int64) {
	for _, s := range b.steps {
		most = max(most, s.onChip)
	}
	return most
}
