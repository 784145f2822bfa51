package patch

import "github.com/tflarena/tflarena/tflite"

// A prefix is the front that carries a plan and its marker: a header, a root table with all
// the fields of the old one, vectors of buffers and of metadata, and what these two
// have new. Without a plan it is a front that carries none.
type prefix struct {
	Front
	old   Root
	slots []slot

	// fields are the places of the root table's fields in it, zero when absent.
	fields    [rootFields]int
	tableSize int64
	// buffers and metadata are the tables that stay, by their places in the old file.
	buffers, metadata []int64
	sentinel          bool

	vtable, table, bufferVector, metadataVector, empty int64
}

// newPrefix lays the prefix out.
func newPrefix(m *tflite.Model, c Carried) *prefix {
	p := &prefix{old: RootOf(m)}
	for _, part := range c.parts() {
		if part.data != nil {
			p.slots = append(p.slots, slot{part: part})
		}
	}
	p.buffers = p.old.Targets(FieldBuffers)
	for i, target := range p.old.Targets(FieldMetadata) {
		if !ours(m.Metadata[i].Name) {
			p.metadata = append(p.metadata, target)
		}
	}
	// Buffer 0 stands for no data. Where the old file has no buffers its tensors
	// still refer to buffer 0, which must not become the plan.
	p.sentinel = len(p.slots) > 0 && len(p.buffers) == 0
	p.reserveRoot()
	p.reserveSlots()
	return p
}

func (p *prefix) reserveRoot() {
	p.Reserve(HeaderSize, 0, 4)
	p.tableSize = 4
	for id := range p.fields {
		_, present := FieldAt(p.old.Table, id)
		switch id {
		case FieldBuffers:
			present = present || len(p.slots) > 0
		case FieldMetadata:
			present = len(p.metadata)+len(p.slots) > 0
		}
		if present {
			p.fields[id] = int(p.tableSize)
			p.tableSize += 4
		}
	}
	p.vtable = p.Reserve(4+2*rootFields, 0, 4)
	p.table = p.Reserve(p.tableSize, 0, 4)
	p.bufferVector = p.Reserve(4+4*int64(len(p.newBuffers())), 0, 4)
	p.metadataVector = p.Reserve(4+4*int64(len(p.newMetadata())), 0, 4)
}

// newBuffers returns the tables of the new vector of buffers in the new file.
func (p *prefix) newBuffers() []int64 {
	list := p.moved(p.buffers)
	if p.sentinel {
		list = append(list, p.empty)
	}
	for _, s := range p.slots {
		list = append(list, s.buffer)
	}
	return list
}

// bufferOf returns the index of a slot's buffer in the new file.
func (p *prefix) bufferOf(i int) int { return max(len(p.buffers), 1) + i }

// newMetadata is newBuffers for metadata.
func (p *prefix) newMetadata() []int64 {
	list := p.moved(p.metadata)
	for _, s := range p.slots {
		list = append(list, s.entry)
	}
	return list
}

func (p *prefix) moved(old []int64) []int64 {
	list := make([]int64, 0, len(old)+3)
	for _, target := range old {
		list = append(list, target+p.Shift())
	}
	return list
}

// write returns the file: the prefix and the old bytes behind it.
func (p *prefix) write(m *tflite.Model) Output {
	out := make(Output, p.Shift()+int64(len(m.Data)))
	copy(out[p.Shift():], m.Data)
	p.writeRoot(out, m)
	if p.sentinel {
		out.table(p.empty-emptyVtable, p.empty, emptySize)
	}
	for i := range p.slots {
		p.slots[i].write(out, p.bufferOf(i))
	}
	return out
}

func (p *prefix) writeRoot(out Output, m *tflite.Model) {
	out.Refer(0, p.table)
	if m.Identified {
		copy(out[4:8], m.Data[4:8])
	}
	out.table(p.vtable, p.table, int(p.tableSize), p.fields[:]...)
	for id, place := range p.fields {
		at := p.table + int64(place)
		old, _ := FieldAt(p.old.Table, id)
		switch {
		case place == 0:
		case id == FieldBuffers:
			out.Refer(at, p.bufferVector)
		case id == FieldMetadata:
			out.Refer(at, p.metadataVector)
		case id == fieldVersion:
			copy(out[at:at+4], p.old.Data[old:])
		default:
			out.Refer(at, p.old.Follow(old)+p.Shift())
		}
	}
	out.Vector(p.bufferVector, p.newBuffers())
	out.Vector(p.metadataVector, p.newMetadata())
}
