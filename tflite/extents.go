package tflite

// An Extent is a range of bytes of a file that a reader of the model looks at, and as
// what.
type Extent struct {
	// From is the position of the first byte, To that just behind the last.
	From, To int64
	// What is the field whose bytes they are, as in "Buffer.offset", a vtable, or
	// what leads to it; or it is [Unread].
	What string
}

// Unread is what an extent stands for that leads to more than is visited: a field or a
// table newer than the schema, and options that do not hold or that have no type. Where a
// file has one, other bytes may be in use than those of all extents.
const Unread = "something that is not read"

// Extents calls visit for every extent of a file that [Parse] accepts: each number, each
// reference, each vector and string, each vtable and each table's reference to it. What
// is shared may be visited more than once; of what only newer schemas know just the place
// that leads there is visited, as [Unread].
// An error is that of Parse.
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

// claimNewer claims the fields of a table that the schema, which knows so many, has not.
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
