package patch

import "github.com/tflarena/tflarena/tflite"

// prefix is a front that adds a plan and its marker: a header, a root table with all the fields
// of the old one, the vectors of buffers and metadata, and the new entries of both. Without a
// plan it removes the embedded one.
type prefix struct {
	rootFront
	slots []slot
	// buffers and metadata are the positions in the old file of the tables that stay.
	buffers, metadata []int64
	sentinel          bool

	bufferVector, metadataVector, empty int64
}

// newPrefix lays the prefix out.
func newPrefix(m *tflite.Model, c Carried) *prefix {
	p := &prefix{rootFront: rootFront{old: RootOf(m)}}
	for _, part := range c.parts() {
		if part.data != nil {
			p.slots = append(p.slots, slot{part: part})
		}
	}
	p.buffers = p.old.Targets(FieldBuffers)
	for i, target := range p.old.Targets(FieldMetadata) {
		if !Ours(m.Metadata[i].Name) {
			p.metadata = append(p.metadata, target)
		}
	}
	// Buffer 0 means no data. In a file without buffers, tensors still refer to buffer 0, which
	// must not become the plan.
	p.sentinel = len(p.slots) > 0 && len(p.buffers) == 0
	p.reserveVectors()
	p.reserveSlots()
	return p
}

func (p *prefix) reserveVectors() {
	p.reserveRoot(func(id int, present bool) bool {
		switch id {
		case FieldBuffers:
			return present || len(p.slots) > 0
		case FieldMetadata:
			return len(p.metadata)+len(p.slots) > 0
		}
		return present
	})
	p.bufferVector = p.Reserve(4+4*int64(len(p.newBuffers())), 0, 4)
	p.metadataVector = p.Reserve(4+4*int64(len(p.newMetadata())), 0, 4)
}

// newBuffers returns the positions, in the new file, of the tables in the new vector of
// buffers.
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

// bufferOf returns the index of slot i's buffer in the new file.
func (p *prefix) bufferOf(i int) int { return max(len(p.buffers), 1) + i }

// newMetadata is newBuffers for metadata.
func (p *prefix) newMetadata() []int64 {
	list := p.moved(p.metadata)
	for _, s := range p.slots {
		list = append(list, s.entry)
	}
	return list
}

// write returns the file: the prefix, then the old bytes.
func (p *prefix) write(m *tflite.Model) Output {
	out := p.writeRoot(m, map[int]int64{FieldBuffers: p.bufferVector, FieldMetadata: p.metadataVector})
	out.Vector(p.bufferVector, p.newBuffers())
	out.Vector(p.metadataVector, p.newMetadata())
	if p.sentinel {
		out.table(p.empty-emptyVtable, p.empty, emptySize)
	}
	for i := range p.slots {
		p.slots[i].write(out, p.bufferOf(i))
	}
	return out
}
