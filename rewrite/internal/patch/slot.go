package patch

// slot holds the positions of a plan or marker in a front: the table of its metadata entry, its
// name, the table of its buffer, and the data.
type slot struct {
	part
	entry, text, buffer, bytes int64
}

// Sizes in bytes of the small tables, each preceded by its vtable.
const (
	HeaderSize = 8
	// entry: a vtable of two fields, then name and buffer.
	entryVtable, entrySize = 8, 12
	// buffer: a vtable of one field, padded, then data.
	bufferVtable, bufferSize = 8, 8
	// empty: a vtable and a table without fields.
	emptyVtable, emptySize = 4, 4
)

// reserveSlots lays out the slots from last to first. So the plan's data is the last part of
// all, and its end determines the start of the old file: see Original.
func (p *prefix) reserveSlots() {
	for i := len(p.slots) - 1; i >= 0; i-- {
		s := &p.slots[i]
		s.entry = p.Reserve(entryVtable+entrySize, 0, 4) + entryVtable
		s.text = p.Reserve(4+int64(len(s.name))+1, 0, 4)
		if i == 0 && p.sentinel {
			p.empty = p.Reserve(emptyVtable+emptySize, 0, 4) + emptyVtable
		}
		s.buffer = p.Reserve(bufferVtable+bufferSize, 0, 4) + bufferVtable
		// The schema requires this alignment of the data, which follows its length.
		s.bytes = p.Reserve(4+int64(len(s.data)), 4, Alignment)
	}
}

// write writes a slot whose buffer has the given index.
func (s *slot) write(out Output, index int) {
	out.table(s.entry-entryVtable, s.entry, entrySize, 4, 8)
	out.Refer(s.entry+4, s.text)
	out.U32(s.entry+8, int64(index))
	out.U32(s.text, int64(len(s.name)))
	copy(out[s.text+4:], s.name)
	out.table(s.buffer-bufferVtable, s.buffer, bufferSize, 4)
	out.Refer(s.buffer+4, s.bytes)
	out.U32(s.bytes, int64(len(s.data)))
	copy(out[s.bytes+4:], s.data)
}
