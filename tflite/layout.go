package tflite

//go:generate go run ./internal/layoutgen -schema ../schema/tflite.fbs -o layout_generated.go

// A tableID names a table type of the schema; it indexes layouts.
type tableID uint8

// A unionID names a union of the schema; it indexes unions.
type unionID = tableID

// A fieldKind is the verifier's handling of a field.
type fieldKind uint8

const (
	// kindScalar is a number stored in the table, such as a union's tag.
	kindScalar fieldKind = iota
	// kindVector is an offset to a vector of numbers.
	kindVector
	// kindString is an offset to a vector of bytes followed by a zero byte.
	kindString
	// kindTable is an offset to a table of type ref.
	kindTable
	// kindTables is an offset to a vector of offsets to tables of type ref.
	kindTables
	// kindUnion is an offset to a table; the tag, one id below, selects its type from the union
	// ref.
	kindUnion
)

// A field is one field of a table. Its position in layout.fields is its id.
type field struct {
	name string
	kind fieldKind
	// size is the size of the number, or of one element of the vector, in bytes.
	size uint8
	ref  tableID
}

// width returns the size of the field inside its table, in bytes.
func (f *field) width() uint8 {
	if f.kind == kindScalar {
		return f.size
	}
	return 4
}

// A layout describes a table type for the verifier. Ids after the last one belong to newer
// schemas and are ignored.
type layout struct {
	name   string
	fields []field
}

// A unionLayout lists the table types of a union; tag 1 is the first.
type unionLayout struct {
	name    string
	members []tableID
}

// member returns the table type of a tag, or false for tags of newer schemas.
func (u *unionLayout) member(tag uint8) (tableID, bool) {
	if tag == 0 || int(tag) > len(u.members) {
		return 0, false
	}
	return u.members[tag-1], true
}
