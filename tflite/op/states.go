package op

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// An Effect is an operator's read or write of a state that outlives it and is not a tensor of
// its subgraph: a resource variable, or the variable tensors of a subgraph that it runs.
type Effect struct {
	// State numbers the states of a model from 0. [AnyState] means all of them.
	State  int
	Writes bool
}

// AnyState is the state of an operator whose effects are unknown.
const AnyState = -1

// anyEffect is the list of an operator whose effects are unknown.
var anyEffect = []Effect{{State: AnyState, Writes: true}}

// maxEffects bounds the number of listed effects of called subgraphs. Once a model has more,
// further calls have unknown effects.
const maxEffects = 1 << 18

// Effects returns the effects of each operator, by subgraph and operator, each state once,
// ascending. It is nil for a subgraph without effects. Operators may be reordered unless both
// have an effect on the same state and one of them writes it.
//
// A resource variable is identified by the VAR_HANDLE that makes the first input of
// READ_VARIABLE and ASSIGN_VARIABLE. If the first input has another source, and for all other
// operators with effects ([HasEffects]), the effects are unknown. VAR_HANDLE itself has none.
// An operator that runs subgraphs has their effects.
func Effects(m *tflite.Model) [][][]Effect {
	n := len(m.Subgraphs)
	e := effects{
		model: m, states: map[state]int{}, unclear: unclearNames(m), budget: maxEffects,
		lists: make([][][]Effect, n), runs: make([][]Effect, n), done: make([]bool, n),
	}
	for s := range m.Subgraphs {
		e.run(s)
	}
	return e.lists
}

// A state is a resource variable or, if it has no name, the variable tensors of a subgraph.
type state struct {
	variable string
	subgraph int
}

type effects struct {
	model   *tflite.Model
	states  map[state]int
	unclear map[string]bool
	lists   [][][]Effect
	// runs holds the effects of one run of each subgraph that is done.
	runs   [][]Effect
	done   []bool
	budget int
}

// run returns the effects of one run of a subgraph.
func (e *effects) run(s int) []Effect {
	if e.done[s] {
		return e.runs[s]
	}
	sub := &e.model.Subgraphs[s]
	all := accessSet{}
	var makers []int32
	for i := range sub.Operators {
		o := &sub.Operators[i]
		if !HasEffects(e.model, o) {
			continue
		}
		if makers == nil {
			makers = makersOf(sub)
			e.lists[s] = make([][]Effect, len(sub.Operators))
		}
		list := e.operator(sub, o, makers)
		e.lists[s][i] = list
		all.add(list)
	}
	for t := range sub.Tensors {
		if sub.Tensors[t].Variable {
			all[e.number(state{subgraph: s})] = true
		}
	}
	e.runs[s], e.done[s] = all.list(), true
	return e.runs[s]
}

// operator returns the effects of an operator that has effects. makers counts the producers of
// each tensor.
func (e *effects) operator(s *tflite.Subgraph, o *tflite.Operator, makers []int32) []Effect {
	code := e.model.OperatorCodes[o.Code].Builtin
	switch {
	case o.Damaged:
		return anyEffect
	case len(o.Subgraphs) > 0 && code != schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL:
		all := accessSet{}
		for _, callee := range o.Subgraphs {
			list := e.run(callee)
			if e.budget -= len(list); e.budget < 0 {
				return anyEffect
			}
			all.add(list)
		}
		return all.list()
	case code == schema.BuiltinOperatorVAR_HANDLE:
		if _, ok := e.name(o); ok {
			return nil
		}
	case (code == schema.BuiltinOperatorREAD_VARIABLE || code == schema.BuiltinOperatorASSIGN_VARIABLE) && len(o.Inputs) > 0 && o.Inputs[0] >= 0:
		t := &s.Tensors[o.Inputs[0]]
		if t.Input || t.Producer < 0 || makers[t.Index] > 1 {
			return anyEffect
		}
		if name, ok := e.name(&s.Operators[t.Producer]); ok {
			return []Effect{{e.number(state{variable: name}), code == schema.BuiltinOperatorASSIGN_VARIABLE}}
		}
	}
	return anyEffect
}

// name returns the variable name of a VAR_HANDLE, if it is unambiguous.
func (e *effects) name(o *tflite.Operator) (string, bool) {
	container, name := variableOf(e.model, o)
	if name == nil || e.unclear[cString(name)] {
		return "", false
	}
	return cString(container) + "\x00" + cString(name), true
}

func (e *effects) number(s state) int {
	n, ok := e.states[s]
	if !ok {
		n = len(e.states)
		e.states[s] = n
	}
	return n
}

// An accessSet maps accessed states to whether they are written.
type accessSet map[int]bool

func (u accessSet) add(list []Effect) {
	for _, x := range list {
		u[x.State] = u[x.State] || x.Writes
	}
}

func (u accessSet) list() (list []Effect) {
	if _, any := u[AnyState]; any {
		return anyEffect
	}
	for number, writes := range u {
		list = append(list, Effect{number, writes})
	}
	slices.SortStableFunc(list, func(a, b Effect) int { return a.State - b.State })
	return list
}

// makersOf counts the producers of each tensor.
func makersOf(s *tflite.Subgraph) []int32 {
	makers := make([]int32, len(s.Tensors))
	for i := range s.Operators {
		for _, t := range s.Operators[i].Outputs {
			if t >= 0 {
				makers[t]++
			}
		}
	}
	return makers
}

// unclearNames returns the names that some VAR_HANDLEs have with a container and others
// without. Without a container, TensorFlow Lite Micro takes the first variable of the name in
// any container, so the variable depends on the order of the operators.
func unclearNames(m *tflite.Model) map[string]bool {
	const without, with = 1, 2
	seen, unclear := map[string]int{}, map[string]bool{}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			container, name := variableOf(m, &m.Subgraphs[s].Operators[i])
			if name == nil {
				continue
			}
			key, way := cString(name), with
			if container == nil {
				way = without
			}
			if seen[key] |= way; seen[key] == without|with {
				unclear[key] = true
			}
		}
	}
	return unclear
}

// variableOf returns the container and the name of a VAR_HANDLE's resource variable, nil if the
// file lacks them and for other operators.
func variableOf(m *tflite.Model, o *tflite.Operator) (container, name []byte) {
	var options schema.VarHandleOptions
	if m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorVAR_HANDLE || !o.Options(schema.BuiltinOptionsVarHandleOptions, &options) {
		return nil, nil
	}
	return options.Container(), options.SharedName()
}

// longestName bounds the compared bytes of a name. Longer names with the same beginning are
// treated as equal.
const longestName = 4096

// cString returns a text as runtimes compare it: up to the first zero byte.
func cString(text []byte) string {
	before, _, _ := bytes.Cut(text[:min(len(text), longestName)], []byte{0})
	return string(before)
}

// VariableName returns the name, with its container, of a VAR_HANDLE's resource variable. ok is
// false for other operators.
func VariableName(m *tflite.Model, o *tflite.Operator) (name string, ok bool) {
	container, shared := variableOf(m, o)
	return cString(container) + "\x00" + cString(shared), m.OperatorCodes[o.Code].Builtin == schema.BuiltinOperatorVAR_HANDLE
}
