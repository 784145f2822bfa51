package rules

import (
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/lifetime/rules/internal/refusals"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Phase is the point at which a runtime gives up on a model.
type Phase string

// The phases, in the order in which a model goes through them.
const (
	// NoKernel is the point at which the runtime looks for an operator's kernel.
	NoKernel Phase = "no kernel"
	// Prepare is the kernel's own preparation, which is part of AllocateTensors.
	Prepare Phase = "Prepare"
	// Planning is the last part of AllocateTensors, where the runtime sizes and plans
	// tensors.
	Planning Phase = "planning"
	// Eval is the first run. The model is allocated by then, and its arena has its final
	// size.
	Eval Phase = "Eval"
)

var phases = map[refusals.Phase]Phase{refusals.Lookup: NoKernel, refusals.Prepare: Prepare, refusals.Eval: Eval}

// An Obstacle is a reason why a runtime cannot run a model.
type Obstacle struct {
	// Subgraph and Operator are indexes. Operator is -1 where no single operator is to
	// blame.
	Subgraph, Operator int
	// Name is the name of the operator, such as "CONV_2D", or the custom code.
	Name string
	// Phase is where the model fails.
	Phase Phase
	// Reason says in words what the runtime does not accept.
	Reason string
	// Custom says that only the kernel of a custom operator is missing, which an
	// application can bring along.
	Custom bool
}

// Place names the operator: "operator 0:3 CONV_2D", or the subgraph.
func (o Obstacle) Place() string {
	if o.Operator < 0 {
		return fmt.Sprintf("subgraph %d", o.Subgraph)
	}
	return fmt.Sprintf("operator %d:%d %s", o.Subgraph, o.Operator, o.Name)
}

func (o Obstacle) String() string { return fmt.Sprintf("%s: %s (%s)", o.Place(), o.Reason, o.Phase) }

// Unsupported lists why TensorFlow Lite Micro with its reference kernels would not run a
// model, with at most one obstacle for each operator; the list is empty where it would.
// (Kernels of tflite-micro 90b983c2, all of which are registered, and an arena that is
// large enough.) Unsupported finds what can be seen in the file: operators without a
// kernel, and types, ranks, quantisation and operands that a kernel refuses. It does not
// find these:
//
//   - values that a kernel refuses when it meets them: a division by zero, an index that is
//     out of range, the root of a negative number;
//   - operands whose sizes contradict each other where no kernel looks: the kernel then reads
//     or writes beside them, and what comes of it is chance. A convolution without four
//     dimensions is called unsupported all the same, although such a file may get through;
//   - what the options of the signal operators say about types;
//   - a broken embedded memory plan, which package rewrite/verify judges;
//   - that a branch of IF or a loop never runs: what it cannot run is listed all the same.
//
// The time it takes is linear in the size of the model.
func Unsupported(m *tflite.Model) []Obstacle {
	u := unsupported{model: m, entered: entered(m)}
	for i := range m.Subgraphs {
		u.subgraph(&m.Subgraphs[i])
	}
	return u.list
}

// Obstacles returns [UnsupportedBy] for views of TensorFlow Lite Micro. It returns nothing
// for other runtimes, whose kernels this package does not know.
func (v *View) Obstacles() []Obstacle {
	if !v.Rules.IsMicro() {
		return nil
	}
	return UnsupportedBy(v.Model, v.Rules.Kernels)
}

// Group merges obstacles with equal operators and reasons into sentences, in the order in
// which they first occur: "CONV_2D: takes UINT8 (15 operators, the first is 0:3; Prepare)".
func Group(list []Obstacle) (lines []string) {
	type kind struct {
		name, reason string
		phase        Phase
	}
	count, first := map[kind]int{}, []Obstacle{}
	for _, o := range list {
		k := kind{o.Name, o.Reason, o.Phase}
		if count[k]++; count[k] == 1 {
			first = append(first, o)
		}
	}
	for _, o := range first {
		n := count[kind{o.Name, o.Reason, o.Phase}]
		if n == 1 || o.Operator < 0 {
			lines = append(lines, o.String())
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s; %d operators, the first is %d:%d)", o.Name, o.Reason, o.Phase, n, o.Subgraph, o.Operator))
	}
	return lines
}

// unsupported collects the obstacles of a model.
type unsupported struct {
	model *tflite.Model
	// entered says which subgraphs a run may enter: the others are prepared, not run.
	entered []bool
	list    []Obstacle
}

func (u *unsupported) subgraph(s *tflite.Subgraph) {
	blocked := false
	for i := range s.Operators {
		o := &s.Operators[i]
		phase, reason := refusals.Of(u.model, s, o, u.entered[s.Index])
		if reason == "" {
			continue
		}
		custom := u.model.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorCUSTOM
		custom = custom && phase == refusals.Lookup
		blocked = blocked || !custom
		u.list = append(u.list, Obstacle{Subgraph: s.Index, Operator: i, Name: o.Name, Phase: phases[phase], Reason: reason, Custom: custom})
	}
	if !blocked {
		u.tensors(s)
	}
}

// tensors looks at the tensors of a subgraph whose operators are in order or an
// application's, and says what is wrong with the first.
func (u *unsupported) tensors(s *tflite.Subgraph) {
	for i := range s.Tensors {
		t, phase, why := &s.Tensors[i], Planning, ""
		switch {
		case kernels.ElementBits(t.Type) == 0:
			why = fmt.Sprintf("tensor %d has the type %v, for which the runtime has no size", i, t.Type)
		case unknownDimension(t.Shape) && !u.filled(s, t):
			why = fmt.Sprintf("tensor %d has the shape %v: the runtime has no dynamic dimensions", i, t.Shape)
		case table[0].wraps(t):
			phase = Eval
			why = fmt.Sprintf("tensor %d has the shape %v, more elements than the runtime counts in 32 bits: it reserves too little for them", i, t.Shape)
		default:
			continue
		}
		u.list = append(u.list, Obstacle{Subgraph: s.Index, Operator: -1, Phase: phase, Reason: why})
		return
	}
}

// filled says whether the kernel that makes a tensor puts numbers for its unknown dimensions.
func (u *unsupported) filled(s *tflite.Subgraph, t *tflite.Tensor) bool {
	if t.Producer < 0 {
		return false
	}
	o := &s.Operators[t.Producer]
	for i, out := range o.Outputs {
		if out == t.Index {
			return refusals.FillsIn(u.model, s, o, i)
		}
	}
	return false
}

func unknownDimension(shape []int32) bool {
	for _, d := range shape {
		if d < 0 {
			return true
		}
	}
	return false
}

// entered says which subgraphs a run may come to, from the first one on.
func entered(m *tflite.Model) []bool {
	seen := make([]bool, len(m.Subgraphs))
	queue := []int{0}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if s >= len(seen) || seen[s] {
			continue
		}
		seen[s] = true
		for i := range m.Subgraphs[s].Operators {
			queue = append(queue, m.Subgraphs[s].Operators[i].Subgraphs...)
		}
	}
	return seen
}
