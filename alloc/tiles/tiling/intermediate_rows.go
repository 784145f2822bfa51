package tiling

import "github.com/tflarena/tflarena/tflite/op"

// rows are the rows of a tensor that stays on chip.
type rows struct {
	axis       int
	done       int64 // the number of rows made so far
	bytes      int64 // of one row
	made, read []rowAccess
}

// A rowAccess is a range of rows that a stripe makes or reads. They are in order of stripes.
type rowAccess struct {
	op.Span
	stripe int
}

// requestRows records the rows of an intermediate tensor that a stripe reads, and requests those not
// made yet.
func (c *cascade) requestRows(number, t int, r *rows, region op.Region, box op.Box) {
	shape := c.tensors[t].shape
	asked := op.Span{From: 0, To: shape[r.axis]}
	if len(region) == len(shape) {
		reads := region.Reads(box)
		if volume(reads) == 0 {
			return
		}
		asked = reads[r.axis]
	}
	r.read = append(r.read, rowAccess{asked, number})
	if to := max(asked.To, c.newRows[t].To); to > r.done {
		c.newRows[t] = op.Span{From: r.done, To: to}
	}
}

// intermediateBytes returns the bytes of intermediate tensors at each stripe, from the first live row
// of each tensor to the last.
func (c *cascade) intermediateBytes(stripes int) []int64 {
	sum := make([]int64, stripes)
	for _, r := range c.rows {
		made, read := r.times()
		first, last := newUnionFind(stripes), newUnionFind(stripes)
		for y := range made {
			first.claim(made[y], read[y]+1, func(k int) { sum[k] -= int64(y) * r.bytes })
		}
		for y := len(made) - 1; y >= 0; y-- {
			last.claim(made[y], read[y]+1, func(k int) { sum[k] += int64(y+1) * r.bytes })
		}
	}
	return sum
}

// times returns for each row the stripe that makes it and the last one that reads it, or made if none
// does.
func (r *rows) times() (made, read []int) {
	made, read = make([]int, r.done), make([]int, r.done)
	for _, d := range r.made {
		for y := d.From; y < d.To; y++ {
			made[y], read[y] = d.stripe, d.stripe
		}
	}
	latest := newUnionFind(len(read))
	for k := len(r.read) - 1; k >= 0; k-- {
		d := r.read[k]
		latest.claim(int(d.From), int(d.To), func(y int) { read[y] = max(read[y], d.stripe) })
	}
	return made, read
}

// A unionFind is a set of places, each of which goes to the first claim: a union-find structure with
// links to the next free place. All claims together take nearly linear time.
type unionFind []int

func newUnionFind(places int) unionFind {
	f := make(unionFind, places+1)
	for k := range f {
		f[k] = k
	}
	return f
}

// claim calls take for the free places in [from, to), and takes them.
func (f unionFind) claim(from, to int, take func(k int)) {
	for k := f.find(from); k < to; k = f.find(k) {
		take(k)
		f[k] = k + 1
	}
}

func (f unionFind) find(k int) int {
	for f[k] != k {
		f[k] = f[f[k]]
		k = f[k]
	}
	return k
}

// peakOnChip returns the most bytes on chip of any step.
func (b *block) peakOnChip() (most int64) {
	for _, s := range b.steps {
		most = max(most, s.onChip)
	}
	return most
}
