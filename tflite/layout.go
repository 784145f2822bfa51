package tflite

//go:generate go run ./internal/layoutgen -schema ../schema/tflite.fbs -o layout_generated.go

// A tableID names a table type of the schema; it indexes layouts.
type tableID uint8

// A unionID names a union of the schema; it indexes unions.
type unionID = tableID

// A fieldKind says how the verifier looks at a field.
type fieldKind uint8

const (
	// kindScalar is a number in the table itself; a union's tag is one too.
	kindScalar fieldKind = iota
	// kindVector is an offset to a vector of numbers.
	kindVector
	// kindString is an offset to a vector of bytes with a zero byte behind it.
	kindString
	// kindTable is an offset to a table of type ref.
	kindTable
	// kindTables is an offset to a vector of offsets to tables of type ref.
	kindTables
	// kindUnion is an offset to a table whose type the tag, one id below, selects
	// from the union ref.
	kindUnion
)

// A field is one field of a table. Its position in layout.fields is its id.
type field struct {
	name string
	kind fieldKind
	// size is the bytes of the number, or of one element of the vector.
	size uint8
	ref  tableID
}

// A layout is what the verifier knows of a table type. Ids behind the last one
// belong to newer schemas and are not looked at.
type layout struct {
	name   string
	fields []field
}

// A unionLayout lists the table types of a union; tag 1 is the first.
type unionLayout struct {
	name    string
	members []tableID
}

// member returns the table type of a tag, and false for the tags of newer schemas.
func (u *unionLayout) member(tag uint8) (tableID, bool) {
	if tag == 0 || int(tag) > len(u.members) {
		return 0, false
	}
	return u.members[tag-1], true
}
