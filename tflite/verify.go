package tflite

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
)

// maxFlatbuffer bounds the part of a file that offsets may reach: table positions are signed
// 32-bit numbers. Bytes after it are reached only by absolute offsets.
const maxFlatbuffer = math.MaxInt32

// A verifier checks the structure of a file, so that afterwards no accessor of package schema
// can leave data. It applies the rules of the FlatBuffers verifier, stricter in one point: a
// field must be inside its table. No table type contains itself, so the schema bounds the
// recursion depth.
//
// The first error stops the verifier: methods return false, and err holds the error.
type verifier struct {
	data    []byte
	path    path
	visited *visited
	budget  budget
	// end is the position after the last byte that tables refer to.
	end  int64
	warn *warnings
	// damaged maps the positions of operators with invalid options to the errors.
	damaged map[int64]*Error
	err     *Error
	// visit is called for every access, unless nil.
	visit func(Extent)
}

// verify checks the structure of data.
func verify(data []byte) (*verifier, error) {
	v := newVerifier(data)
	if !v.root() {
		return nil, v.err
	}
	return v, nil
}

func newVerifier(data []byte) *verifier {
	v := &verifier{data: data[:min(int64(len(data)), maxFlatbuffer)], warn: &warnings{}}
	v.visited = newVisited(v.size())
	v.budget = newBudget(v.size())
	v.damaged = map[int64]*Error{}
	return v
}

func (v *verifier) size() int64 { return int64(len(v.data)) }

// root checks the header and everything that the root table refers to.
func (v *verifier) root() bool {
	if v.size() < 8 {
		return v.fail(0, "%s are too few for a model", units.ExactBytes(v.size()))
	}
	if !isIdentified(v.data) {
		v.warn.add("", 4, "no file identifier %q", schema.Identifier)
	}
	v.reach(8)
	pos, ok := v.offset(0)
	if !ok {
		v.err.Problem = notModel + ": " + v.err.Problem
		return false
	}
	return v.table(pos, tableModel)
}

// fail records an error at an absolute position, with the current path.
func (v *verifier) fail(pos int64, text string, args ...any) bool {
	if v.err == nil {
		v.err = &Error{Path: v.path.String(), Offset: pos, Problem: fmt.Sprintf(text, args...)}
	}
	return false
}

// spend charges work to the budget; pos is the cause of the work.
func (v *verifier) spend(pos, units int64) bool {
	if v.budget.spend(units) {
		return true
	}
	return v.fail(pos, "tables and vectors overlap or share too much")
}

// reach records that bytes up to end (exclusive) are in use.
func (v *verifier) reach(end int64) { v.end = max(v.end, end) }

func (v *verifier) u32(pos int64) int64 { return int64(binary.LittleEndian.Uint32(v.data[pos:])) }
func (v *verifier) u16(pos int64) int64 { return int64(binary.LittleEndian.Uint16(v.data[pos:])) }

// offset follows the reference at pos, which must be in bounds, and returns a target that is
// aligned and has room for four bytes.
func (v *verifier) offset(pos int64) (target int64, ok bool) {
	if pos%4 != 0 {
		return 0, v.fail(pos, "misaligned offset")
	}
	target = pos + v.u32(pos)
	switch {
	case target == pos:
		return 0, v.fail(pos, "offset is zero")
	case target > v.size()-4:
		return 0, v.fail(pos, "offset %d is past the end of the file (%s left)", target-pos, units.ExactBytes(v.size()-pos))
	case target%4 != 0:
		return 0, v.fail(pos, "offset %d is not a multiple of 4", target-pos)
	}
	return target, v.spend(pos, 1)
}

// vector checks and returns the length of the vector at pos.
func (v *verifier) vector(pos, elementSize int64) (n int64, ok bool) {
	n = v.u32(pos)
	if left := v.size() - pos - 4; n > left/elementSize {
		return 0, v.fail(pos, "vector of %s elements of %s exceeds the file (%s left)", units.Number(n), units.ExactBytes(elementSize), units.ExactBytes(left))
	}
	v.reach(pos + 4 + n*elementSize)
	return n, true
}
