package tflite

// visited remembers verified positions, so that sharing costs little. The bitmap alone handles
// the first visit of a position, in legitimate files nearly always the only one; the map
// handles the rest.
type visited struct {
	bits     []uint64
	repeated map[visit]struct{}
}

// A visit is a position and the kind expected there.
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
	return &visited{bits: make([]uint64, size/4/64+1), repeated: map[visit]struct{}{}}
}

// first reports whether pos, a multiple of 4, still needs verification. It may report so twice,
// because the bitmap does not record kinds.
func (v *visited) first(pos int64, what visitKind) bool {
	word, bit := pos/4/64, uint64(1)<<(pos/4%64)
	if v.bits[word]&bit == 0 {
		v.bits[word] |= bit
		return true
	}
	key := visit{pos, what}
	if _, known := v.repeated[key]; known {
		return false
	}
	v.repeated[key] = struct{}{}
	return true
}

// forget undoes first after a failed verification.
func (v *visited) forget(pos int64, what visitKind) {
	delete(v.repeated, visit{pos, what})
}
