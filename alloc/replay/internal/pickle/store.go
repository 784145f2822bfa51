package pickle

import "math/bits"

// A slab is a list that grows by whole pieces. Elements are never copied.
type slab[T any] struct {
	pieces [][]T
	n      int
}

const (
	pieceBits = 11
	pieceLen  = 1 << pieceBits
)

func (s *slab[T]) at(i int) *T { return &s.pieces[i>>pieceBits][i&(pieceLen-1)] }

// push appends an element and reports whether it allocated a piece.
func (s *slab[T]) push(x T) (grown bool) {
	if s.n == len(s.pieces)<<pieceBits {
		s.pieces, grown = append(s.pieces, make([]T, pieceLen)), true
	}
	*s.at(s.n) = x
	s.n++
	return grown
}

// A header describes a container.
type header struct {
	block uint32 // the first cell, or an index of large
	n     uint32 // the number of cells
	place uint64 // the offset of its opcode, and its class in the upper bits
}

const (
	placeBits = 48
	placeMask = 1<<placeBits - 1
	// maxClass is the class of the largest block in a piece. Larger containers have slices of their
	// own.
	maxClass   = pieceBits
	largeClass = 0xff
	emptyClass = 0xfe
	// foldedClass is the class of a dict that a fold has taken; block is its token.
	foldedClass = 0xfd
)

func (h *header) class() int { return int(h.place >> placeBits) }

func (h *header) setClass(c int) { h.place = h.place&placeMask | uint64(c)<<placeBits }

// A store has the items of all containers. A block of class c has 1<<c cells.
type store struct {
	headers slab[header]
	cells   [][]Value
	used    int // cells used of the last piece
	free    [maxClass + 1][]uint32
	large   [][]Value
	taken   int64 // bytes
	// perByte is the size of the file divided by the bytes read so far, and most the largest estimate,
	// in cells.
	perByte float64
	most    int
}

// manyCells is the number of items above which the final size of a list is estimated.
const manyCells = 1 << 16

const cellBytes, headerBytes = 8, 16

// container adds an empty container and returns its number.
func (s *store) container(at int) int {
	if s.headers.push(header{place: uint64(at)&placeMask | emptyClass<<placeBits}) {
		s.taken += pieceLen * headerBytes
	}
	return s.headers.n - 1
}

// cellsOf returns the cells of a container.
func (s *store) cellsOf(number int) []Value {
	h := s.headers.at(number)
	switch h.class() {
	case emptyClass, foldedClass:
		return nil
	case largeClass:
		return s.large[h.block]
	}
	return s.block(h)[:h.n:h.n]
}

func (s *store) block(h *header) []Value {
	from := h.block & (pieceLen - 1)
	return s.cells[h.block>>pieceBits][from : from+1<<h.class()]
}

// add appends cells to a container.
func (s *store) add(number int, more []Value) {
	h := s.headers.at(number)
	n := int(h.n) + len(more)
	if len(more) == 0 {
		return
	}
	if h.class() == largeClass {
		s.addLarge(h, more)
		return
	}
	if h.class() == emptyClass || n > 1<<h.class() {
		old := s.cellsOf(number)
		class := bits.Len(uint(n - 1))
		if class > maxClass {
			s.large = append(s.large, append(make([]Value, 0, n), old...))
			s.taken += int64(n) * cellBytes
			s.release(h)
			h.block = uint32(len(s.large) - 1)
			h.setClass(largeClass)
			s.addLarge(h, more)
			return
		}
		block := s.take(class)
		s.release(h)
		h.block = block
		h.setClass(class)
		copy(s.block(h), old) // a released block keeps its cells until it is reused
	}
	copy(s.block(h)[h.n:], more)
	h.n = uint32(n)
}

func (s *store) addLarge(h *header, more []Value) {
	cells := s.large[h.block]
	before := cap(cells)
	if n := len(cells) + len(more); n > before && s.perByte > 0 {
		// To avoid repeated copies, estimate the final length: the rest of the file has items at the
		// same rate.
		if room := int(float64(n)*s.perByte) + len(more); n > manyCells && room < s.most {
			cells = append(make([]Value, 0, room), cells...)
		}
	}
	cells = append(cells, more...)
	s.taken += int64(cap(cells)-before) * cellBytes
	s.large[h.block], h.n = cells, uint32(len(cells))
}

// take returns a block of a class.
func (s *store) take(class int) uint32 {
	if list := s.free[class]; len(list) > 0 {
		s.free[class] = list[:len(list)-1]
		return list[len(list)-1]
	}
	size := 1 << class
	if len(s.cells) == 0 || s.used+size > pieceLen {
		s.keepRest()
		s.cells = append(s.cells, make([]Value, pieceLen))
		s.used = 0
		s.taken += pieceLen * cellBytes
	}
	at := (len(s.cells)-1)<<pieceBits | s.used
	s.used += size
	return uint32(at)
}

// keepRest turns the rest of the last piece into free blocks.
func (s *store) keepRest() {
	for len(s.cells) > 0 && s.used < pieceLen {
		class := bits.Len(uint(pieceLen-s.used)) - 1
		s.free[class] = append(s.free[class], uint32((len(s.cells)-1)<<pieceBits|s.used))
		s.used += 1 << class
	}
}

// release frees the block of a container.
func (s *store) release(h *header) {
	switch class := h.class(); class {
	case emptyClass, foldedClass:
	case largeClass:
		s.taken -= int64(cap(s.large[h.block])) * cellBytes
		s.large[h.block] = nil
	default:
		s.free[class] = append(s.free[class], h.block)
	}
	h.setClass(emptyClass)
}
