package export

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// A Plan is a memory plan with its records. Sizes and offsets are in bytes.
type Plan struct {
	// Name is the name of the input, such as the path of a model; C identifiers are derived from it.
	Name string
	// Trace reports that positions are events of a trace, and names of records their requesters.
	Trace bool
	// Load is the live bytes over time, for a picture of only the largest records; nil means the live
	// bytes of Records.
	Load []lifetime.Section
	// Title is the heading of the picture; empty means Name.
	Title string
	// Records are the placed records, and Places their places. Formats that require offsets lay shared
	// objects end to end.
	Records []lifetime.Record
	Places  *alloc.Plan
	// KnownAt has the position at which the size of each record becomes known, [math.MinInt] for the
	// start; nil if all are known from the start. CSV has these, and the alignments.
	KnownAt []int
	// Stated are the records of an integer program; nil means Records. They differ if several of
	// Records were planned as one.
	Stated []lifetime.Record
	// Forbidden returns the forbidden distances of Stated in an integer program; nil forbids sharing
	// bytes.
	Forbidden mip.Forbid
	// Source is the table of the records, or nil. CSV is then that table with offsets.
	Source Source
	// Notes are assumptions of the plan, sentences without the final full stop.
	Notes []string
	// Capacity is a size in bytes marked in a picture; zero for none.
	Capacity int64
	// Model is the model of a picture, or nil.
	Model *Model
	// Firmware is additional data for the C formats only.
	Firmware *Firmware
}

// A Model is the data of a model in a picture of a plan.
type Model struct {
	// Roles are the roles of the plan's records.
	Roles []lifetime.Role
	// Steps are the names of positions, from position 0 on.
	Steps []string
	// Nodes are the operators of Steps. Only Model Explorer requires them.
	Nodes []Node
	// Shares reports that tensors share memory on purpose.
	Shares bool
}

// A Node is an operator of a model.
type Node struct {
	// Graph is the name of its subgraph.
	Graph string
	// Operator is its index there, or -1 for the entry of a subgraph, where no operator runs.
	Operator int
}

// A Source is a table with a row for each record.
type Source interface {
	// WithOffsets returns the text of the table with an offset in bytes for each row.
	WithOffsets(offsets []int64) ([]byte, error)
}

// Firmware is the use of a plan by TensorFlow Lite Micro. The plan has to place everything that the
// runtime keeps in the head of its arena. Sizes are in bytes.
type Firmware struct {
	// Tensors is the number of the plan's records that are tensors: the first ones, in the order of the
	// model. Their IDs have the form "SUBGRAPH:TENSOR".
	Tensors int
	// Requests is the record index of each scratch request, in the order of the kernels' requests; -1
	// for a request without a record: an empty one, or one of an operator that never runs.
	Requests []int
	// Expected is the number of scratch requests of the kernels named by Kernels.
	Expected int
	Kernels  string
	// Metadata is the plan as stored in a model file, with one offset for each tensor of its Subgraphs
	// subgraphs; -1 lets the runtime choose.
	Metadata  []int32
	Subgraphs int
	// Head is the head with that metadata, Required the required arena, and Target the target of both.
	Head, Required int64
	Target         string
	// Alignment is the required alignment of the arena's address: a power of two.
	Alignment int64
}

// check returns an error for contradictions in a plan.
func (p *Plan) check() error {
	if p.Places == nil {
		return planErrorf("the plan has no places")
	}
	placed := len(p.Places.Offsets)
	if p.Places.Approach == alloc.Shared {
		placed = len(p.Places.Objects)
	}
	if placed != len(p.Records) {
		return planErrorf("the plan has %d places for %d records", placed, len(p.Records))
	}
	if p.Model != nil && len(p.Model.Roles) != len(p.Records) {
		return planErrorf("the model has %d roles for %d records", len(p.Model.Roles), len(p.Records))
	}
	if f := p.Firmware; f != nil {
		return f.check(len(p.Records))
	}
	return nil
}

func (f *Firmware) check(records int) error {
	if f.Tensors < 0 || f.Tensors > records {
		return planErrorf("the plan has %d tensors in %d records", f.Tensors, records)
	}
	for _, i := range f.Requests {
		if i < -1 || i >= records {
			return planErrorf("a request for scratch has record %d of %d", i, records)
		}
	}
	return nil
}

func (p *Plan) inOffsets() (*Plan, error) {
	if p.Places.Approach != alloc.Shared {
		return p, nil
	}
	places, err := p.Places.ToOffsets(p.Records)
	if err != nil {
		return nil, err
	}
	q := *p
	q.Places = places
	return &q, nil
}

// place returns the offset of a record, or the index of its shared object.
func (p *Plan) place(i int) int64 {
	if p.Places.Approach == alloc.Shared {
		return int64(p.Places.Objects[i])
	}
	return p.Places.Offsets[i]
}

// buffers returns the places of tensors and scratch requests; the zero value for a request without a
// record.
func (p *Plan) buffers() (tensors, scratch []lifetime.Placed) {
	at := func(i int) lifetime.Placed {
		return lifetime.Placed{Record: p.Records[i], At: p.Places.Offsets[i]}
	}
	for i := range p.Firmware.Tensors {
		tensors = append(tensors, at(i))
	}
	for _, i := range p.Firmware.Requests {
		var buffer lifetime.Placed
		if i >= 0 {
			buffer = at(i)
		}
		scratch = append(scratch, buffer)
	}
	return tensors, scratch
}
