package mutate

import (
	"sync"

	"github.com/tflarena/tflarena/internal/fbs"
	"github.com/tflarena/tflarena/schema"
)

// A kind is the kind of a field.
type kind int

const (
	scalar  kind = iota // a number in the table itself, or the tag of a union
	numbers             // a vector of numbers
	text                // a string
	table               // a table
	tables              // a vector of tables
	union               // a table whose type is in the tag, the field before it
)

// A field is one field of a table type; its index there is its id.
type field struct {
	name string
	kind kind
	// size is the size in bytes of the number, or of each element of a vector or a text.
	size int
	// align is the alignment in the schema, in bytes, 0 for the size's.
	align int
	// of is the table type, and members are the types of a union; tag 1 is the first.
	of      *tableType
	members []*tableType
	// values are the values of an enumeration.
	values []int64
}

// A tableType is a table of the schema.
type tableType struct {
	name   string
	fields []field
}

// id returns the id of a field by its name.
func (t *tableType) id(name string) int {
	for i := range t.fields {
		if t.fields[i].name == name {
			return i
		}
	}
	panic("mutate: the schema has no field " + t.name + "." + name)
}

// types are the tables of the schema by name.
var types = sync.OnceValue(loadTypes)

// sizes are the bytes of the scalar types of the schema language.
var sizes = map[string]int{
	"bool": 1, "byte": 1, "ubyte": 1, "ushort": 2, "int": 4, "int32": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8,
}

// loadTypes reads the schema, which is embedded in the program.
func loadTypes() map[string]*tableType {
	s, err := fbs.Parse(schema.Source)
	if err != nil {
		panic(err)
	}
	l := &loader{schema: s, types: map[string]*tableType{}}
	for _, t := range s.Tables {
		l.types[t.Name] = &tableType{name: t.Name}
	}
	for _, t := range s.Tables {
		for _, f := range t.Fields {
			l.add(l.types[t.Name], f)
		}
	}
	return l.types
}

// A loader makes table types from declarations.
type loader struct {
	schema *fbs.Schema
	types  map[string]*tableType
}

// add adds a field, preceded by the tag of a union.
func (l *loader) add(t *tableType, f fbs.Field) {
	n := field{name: f.Name, size: 4, align: f.ForceAlign}
	switch enum, members := l.enum(f.Type), l.union(f.Type); {
	case sizes[f.Type] > 0:
		n.kind, n.size = scalar, sizes[f.Type]
	case enum != nil:
		n.kind, n.size, n.values = scalar, sizes[enum.Type], numbersOf(enum)
	case f.Type == "string":
		n.kind, n.size = text, 1
	case members != nil:
		n.kind, n.members = union, members
		t.fields = append(t.fields, field{name: f.Name + "_type", kind: scalar, size: 1, values: tags(members)})
	default:
		n.kind, n.of = table, l.types[f.Type]
	}
	if f.Vector {
		n.kind += numbers - scalar
		if n.of != nil {
			n.kind = tables
		}
	}
	t.fields = append(t.fields, n)
}

func (l *loader) enum(name string) *fbs.Enum {
	for i := range l.schema.Enums {
		if l.schema.Enums[i].Name == name {
			return &l.schema.Enums[i]
		}
	}
	return nil
}

func (l *loader) union(name string) (members []*tableType) {
	for _, u := range l.schema.Unions {
		for _, m := range u.Members {
			if u.Name == name {
				members = append(members, l.types[m])
			}
		}
	}
	return members
}

func numbersOf(e *fbs.Enum) (list []int64) {
	for _, v := range e.Values {
		list = append(list, v.Number)
	}
	return list
}

func tags(members []*tableType) (list []int64) {
	for i := range len(members) + 1 {
		list = append(list, int64(i))
	}
	return list
}
