package lifetime

// A Graph is the scope of one plan: subgraphs whose operators run in order over sized tensors.
// The run starts in Subgraphs[0].
type Graph struct {
	Subgraphs []Subgraph
}

// A Subgraph is a list of operators in execution order over tensors of its own.
type Subgraph struct {
	Tensors []Tensor
	// Inputs and Outputs are tensor indexes.
	Inputs, Outputs []int
	Operators       []Operator
	// Before holds pairs of operators, by their [Operator.Index]. The first of a pair must run
	// before the second, even if no tensor requires it.
	Before [][2]int
	// Shares are the bytes that in-place outputs can save, for the order search. Records ignore them.
	Shares []Share
}

// A Share is the memory that an operator's outputs can share with an input, if the input dies there. The total is
// limited by the size of the outputs.
type Share struct {
	// Operator and Tensor are indexes into Operators and Tensors.
	Operator, Tensor int
	Bytes            int64
}

// An Operator reads and writes tensors, given by their indexes; a negative index is an omitted
// optional tensor.
type Operator struct {
	// Index is the operator's index in the model, which differs from its index here if a rule
	// set drops operators.
	Index           int
	Inputs, Outputs []int
	// Calls lists the subgraphs that run inside the operator, in order.
	Calls []int
	// Effects are the operator's reads and writes of states other than tensors, each state
	// once. Two operators keep their order if both have an effect on the same state and one of
	// them writes it.
	Effects []Effect
}

// An Effect is an operator's read or write of a state that is not a tensor of its subgraph and
// outlives the operator, such as a resource variable.
type Effect struct {
	// State numbers the states of a graph from 0. [AnyState] means all of them.
	State  int
	Writes bool
}

// AnyState is the state of an operator whose effects are unknown. It keeps its order relative
// to all other operators with effects.
const AnyState = -1

// A Tensor is one value. Only planned tensors get a usage record.
type Tensor struct {
	// ID and Name are copied to its [Record].
	ID, Name string
	// Size and Align are in bytes.
	Size, Align int64
	Planned     bool
	// State reports that any operator with the tensor as an operand may change it, like a
	// variable. All these operators keep their relative order.
	State bool
}

// A Usage is the memory usage of a graph: a record for each planned tensor, and the step at
// each position.
type Usage struct {
	// Records are in the order of subgraphs and of their tensors.
	Records []Record
	// Places[i] is the tensor that Records[i] describes.
	Places []Place
	// Steps[i] is the event at position i.
	Steps []Step
}

// A Place is a tensor of a graph, by the indexes of its subgraph and its own.
type Place struct{ Subgraph, Tensor int }

// add adds the record of a tensor alive during v.
func (u *Usage) add(at Place, t Tensor, v interval) {
	u.Records = append(u.Records, Record{
		ID: t.ID, Name: t.Name, First: v.first, Last: v.last, Size: t.Size, Align: t.Align,
	})
	u.Places = append(u.Places, at)
}

// A Step is the event at one position: an operator runs, or, if Operator is -1, a subgraph is
// entered.
type Step struct {
	Subgraph int
	// Operator is the operator's Index.
	Operator int
}

// interval is a usage interval under construction; unmarked ends are -1.
type interval struct{ first, last int }

func (v *interval) begin(position int) {
	if v.first < 0 {
		v.first = position
	}
}

// unmarked returns n unmarked intervals.
func unmarked(n int) []interval {
	list := make([]interval, n)
	for i := range list {
		list[i] = interval{-1, -1}
	}
	return list
}
