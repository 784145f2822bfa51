package tflite

// An Extent is a range of bytes that a reader of the model accesses, and the field that they
// belong to.
type Extent struct {
	// From is the byte offset of the first byte, To the offset after the last (half-open).
	From, To int64
	// What names the field, such as "Buffer.offset", the vtable, or the reference that leads to
	// the bytes. It is [Unread] if the reader does not know the target.
	What string
}

// Unread is the What of an extent that refers to bytes which [Extents] does not visit: a field
// or a table newer than the schema, or options that are broken or have no type. In a file with
// such an extent, bytes outside all extents may be in use.
const Unread = "something that is not read"

// Extents calls visit for every extent of a file that [Parse] accepts: each number, reference,
// vector, string and vtable, and each table's reference to its vtable. Shared bytes may be
// visited more than once. For parts newer than the schema, Extents visits only the reference to
// them, as [Unread]. It returns the same errors as Parse.
func Extents(data []byte, visit func(Extent)) error {
	v := newVerifier(data)
	v.visit = visit
	if !v.root() {
		return v.err
	}
	return nil
}

// claim reports an access to v.visit.
func (v *verifier) claim(from, to int64, what string) {
	if v.visit != nil {
		v.visit(Extent{from, to, what})
	}
}

// claimField is claim for a field of a table; it formats the name only if visit is set.
func (v *verifier) claimField(from, to int64, id tableID, f *field) {
	if v.visit != nil {
		v.visit(Extent{from, to, layouts[id].name + "." + f.name})
	}
}

// claimNewer claims the fields after the first known ones, which are newer than the schema.
func (v *verifier) claimNewer(t vtable, known int) {
	if v.visit == nil {
		return
	}
	for id := known; 2*id+2 <= len(t.entries); id++ {
		if _, present := t.field(id); present {
			v.visit(Extent{t.table, t.table + 4, Unread})
		}
	}
}
