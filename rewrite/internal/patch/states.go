package patch

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// This file finds operators' effects on state outside their tensors independently of the
// planners' code, so that a planner's order is checked against it.

// stateful are the operators with effects beyond their tensors; custom operators and callers of
// subgraphs count as well.
var stateful = map[schema.BuiltinOperator]bool{
	schema.BuiltinOperatorCUSTOM: true, schema.BuiltinOperatorDELEGATE: true, schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL: true,
	schema.BuiltinOperatorCALL: true, schema.BuiltinOperatorCALL_ONCE: true, schema.BuiltinOperatorIF: true, schema.BuiltinOperatorWHILE: true,
	schema.BuiltinOperatorSTABLEHLO_CASE: true, schema.BuiltinOperatorSTABLEHLO_WHILE: true,
	schema.BuiltinOperatorVAR_HANDLE: true, schema.BuiltinOperatorREAD_VARIABLE: true, schema.BuiltinOperatorASSIGN_VARIABLE: true,
	schema.BuiltinOperatorHASHTABLE: true, schema.BuiltinOperatorHASHTABLE_FIND: true,
	schema.BuiltinOperatorHASHTABLE_IMPORT: true, schema.BuiltinOperatorHASHTABLE_SIZE: true,
	schema.BuiltinOperatorMULTINOMIAL: true, schema.BuiltinOperatorRANDOM_STANDARD_NORMAL: true,
	schema.BuiltinOperatorRANDOM_UNIFORM: true, schema.BuiltinOperatorSTABLEHLO_RNG_BIT_GENERATOR: true,
}

// stateAccess is the set of states that an operator or a run of a subgraph accesses; the value is
// true if it writes the state. everything means that the accesses are unknown.
type stateAccess struct {
	states     map[string]bool
	everything bool
}

func (f *stateAccess) touch(name string, writes bool) {
	if f.states == nil {
		f.states = map[string]bool{}
	}
	f.states[name] = f.states[name] || writes
}

func (f *stateAccess) include(other stateAccess) {
	f.everything = f.everything || other.everything
	for name, writes := range other.states {
		f.touch(name, writes)
	}
}

// States are the footprints of a model's operators, computed on demand.
type States struct {
	m *tflite.Model
	// plainNames and containedNames are the names of variables without and with a container.
	plainNames, containedNames map[string]bool
	// bySubgraph and runs are keyed by subgraph index and filled on demand.
	bySubgraph map[int][]stateAccess
	runs       map[int]stateAccess
	// remaining is the number of states of called subgraphs still to be listed before all further
	// calls count as accessing everything.
	remaining int
}

// StatesOf returns the states of a model.
func StatesOf(m *tflite.Model) *States {
	f := &States{m: m, plainNames: map[string]bool{}, containedNames: map[string]bool{}, bySubgraph: map[int][]stateAccess{}, runs: map[int]stateAccess{}, remaining: 1 << 19}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			switch box, name, ok := f.handle(&m.Subgraphs[s].Operators[i]); {
			case !ok:
			case box == nil:
				f.plainNames[name] = true
			default:
				f.containedNames[name] = true
			}
		}
	}
	return f
}

// CheckOrder refuses an order of a subgraph's operators, given as indexes in the file, that
// swaps two operators that access the same state, unless both only read it.
func (f *States) CheckOrder(s int, order []int) error {
	list := f.subgraph(s)
	wrote, read := map[string]int{}, map[string]int{}
	anything, something := -1, -1 // the largest index so far of operators that access everything, and of any that access state
	for _, at := range order {
		now := list[at]
		if len(now.states) == 0 && !now.everything {
			continue
		}
		later, state := anything, ""
		if now.everything {
			later = something
		}
		for name, writes := range now.states {
			if before, ok := wrote[name]; ok && before > later {
				later, state = before, name
			}
			if before, ok := read[name]; ok && writes && before > later {
				later, state = before, name
			}
		}
		if later > at {
			return f.swapped(s, at, later, state)
		}
		for name, writes := range now.states {
			if before, ok := read[name]; !ok || at > before {
				read[name] = at
			}
			if before, ok := wrote[name]; writes && (!ok || at > before) {
				wrote[name] = at
			}
		}
		if now.everything {
			anything = max(anything, at)
		}
		something = max(something, at)
	}
	return nil
}

// swapped returns the refusal of an order that swaps two operators; first comes first in the
// file.
func (f *States) swapped(s, first, later int, state string) error {
	operators := f.m.Subgraphs[s].Operators
	reason := fmt.Sprintf("operator %s would run before operator %s, and both may have effects beyond their outputs",
		OperatorID(s, &operators[later]), OperatorID(s, &operators[first]))
	if _, variable, ok := strings.Cut(state, "\x00"); ok {
		reason = fmt.Sprintf("operator %s would run before operator %s: both access the resource variable %q, and one of them assigns it",
			OperatorID(s, &operators[later]), OperatorID(s, &operators[first]), variable)
	}
	return &RefusedError{Reason: reason, Force: true}
}

// subgraph returns the footprints of a subgraph's operators. The recursion ends because package
// tflite rejects call cycles.
func (f *States) subgraph(s int) []stateAccess {
	if list, ok := f.bySubgraph[s]; ok {
		return list
	}
	sub := &f.m.Subgraphs[s]
	handles := f.handles(sub)
	list := make([]stateAccess, len(sub.Operators))
	for i := range sub.Operators {
		list[i] = f.operator(&sub.Operators[i], handles)
	}
	f.bySubgraph[s] = list
	return list
}

func (f *States) operator(o *tflite.Operator, handles []string) (p stateAccess) {
	code := f.m.OperatorCodes[o.Code]
	calls := len(o.Subgraphs) > 0
	switch known := !o.Damaged && code.Custom == ""; {
	case !calls && !stateful[code.Builtin] && code.Custom == "":
	case !known || code.Builtin == schema.BuiltinOperatorCUSTOM || code.Builtin == schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL:
		p.everything = true
	case calls:
		p = f.calls(o.Subgraphs)
	case code.Builtin == schema.BuiltinOperatorVAR_HANDLE:
		_, name, ok := f.handle(o)
		p.everything = !ok || f.plainNames[name] && f.containedNames[name]
	case code.Builtin == schema.BuiltinOperatorREAD_VARIABLE || code.Builtin == schema.BuiltinOperatorASSIGN_VARIABLE:
		if len(o.Inputs) > 0 && o.Inputs[0] >= 0 && handles != nil && handles[o.Inputs[0]] != "" {
			p.touch(handles[o.Inputs[0]], code.Builtin == schema.BuiltinOperatorASSIGN_VARIABLE)
			break
		}
		p.everything = true
	default:
		p.everything = true
	}
	return p
}

// calls returns the combined footprint of runs of the callees.
func (f *States) calls(callees []int) (p stateAccess) {
	for _, callee := range callees {
		inner := f.run(callee)
		if f.remaining -= len(inner.states); f.remaining < 0 || inner.everything {
			return stateAccess{everything: true}
		}
		p.include(inner)
	}
	return p
}

// run returns the footprint of one run of a subgraph, including its own variable tensors.
func (f *States) run(s int) stateAccess {
	if p, ok := f.runs[s]; ok {
		return p
	}
	var p stateAccess
	for _, inner := range f.subgraph(s) {
		p.include(inner)
	}
	for t := range f.m.Subgraphs[s].Tensors {
		if f.m.Subgraphs[s].Tensors[t].Variable {
			p.touch(fmt.Sprint("variable tensors of subgraph ", s), true)
			break
		}
	}
	f.runs[s] = p
	return p
}

// handles returns the variable of each resource tensor, "" for tensors not produced by exactly
// one VAR_HANDLE. It returns nil if the subgraph has no handles.
func (f *States) handles(s *tflite.Subgraph) []string {
	var found []string
	for i := range s.Operators {
		if box, name, ok := f.handle(&s.Operators[i]); ok && !(f.plainNames[name] && f.containedNames[name]) {
			for _, t := range s.Operators[i].Outputs {
				if found == nil {
					found = make([]string, len(s.Tensors))
				}
				if t >= 0 {
					found[t] = string(box) + "\x00" + name
				}
			}
		}
	}
	if found == nil {
		return nil
	}
	made := make([]bool, len(s.Tensors))
	for i := range s.Operators {
		o := &s.Operators[i]
		for _, t := range o.Outputs {
			if t >= 0 && made[t] {
				found[t] = ""
			} else if t >= 0 {
				made[t] = true
			}
		}
	}
	for _, t := range s.Inputs {
		found[t] = ""
	}
	return found
}

// handle returns the container (nil if none) and the variable name of a VAR_HANDLE, as the
// runtimes compare them.
func (f *States) handle(o *tflite.Operator) (box []byte, name string, ok bool) {
	var options schema.VarHandleOptions
	if f.m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorVAR_HANDLE || !o.Options(schema.BuiltinOptionsVarHandleOptions, &options) {
		return nil, "", false
	}
	shared := options.SharedName()
	if shared == nil {
		return nil, "", false
	}
	return compared(options.Container()), string(compared(shared)), true
}

// compared returns the part of a text that runtimes compare: the bytes before the first zero,
// truncated if very long.
func compared(text []byte) []byte {
	const most = 4096
	if len(text) > most {
		text = text[:most]
	}
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	return text
}
