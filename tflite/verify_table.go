package tflite

import (
	"unicode/utf8"

	"github.com/tflarena/tflarena/internal/units"
)

// A vtable maps field ids to positions in a table.
type vtable struct {
	// entries holds the 16-bit field offsets, one per id.
	entries []byte
	// table is the position of the table, size its size in bytes.
	table, size int64
}

// field returns the absolute position of a field, or false if it is absent.
func (t vtable) field(id int) (pos int64, present bool) {
	if 2*id+2 > len(t.entries) {
		return 0, false
	}
	off := int64(t.entries[2*id]) | int64(t.entries[2*id+1])<<8
	return t.table + off, off != 0
}

// vtable checks the vtable of the table at pos and the extent of the table.
func (v *verifier) vtable(pos int64) (t vtable, ok bool) {
	at := pos - int64(int32(v.u32(pos)))
	if at < 0 || at > v.size()-4 || at%2 != 0 {
		return t, v.fail(pos, "vtable at %d is outside the file or misaligned", at)
	}
	length, size := v.u16(at), v.u16(at+2)
	switch {
	case length < 4 || length%2 != 0 || length > v.size()-at:
		return t, v.fail(at, "vtable of %s", units.ExactBytes(length))
	case size < 4 || size > v.size()-pos:
		return t, v.fail(at+2, "table of %s (%s left)", units.ExactBytes(size), units.ExactBytes(v.size()-pos))
	}
	v.reach(at + length)
	v.reach(pos + size)
	v.claim(at, at+length, "vtable")
	v.claim(pos, pos+4, "reference to a vtable")
	return vtable{v.data[at+4 : at+length], pos, size}, true
}

// table checks the table at pos, which must be aligned and have room for four bytes, and
// everything it refers to.
func (v *verifier) table(pos int64, id tableID) bool {
	if !v.visited.first(pos, visitKind(id)) {
		return true
	}
	t, ok := v.vtable(pos)
	if !ok {
		return false
	}
	fields := layouts[id].fields
	for i := range fields {
		at, present := t.field(i)
		if !present {
			continue
		}
		v.path = append(v.path, step{fields[i].name, -1})
		if !v.field(t, at, i, id) && !v.confine(t, len(v.path), &fields[i]) {
			v.visited.forget(pos, visitKind(id))
			return false
		}
		v.path = v.path[:len(v.path)-1]
	}
	v.claimNewer(t, len(fields))
	return true
}

// confine turns an error inside an operator's options into a warning. Options affect only the
// operator itself: no lifetime depends on them, and TensorFlow Lite Micro does not verify them
// and reads only options of the expected type. Operators that call subgraphs are the exception
// and are checked later.
func (v *verifier) confine(t vtable, depth int, f *field) bool {
	private := f.kind == kindUnion && (f.ref == unionBuiltinOptions || f.ref == unionBuiltinOptions2)
	if !private || v.budget.remaining < 0 {
		return false
	}
	if _, known := v.damaged[t.table]; !known {
		v.warn.add(v.err.Path, v.err.Offset, "%s; the operator's options are left out", v.err.Problem)
		v.damaged[t.table] = v.err
	}
	v.claim(t.table, t.table+4, Unread)
	v.err, v.path = nil, v.path[:depth]
	return true
}

// field checks field index of a table type at an unchecked position.
func (v *verifier) field(t vtable, pos int64, index int, id tableID) bool {
	f := &layouts[id].fields[index]
	size := int64(4)
	if f.kind == kindScalar {
		size = int64(f.size)
	}
	if pos < t.table+4 || pos > t.table+t.size-size {
		return v.fail(pos, "field is outside its table of %s", units.ExactBytes(t.size))
	}
	v.claimField(pos, pos+size, id, f)
	if f.kind == kindScalar {
		return pos%size == 0 || v.fail(pos, "misaligned number of %s", units.ExactBytes(size))
	}
	target, ok := v.offset(pos)
	return ok && v.target(t, target, index, id)
}

// target checks the target of a field's offset.
func (v *verifier) target(t vtable, pos int64, index int, id tableID) bool {
	f := &layouts[id].fields[index]
	switch f.kind {
	case kindVector:
		n, ok := v.vector(pos, int64(f.size))
		v.claimField(pos, pos+4+n*int64(f.size), id, f)
		return ok
	case kindString:
		return v.text(pos)
	case kindTable:
		return v.table(pos, f.ref)
	case kindTables:
		return v.tables(pos, f.ref)
	default:
		return v.union(t, pos, index, f.ref)
	}
}

// tables checks the vector of tables at pos.
func (v *verifier) tables(pos int64, id tableID) bool {
	if !v.visited.first(pos, visitTables+visitKind(id)) {
		return true
	}
	n, ok := v.vector(pos, 4)
	v.claim(pos, pos+4+4*n, "vector of tables")
	last := len(v.path) - 1
	for i := int64(0); ok && i < n; i++ {
		v.path[last].index = int(i)
		var target int64
		if target, ok = v.offset(pos + 4 + 4*i); ok {
			ok = v.table(target, id)
		}
	}
	if !ok {
		v.visited.forget(pos, visitTables+visitKind(id))
	}
	return ok
}

// union checks the table at pos, whose type is given by the tag. A table with a tag newer than
// the schema is skipped.
func (v *verifier) union(t vtable, pos int64, id int, union unionID) bool {
	at, present := t.field(id - 1)
	if !present || v.data[at] == 0 {
		v.claim(t.table, t.table+4, Unread)
		return true
	}
	member, known := unions[union].member(v.data[at])
	if !known {
		v.reach(pos + 4)
		v.claim(pos, pos+4, Unread)
		if v.warn.hasRoom() {
			v.warn.add(v.path.String(), at, "%s has type %d, which is newer than this reader", unions[union].name, v.data[at])
		}
		return true
	}
	return v.table(pos, member)
}

// text checks the string at pos.
func (v *verifier) text(pos int64) bool {
	if !v.visited.first(pos, visitString) {
		return true
	}
	n, ok := v.vector(pos, 1)
	if !ok || !v.spend(pos, n/4) {
		v.visited.forget(pos, visitString)
		return false
	}
	end := pos + 4 + n
	if end == v.size() || v.data[end] != 0 {
		v.visited.forget(pos, visitString)
		return v.fail(pos, "string of %s has no zero byte at its end", units.ExactBytes(n))
	}
	v.reach(end + 1)
	v.claim(pos, end+1, "string")
	if text := v.data[pos+4 : end]; !utf8.Valid(text) && v.warn.hasRoom() {
		v.warn.add(v.path.String(), pos+4, "string is not valid UTF-8")
	}
	return true
}
