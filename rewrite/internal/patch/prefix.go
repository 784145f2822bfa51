package patch

import "github.com/tflarena/tflarena/tflite"

// A prefix is the front that carries a plan: a header, a root table with all the
// fields of the old one, vectors of buffers and of metadata, and what these two
// have new. Without a plan it is a front that carries none.
type prefix struct {
	Front
	old  Root
	plan []byte

	// fields are the places of the root table's fields in it, zero when absent.
	fields    [rootFields]int
	tableSize int64
	// buffers and metadata are the tables that stay, by their places in the old file.
	buffers, metadata []int64
	sentinel          bool

	vtable, table, bufferVector, metadataVector int64
	entry, name, buffer, empty, data            int64
}

// Sizes of the small tables, each with its vtable in front.
const (
	HeaderSize = 8
	// entry: a vtable of two fields, then name and buffer.
	entryVtable, entrySize = 8, 12
	// buffer: a vtable of one field, padded, then data.
	bufferVtable, bufferSize = 8, 8
	// empty: a vtable of no field and a table of none.
	emptyVtable, emptySize = 4, 4
)

// newPrefix lays the prefix out.
func newPrefix(m *tflite.Model, plan []byte) *prefix {
	p := &prefix{old: RootOf(m), plan: plan}
	p.buffers = p.old.Targets(FieldBuffers)
	for i, target := range p.old.Targets(FieldMetadata) {
		if m.Metadata[i].Name != PlanName {
			p.metadata = append(p.metadata, target)
		}
	}
	// Buffer 0 stands for no data. Where the old file has no buffers its tensors
	// still refer to buffer 0, which must not become the plan.
	p.sentinel = plan != nil && len(p.buffers) == 0
	p.reserveRoot()
	p.reservePlan()
	return p
}

func (p *prefix) reserveRoot() {
	p.Reserve(HeaderSize, 0, 4)
	p.tableSize = 4
	for id := range p.fields {
		_, present := FieldAt(p.old.Table, id)
		switch id {
		case FieldBuffers:
			present = present || p.plan != nil
		case FieldMetadata:
			present = p.count(p.metadata) > 0
		}
		if present {
			p.fields[id] = int(p.tableSize)
			p.tableSize += 4
		}
	}
	p.vtable = p.Reserve(4+2*rootFields, 0, 4)
	p.table = p.Reserve(p.tableSize, 0, 4)
	p.bufferVector = p.Reserve(4+4*int64(len(p.newBuffers())), 0, 4)
	p.metadataVector = p.Reserve(4+4*int64(p.count(p.metadata)), 0, 4)
}

// count returns how many elements a vector has with the plan's own.
func (p *prefix) count(old []int64) int {
	if p.plan == nil {
		return len(old)
	}
	return len(old) + 1
}

func (p *prefix) reservePlan() {
	if p.plan == nil {
		return
	}
	p.entry = p.Reserve(entryVtable+entrySize, 0, 4) + entryVtable
	p.name = p.Reserve(4+int64(len(PlanName))+1, 0, 4)
	if p.sentinel {
		p.empty = p.Reserve(emptyVtable+emptySize, 0, 4) + emptyVtable
	}
	p.buffer = p.Reserve(bufferVtable+bufferSize, 0, 4) + bufferVtable
	// The schema aligns the data, which follows its length. It comes last, so that
	// the end of the plan tells where the old file begins: see Original.
	p.data = p.Reserve(4+int64(len(p.plan)), 4, Alignment)
}

// newBuffers returns the tables of the new vector of buffers in the new file.
func (p *prefix) newBuffers() []int64 {
	list := p.moved(p.buffers)
	if p.sentinel {
		list = append(list, p.empty)
	}
	if p.plan != nil {
		list = append(list, p.buffer)
	}
	return list
}

// newMetadata is newBuffers for metadata.
func (p *prefix) newMetadata() []int64 {
	list := p.moved(p.metadata)
	if p.plan != nil {
		list = append(list, p.entry)
	}
	return list
}

func (p *prefix) moved(old []int64) []int64 {
	list := make([]int64, 0, len(old)+2)
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
	if p.plan != nil {
		p.writePlan(out)
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

func (p *prefix) writePlan(out Output) {
	out.table(p.entry-entryVtable, p.entry, entrySize, 4, 8)
	out.Refer(p.entry+4, p.name)
	out.U32(p.entry+8, int64(len(p.newBuffers())-1))
	out.U32(p.name, int64(len(PlanName)))
	copy(out[p.name+4:], PlanName)
	if p.sentinel {
		out.table(p.empty-emptyVtable, p.empty, emptySize)
	}
	out.table(p.buffer-bufferVtable, p.buffer, bufferSize, 4)
	out.Refer(p.buffer+4, p.data)
	out.U32(p.data, int64(len(p.plan)))
	copy(out[p.data+4:], p.plan)
}
