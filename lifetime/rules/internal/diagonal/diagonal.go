// Package diagonal computes how far in front of an input the output of a kernel must begin, so
// that the kernel writes over no byte of the input that it still has to read.
//
// A kernel is a nest of loops. Each run of its body reads some bytes of the input, and then writes
// some of the output. What a body reads and writes is the sum of what the rounds of its loops
// contribute, as in the index arithmetic of the kernels themselves. That makes the distance a sum,
// too, which costs as much time as there are rounds, and not as there are bodies.
package diagonal

import "math"

// A Round is one round of a loop.
type Round struct {
	// Writes and Reads are the round's part, in bytes, of the place of the first byte that a
	// body writes, and of the lowest byte that it reads.
	Writes, Reads int64
	// WritesNone and ReadsNone say that bodies within this round write or read nothing.
	WritesNone, ReadsNone bool
}

// A Loop is the rounds of a loop, in their order. Rounds that can be left out, because others
// need a larger distance whatever the other loops do, may be missing.
type Loop []Round

// Even returns a loop of n rounds, each of which moves on by so many bytes as the one before it:
// only the first two and the last two of its rounds matter, since the largest value of a linear
// function of two rounds, one behind the other, is at a corner.
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

// A Nest is a kernel, or the part of it that has to do with one input and one output.
type Nest struct {
	// Loops has the outermost loop first. Without loops there is one body.
	Loops []Loop
	// Unit is how many bytes a body writes.
	Unit int64
	// Pieces says that a body must not write over what it reads itself either, because it
	// copies several elements with one call of memcpy.
	Pieces bool
}

// None is the distance of a kernel that reads all before it writes: every place is right.
const None = math.MinInt64

// Distance returns the smallest distance in bytes from the first byte of the output to that of
// the input at which no body writes over a byte that a later one reads: it is negative where the
// output may begin behind the input's first byte. At all greater distances none does either.
//
// It is the maximum of what is written up to by one body, without what is read from by a later
// one: for each loop, of bodies that are in the same rounds of the loops around it, in different
// rounds of this one, and in any rounds of the loops within it.
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

// plus adds up numbers, to None where one of them is None.
func plus(list ...int64) (sum int64) {
	for _, x := range list {
		if x == None {
			return None
		}
		sum += x
	}
	return sum
}

// apart is the maximum over any two rounds, one that writes and one that reads.
func (l Loop) apart() int64 {
	written, read := int64(None), int64(None)
	for _, r := range l {
		written, read = max(written, r.written()), max(read, r.read())
	}
	return plus(written, read)
}

// behind is the maximum over two rounds of which the one that reads comes later.
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

// read is negative, since what is read from is taken away.
func (r Round) read() int64 {
	if r.ReadsNone {
		return None
	}
	return -r.Reads
}
