package tflite

// An Extent is a range of bytes of a file that a reader of the model looks at, and as
// what.
type Extent struct {
	// From is the position of the first byte, To that just behind the last.
	From, To int64
	// What is the field whose bytes they are, as in "Buffer.offset", a vtable, or
	// what leads to it.
	What string
}

// Extents calls visit for every extent of a file that [Parse] accepts: each number, each
// reference, each vector and string, each vtable and each table's reference to it. What
// is shared may be visited more than once; what only newer schemas know is not visited.
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
