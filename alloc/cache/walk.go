package cache

import (
	"cmp"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// An Access reads or writes Size bytes one after the other: from Offset in a record on, or, if Record is
// negative, in the memory of constants.
type Access struct {
	Record       int
	Offset, Size int64
	Write        bool
}

// Phases of a position.
const (
	reading = iota
	between
	writing
)

// Walk returns the accesses of one run to records: first those of the graph's usage, then others, such
// as scratch. Constant returns the bytes of a tensor in the memory of constants; size is 0 if it has
// none.
//
// Records that are in no usage are written at their first position and read at their last; one that is
// alive at a single position is written and read between the inputs and the outputs of its operator. A
// nil usage, with a nil graph, has no records. An operator that calls a subgraph accesses its tensors
// before the subgraph does.
func Walk(records []lifetime.Record, g *lifetime.Graph, u *lifetime.Usage, constant func(lifetime.Place) (offset, size int64)) []Access {
	w := walker{records: records}
	known := 0
	if u != nil {
		known = len(u.Records)
		w.operators(g, u, constant)
	}
	for i := known; i < len(records); i++ {
		if first, last := records[i].First, records[i].Last; first == last {
			w.record(i, first, between, true)
			w.record(i, first, between, false)
		} else {
			w.record(i, first, writing, true)
			w.record(i, last, reading, false)
		}
	}
	slices.SortStableFunc(w.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.phase, b.phase))
	})
	walk := make([]Access, 0, len(w.steps))
	for _, s := range w.steps {
		walk = append(walk, s.Access)
	}
	return walk
}

type walker struct {
	records []lifetime.Record
	steps   []step
}

// A step is an access with its time.
type step struct {
	Access
	position, phase int
}

func (w *walker) record(i, position, phase int, write bool) {
	w.add(Access{Record: i, Size: w.records[i].Size, Write: write}, position, phase)
}

func (w *walker) add(a Access, position, phase int) {
	if a.Size > 0 {
		w.steps = append(w.steps, step{a, position, phase})
	}
}

// operators adds the accesses of the operators.
func (w *walker) operators(g *lifetime.Graph, u *lifetime.Usage, constant func(lifetime.Place) (offset, size int64)) {
	recordOf := map[lifetime.Place]int{}
	for i, p := range u.Places {
		recordOf[p] = i
	}
	operators := map[lifetime.Step]*lifetime.Operator{}
	for s := range g.Subgraphs {
		list := g.Subgraphs[s].Operators
		for i := range list {
			operators[lifetime.Step{Subgraph: s, Operator: list[i].Index}] = &list[i]
		}
	}
	for position, at := range u.Steps {
		op := operators[at]
		if op == nil {
			continue // a subgraph is entered
		}
		for _, t := range op.Inputs {
			place := lifetime.Place{Subgraph: at.Subgraph, Tensor: t}
			if i, planned := recordOf[place]; planned {
				w.record(i, position, reading, false)
			} else if t >= 0 {
				offset, size := constant(place)
				w.add(Access{Record: -1, Offset: offset, Size: size}, position, reading)
			}
		}
		for _, t := range op.Outputs {
			if i, planned := recordOf[lifetime.Place{Subgraph: at.Subgraph, Tensor: t}]; planned {
				w.record(i, position, writing, true)
			}
		}
	}
}
