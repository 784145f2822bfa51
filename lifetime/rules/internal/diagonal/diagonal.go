// Package diagonal computes how far before an input the output of a kernel must begin, so that
// the kernel does not overwrite input bytes that it still has to read.
//
// A kernel is a nest of loops. Each run of its body reads some bytes of the input, and then
// writes some of the output. The accesses of a body are the sum of the contributions of its
// loops' rounds, as in the index arithmetic of the kernels themselves. The distance is
// therefore a sum, too, and its cost is the number of rounds, not the number of bodies.
package diagonal

import "math"

// A Round is one round of a loop.
type Round struct {
	// Writes and Reads are the round's contributions, in bytes, to the offset of the first byte
	// that a body writes, and of the lowest byte that it reads.
	Writes, Reads int64
	// WritesNone and ReadsNone report that bodies within this round write or read nothing.
	WritesNone, ReadsNone bool
}

// A Loop is the rounds of a loop, in order. Rounds may be omitted if others require a larger
// distance, whatever the other loops do.
type Loop []Round

// Even returns a loop of n rounds, each advancing by the given bytes. Only the first two and
// the last two rounds matter, since a linear function of two consecutive rounds has its maximum
// at a corner.
func Even(n, writes, reads int64) Loop {
	var l Loop
	for i := int64(0); i < n; i++ {
		if i == 2 {
			i = max(i, n-2)
		}
		l = append(l, Round{Writes: i * writes, Reads: i * reads})
	}
	return l
}

// A Nest is a kernel, or its part that accesses one input and one output.
type Nest struct {
	// Loops begins with the outermost loop. Without loops there is one body.
	Loops []Loop
	// Unit is the number of bytes that a body writes.
	Unit int64
	// Pieces reports that a body must not overwrite its own reads either, because it copies
	// several elements with one memcpy.
	Pieces bool
}

// None is the distance of a kernel that reads everything before it writes: every offset is
// permitted.
const None = math.MinInt64

// Distance returns the smallest distance, in bytes, from the first byte of the output to the
// first byte of the input at which no body overwrites a byte that a later one reads; all
// greater distances are safe, too. It is negative if the output may begin after the input's
// first byte.
//
// It is the maximum difference between the end of the bytes that one body writes and the start
// of the bytes that a later one reads: for each loop, over pairs of bodies in the same rounds
// of the outer loops, in different rounds of this one, and in any rounds of the inner loops.
func (n Nest) Distance() int64 {
	within := make([]int64, len(n.Loops)+1)
	for i := len(n.Loops) - 1; i >= 0; i-- {
		within[i] = plus(within[i+1], n.Loops[i].apart())
	}
	around, most := int64(0), int64(None)
	for i, l := range n.Loops {
		most = max(most, plus(around, l.behind(), within[i+1]))
		around = plus(around, l.same())
	}
	if n.Pieces {
		most = max(most, around)
	}
	return plus(most, n.Unit)
}

// plus adds numbers; the sum is None if one of them is None.
func plus(list ...int64) (sum int64) {
	for _, x := range list {
		if x == None {
			return None
		}
		sum += x
	}
	return sum
}

// apart is the maximum over any two rounds, one writing and one reading.
func (l Loop) apart() int64 {
	written, read := int64(None), int64(None)
	for _, r := range l {
		written, read = max(written, r.written()), max(read, r.read())
	}
	return plus(written, read)
}

// behind is the maximum over pairs of rounds in which the reading one comes later.
func (l Loop) behind() int64 {
	written, most := int64(None), int64(None)
	for _, r := range l {
		most = max(most, plus(written, r.read()))
		written = max(written, r.written())
	}
	return most
}

// same is the maximum over single rounds.
func (l Loop) same() int64 {
	most := int64(None)
	for _, r := range l {
		most = max(most, plus(r.written(), r.read()))
	}
	return most
}

func (r Round) written() int64 {
	if r.WritesNone {
		return None
	}
	return r.Writes
}

// read is negative, because reads are subtracted.
func (r Round) read() int64 {
	if r.ReadsNone {
		return None
	}
	return -r.Reads
}
