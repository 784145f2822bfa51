package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

// objectCost is the budget of one object of the model, without its numbers and names.
const objectCost = 16

// A decoder builds a Model from a verified file. It checks what the structure alone cannot:
// that every index refers to something that exists.
type decoder struct {
	m      *Model
	root   *schema.Model
	warn   *warnings
	budget budget
	ints   slab[int]
	dims   slab[int32]

	codeNames  []string
	external   map[uint32]bool
	compressed bool
	empty      emptyData
	// damaged maps the positions of operators to the errors of their unverifiable options.
	damaged map[int64]*Error
	// outside holds the ranges that absolute offsets refer to.
	outside []Range
}

// decode returns the model of a file whose structure v has verified.
func decode(data []byte, name string, v *verifier) (*Model, error) {
	d := &decoder{
		m:       &Model{Name: name, Data: data, FlatbufferEnd: v.end},
		root:    schema.GetRootAsModel(v.data, 0),
		warn:    v.warn,
		budget:  newBudget(v.size()),
		damaged: v.damaged,
	}
	for _, part := range []func() error{
		d.header, d.operatorCodes, d.externalBuffers, d.buffers, d.metadata, d.subgraphs,
		d.signatures, d.checkCalls, d.warnEmpty,
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	d.m.Trailing = trailing(data, v.end, d.outside)
	return d.m, nil
}

var (
	modelVersion        = fieldOf(tableModel, "version")
	modelSubgraphs      = fieldOf(tableModel, "subgraphs")
	modelMetadataBuffer = fieldOf(tableModel, "metadata_buffer")
	metadataBuffer      = fieldOf(tableMetadata, "buffer")
)

func (d *decoder) header() error {
	d.m.Identified = isIdentified(d.m.Data)
	d.m.Version = d.root.Version()
	d.m.Description = text(d.root.Description())
	if d.m.Version != schema.Version {
		pos, _ := modelVersion.at(d.root.Table())
		d.warn.add("version", pos, "version %d, where the runtimes want %d", d.m.Version, schema.Version)
	}
	if d.root.SubgraphsLength() > 0 {
		return nil
	}
	pos, _ := modelSubgraphs.at(d.root.Table())
	return &Error{Path: "subgraphs", Offset: pos, Problem: "the model has no subgraphs"}
}

// spend takes units of the budget for an object at a position.
func (d *decoder) spend(units int, where string, pos int64) error {
	if d.budget.spend(int64(units)) {
		return nil
	}
	return &Error{Path: where, Offset: pos, Problem: "tables share so much that the model is far larger than its file"}
}

// metadata decodes the named buffers and checks the obsolete list of unnamed ones.
func (d *decoder) metadata() error {
	var md schema.Metadata
	for i := range d.root.MetadataLength() {
		d.root.Metadata(&md, i)
		if err := d.spend(objectCost+len(md.Name())/4, "metadata", int64(md.Table().Pos)); err != nil {
			return err
		}
		entry := Metadata{Name: text(md.Name()), Buffer: int(md.Buffer())}
		if int64(md.Buffer()) >= int64(len(d.m.Buffers)) {
			pos, _ := metadataBuffer.at(md.Table())
			return outOfRange(fmt.Sprintf("metadata[%d].buffer", i), pos, "buffer", int64(md.Buffer()), len(d.m.Buffers))
		}
		d.compressed = d.compressed || entry.Name == "COMPRESSION_METADATA"
		d.m.Metadata = append(d.m.Metadata, entry)
	}
	d.oldMetadata()
	return nil
}

// oldMetadata only warns, because no runtime reads the list any more.
func (d *decoder) oldMetadata() {
	pos, n, _ := modelMetadataBuffer.vector(d.root.Table())
	for i := range n {
		at := pos + 4*int64(i)
		if b := int32At(d.m.Data, at); b < 0 || int(b) >= len(d.m.Buffers) {
			d.warn.add(fmt.Sprintf("metadata_buffer[%d]", i), at, "buffer %d is out of range [0, %d)", b, len(d.m.Buffers))
		}
	}
}

// outOfRange returns the error for an index outside [0, count).
func outOfRange(where string, pos int64, what string, index int64, count int) *Error {
	return &Error{Path: where, Offset: pos, Problem: fmt.Sprintf("%s %d is out of range [0, %d)", what, index, count)}
}
