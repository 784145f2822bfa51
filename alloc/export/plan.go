package export

import (
	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/mip"
	"github.com/tflarena/tflarena/lifetime"
)

// A Plan is a plan of memory and what it places. Sizes and offsets are in bytes.
type Plan struct {
	// Name says what is planned, such as the path of a model: C has its identifiers from it.
	Name string
	// Trace says that positions are events of a trace, and that the names of records say who
	// asked for them.
	Trace bool
	// Load is how many bytes are alive over time, for a picture of the largest records alone. If it is
	// nil, that is what Records hold.
	Load []lifetime.Section
	// Title stands above the picture. If it is empty, Name does.
	Title string
	// Records are what is placed, and Places says where each of them lies. Shared objects
	// are laid end to end by the forms that need offsets.
	Records []lifetime.Record
	Places  *alloc.Plan
	// Stated are the records that an integer program is about; nil means Records. They are
	// others if several of Records were planned as one.
	Stated []lifetime.Record
	// Apart says which distances an integer program is to keep Stated from; nil means those
	// at which they share a byte.
	Apart mip.Apart
	// Source is the table that the records were read from, if there is one. CSV is then that
	// table with its offsets.
	Source Source
	// Notes say what the plan counts on, a sentence each without its full stop.
	Notes []string
	// Capacity is a number of bytes that a picture marks, zero for none.
	Capacity int64
	// Scene is what a picture shows of a model besides. It is nil for what is no model.
	Scene *Scene
	// Firmware is what the forms in C need in addition. The other forms do not look at it.
	Firmware *Firmware
}

// A Scene is what a picture of a plan shows of a model.
type Scene struct {
	// Roles say what each of the plan's records is there for: "input", "output", "activation",
	// "scratch", "variable" or "constant".
	Roles []string
	// Steps are the names of what happens at positions, from position 0 on.
	Steps []string
	// Nodes are the operators that run at positions, as Steps are their names. Only Model Explorer
	// needs them.
	Nodes []Node
	// Shares says that tensors share memory on purpose.
	Shares bool
}

// A Node is an operator of a model.
type Node struct {
	// Graph is the name of its subgraph.
	Graph string
	// Operator is its index there, -1 where no operator runs, since a subgraph is entered.
	Operator int
}

// A Source is a table with a row for each record.
type Source interface {
	// WithOffsets returns the text of the table with an offset in bytes for each row.
	WithOffsets(offsets []int64) ([]byte, error)
}

// Firmware says what TensorFlow Lite Micro makes of a plan, which has to place everything that
// the runtime keeps in the head of its arena. All sizes are in bytes.
type Firmware struct {
	// Tensors is how many of the plan's records are tensors: the first ones, in the order of
	// the model. Their IDs are of the form "SUBGRAPH:TENSOR".
	Tensors int
	// Requests has, for each request for scratch, in the order in which kernels ask, the
	// index of its record: -1 where there is none, since the request is empty, or its
	// operator never runs.
	Requests []int
	// Expected is how many requests for scratch the kernels make, and Kernels names these.
	Expected int
	Kernels  string
	// Metadata is the plan as a model file has it, with one offset for each tensor of its
	// subgraphs, -1 where the runtime chooses; Subgraphs is how many there are.
	Metadata  []int32
	Subgraphs int
	// Head is what the runtime takes for tensors and scratch with that metadata, Arena the
	// required arena, and Target what that is counted for.
	Head, Arena int64
	Target      string
	// Alignment is what the address of the arena is to be a multiple of: a power of two.
	Alignment int64
}

// check reports what does not fit together in a plan.
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
	if p.Scene != nil && len(p.Scene.Roles) != len(p.Records) {
		return planErrorf("the scene has %d roles for %d records", len(p.Scene.Roles), len(p.Records))
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

// inOffsets returns the plan with shared objects laid end to end.
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

// buffers returns where the tensors and the requests for scratch lie: the zero value for a
// request without a record.
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
