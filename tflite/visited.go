package tflite

// visited remembers what was verified, so that what many references share costs
// little. The bitmap alone answers for the first visit of a position, which in an
// honest file is nearly always the only one; the map is for the rest.
type visited struct {
	bits  []uint64
	again map[visit]struct{}
}

// A visit is a position and what was expected there.
type visit struct {
	pos  int64
	what visitKind
}

// A visitKind is a tableID, with visitTables added for a vector of such tables.
type visitKind uint16

const (
	visitTables visitKind = 1 << 8
	visitString visitKind = 2 << 8
)

func newVisited(size int64) *visited {
	return &visited{bits: make([]uint64, size/4/64+1), again: map[visit]struct{}{}}
}

// first says whether something has still to be verified at pos, a multiple of 4.
// It may say so twice, because the bitmap does not know what was there before.
func (v *visited) first(pos int64, what visitKind) bool {
	word, bit := pos/4/64, uint64(1)<<(pos/4%64)
	if v.bits[word]&bit == 0 {
		v.bits[word] |= bit
		return true
	}
	key := visit{pos, what}
	if _, known := v.again[key]; known {
		return false
	}
	v.again[key] = struct{}{}
	return true
}

// forget takes back what first remembered, because the verification failed.
func (v *visited) forget(pos int64, what visitKind) {
	delete(v.again, visit{pos, what})
}
