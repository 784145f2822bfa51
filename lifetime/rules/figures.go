package rules

// Figures are what a model needs of a runtime's memory, in bytes. All but the head are known for TensorFlow Lite
// Micro alone. They are the same in Go and in JSON, wherever such figures are.
type Figures struct {
	// Smallest arena with which AllocateTensors of TensorFlow Lite Micro succeeds, in bytes: a multiple of 16, for
	// an arena that begins at a multiple of 16. Absent for other runtimes, and with arena_unknown.
	Required int64 `json:"required_bytes,omitzero"`
	// Head and tail in bytes: what `arena_used_bytes()` of TensorFlow Lite Micro returns. Absent for other
	// runtimes, and with arena_unknown.
	Used int64 `json:"used_bytes,omitzero"`
	// Memory that the runtime's planner places, in bytes: tensors, and kernel scratch if that is counted. For a
	// rule set without a planner of its own, the total of the best plan.
	Head int64 `json:"head_bytes"`
	// Persistent memory of TensorFlow Lite Micro, in addition to the head, in bytes. Absent for other runtimes, and
	// with arena_unknown.
	Tail int64 `json:"tail_bytes,omitzero"`
	// Why the arena is unknown. Absent if it is known.
	Unknown *Unknown `json:"arena_unknown,omitempty"`
}

// Known reports whether the figures are those of the arena, if the runtime has one.
//
//go:noinline
func (f Figures) Known() bool { return f.Unknown == nil }

// Stated returns the figures that can be stated: of an arena that is not known, only the head.
func (f Figures) Stated() Figures {
	if f.Known() {
		return f
	}
	return Figures{Head: f.Head, Unknown: f.Unknown}
}

// Size returns the required arena, or the head if the arena is unknown, in bytes.
func (f Figures) Size() int64 {
	if f.Known() {
		return f.Required
	}
	return f.Head
}

// An Unknown is why an arena is not known.
type Unknown struct {
	// Operators that make the arena unknown, an entry for each kind. head_bytes does not include their scratch.
	Operators []UnknownOperator `json:"operators"`
}

// An UnknownOperator is a kind of operator whose kernel requests nobody knows how much memory.
type UnknownOperator struct {
	// Index of the subgraph; -1 before the run.
	Subgraph int `json:"subgraph"`
	// Index of the first such operator in its subgraph.
	Operator int `json:"index"`
	// Kind of the operators, such as CONV_2D, or their custom code.
	Name string `json:"name"`
	// Number of operators of this kind; the index is that of the first.
	Operators int `json:"operator_count"`
	// Why their memory is unknown, for people.
	Reason string `json:"reason"`
}
