package tflite

// An Extent is a range of bytes of a file that a reader of the model looks at, and the
// field that the bytes belong to.
type Extent struct {
	// From is the byte offset of the first byte, To the offset just behind the last
	// (half-open).
	From, To int64
	// What names the field whose bytes these are, such as "Buffer.offset", or the vtable,
	// or the reference that leads to them. It is [Unread] where the reader does not know
	// what follows.
	What string
}

// Unread is the What of an extent that leads to bytes which [Extents] does not visit: a
// field or a table newer than the schema, or options that are broken or have no type. In a
// file with such an extent, bytes outside all extents may be in use.
const Unread = "something that is not read"

// Extents calls visit for every extent of a file that [Parse] accepts: each number,
// reference, vector, string and vtable, and each table's reference to its vtable. Bytes
// that are shared may be visited more than once. Of parts that only newer schemas know,
// Extents visits just the place that leads to them, as [Unread]. Its errors are those of
// Parse.
func Extents(data []byte, visit func(Extent)) error {
	v := newVerifier(data)
	v.visit = visit
	if !v.root() {
		return v.err
	}
	return nil
}

// claim tells who asked that bytes are looked at.
func (v *verifier) claim(from, to int64, what string) {
	if v.visit != nil {
		v.visit(Extent{from, to, what})
	}
}

// claimField is claim for a field of a table, whose name is only made when it is asked for.
func (v *verifier) claimField(from, to int64, id tableID, f *field) {
	if v.visit != nil {
		v.visit(Extent{from, to, layouts[id].name + "." + f.name})
	}
}

// claimNewer claims the fields of a table that are newer than the schema, which knows the
// first known fields.
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
