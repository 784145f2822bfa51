package patch

import "github.com/tflarena/tflarena/tflite"

// rootFront is a front that begins with a header and a root table, which has fields of the old
// one and new vectors in place of some.
type rootFront struct {
	Front
	old Root
	// fields are the offsets of the fields in the root table, zero if absent.
	fields        [rootFields]int
	tableSize     int64
	vtable, table int64
}

// reserveRoot lays out the header and a root table with the fields selected by has; present
// reports whether the old table has the field.
func (f *rootFront) reserveRoot(has func(id int, present bool) bool) {
	f.Reserve(HeaderSize, 0, 4)
	f.tableSize = 4
	for id := range f.fields {
		if _, present := FieldAt(f.old.Table, id); has(id, present) {
			f.fields[id] = int(f.tableSize)
			f.tableSize += 4
		}
	}
	f.vtable = f.Reserve(4+2*rootFields, 0, 4)
	f.table = f.Reserve(f.tableSize, 0, 4)
}

// asBefore selects the fields of the old root table.
func asBefore(_ int, present bool) bool { return present }

// writeRoot returns the file with the header, the root table, and the old bytes after the
// front. vectors maps fields to the positions of new vectors.
func (f *rootFront) writeRoot(m *tflite.Model, vectors map[int]int64) Output {
	out := make(Output, f.Shift()+int64(len(m.Data)))
	copy(out[f.Shift():], m.Data)
	out.Refer(0, f.table)
	if m.Identified {
		copy(out[4:8], m.Data[4:8])
	}
	out.table(f.vtable, f.table, int(f.tableSize), f.fields[:]...)
	for id, place := range f.fields {
		at := f.table + int64(place)
		old, _ := FieldAt(f.old.Table, id)
		vector, renewed := vectors[id]
		switch {
		case place == 0:
		case renewed:
			out.Refer(at, vector)
		case id == fieldVersion:
			copy(out[at:at+4], f.old.Data[old:])
		default:
			out.Refer(at, f.old.Follow(old)+f.Shift())
		}
	}
	return out
}

// moved converts positions in the old file to positions in the new one.
func (f *rootFront) moved(old []int64) []int64 {
	list := make([]int64, 0, len(old)+3)
	for _, target := range old {
		list = append(list, target+f.Shift())
	}
	return list
}
