package lifetime

// Keep selects tensors that stay alive longer than their readers need them.
type Keep struct {
	// Inputs keeps graph inputs alive for the whole run.
	Inputs bool
	// Outputs keeps graph outputs alive from their producer to the end.
	Outputs bool
	// Unread keeps a tensor that is made but never read alive from its producer to the end.
	Unread bool
}

// Positions returns the usage of one subgraph, with operator i at position i. A tensor is alive
// from its producer to its last reader, or longer as keep demands; graph inputs begin at
// position 0. A planned tensor without a producer gets no record.
func (g *Graph) Positions(subgraph int, keep Keep) *Usage {
	s := &g.Subgraphs[subgraph]
	end := max(len(s.Operators)-1, 0)
	intervals := unmarked(len(s.Tensors))
	for _, t := range s.Inputs {
		if t >= 0 {
			intervals[t] = interval{0, 0}
			if keep.Inputs {
				intervals[t].last = end
			}
		}
	}
	u := &Usage{}
	for i := range s.Operators {
		op := &s.Operators[i]
		u.Steps = append(u.Steps, Step{subgraph, op.Index})
		markOperator(intervals, op, i)
	}
	if keep.Unread {
		keepUnread(s, intervals, end)
	}
	if keep.Outputs {
		keepOutputs(s, intervals, end)
	}
	for i, t := range s.Tensors {
		if t.Planned && intervals[i].first >= 0 {
			u.add(Place{subgraph, i}, t, intervals[i])
		}
	}
	return u
}

func markOperator(intervals []interval, op *Operator, position int) {
	for _, t := range op.Outputs {
		if t >= 0 {
			intervals[t].begin(position)
			intervals[t].last = max(intervals[t].last, position)
		}
	}
	for _, t := range op.Inputs {
		if t >= 0 && intervals[t].first >= 0 {
			intervals[t].last = max(intervals[t].last, position)
		}
	}
}

func keepUnread(s *Subgraph, intervals []interval, end int) {
	read := make([]bool, len(s.Tensors))
	for _, op := range s.Operators {
		for _, t := range op.Inputs {
			if t >= 0 {
				read[t] = true
			}
		}
	}
	for _, op := range s.Operators {
		for _, t := range op.Outputs {
			if t >= 0 && !read[t] {
				intervals[t].last = end
			}
		}
	}
}

func keepOutputs(s *Subgraph, intervals []interval, end int) {
	for _, t := range s.Outputs {
		if t >= 0 && intervals[t].first >= 0 {
			intervals[t].last = end
		}
	}
}
