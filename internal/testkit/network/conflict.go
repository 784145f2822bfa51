package network

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Conflict reports by the plainest definition, and without regard for speed, whether two operators of a
// subgraph have to keep their order because of side effects.
func Conflict(m *tflite.Model, s, i, j int) bool {
	a, b := statesOf(m, s, i), statesOf(m, s, j)
	for x := range a {
		for y := range b {
			if x == "*" || y == "*" || x == y && (a[x] || b[y]) {
				return true
			}
		}
	}
	return false
}

// statesOf returns the states that an operator accesses, "*" for all of them, and whether it writes
// them.
func statesOf(m *tflite.Model, s, i int) map[string]bool {
	sub := &m.Subgraphs[s]
	o := &sub.Operators[i]
	all := map[string]bool{"*": true}
	code := m.OperatorCodes[o.Code]
	switch code.Builtin {
	case schema.BuiltinOperatorIF, schema.BuiltinOperatorWHILE, schema.BuiltinOperatorCALL_ONCE, schema.BuiltinOperatorCALL:
		if len(o.Subgraphs) == 0 {
			return all
		}
		states := map[string]bool{}
		for _, callee := range o.Subgraphs {
			for k := range m.Subgraphs[callee].Operators {
				for name, writes := range statesOf(m, callee, k) {
					states[name] = states[name] || writes
				}
			}
			for t := range m.Subgraphs[callee].Tensors {
				if m.Subgraphs[callee].Tensors[t].Variable {
					states[fmt.Sprint("tensors of subgraph ", callee)] = true
				}
			}
		}
		return states
	case schema.BuiltinOperatorVAR_HANDLE:
		if named(m, o) == "" {
			return all
		}
		return nil
	case schema.BuiltinOperatorREAD_VARIABLE, schema.BuiltinOperatorASSIGN_VARIABLE:
		if len(o.Inputs) == 0 || o.Inputs[0] < 0 || variable(m, sub, o.Inputs[0]) == "" {
			return all
		}
		return map[string]bool{variable(m, sub, o.Inputs[0]): code.Builtin == schema.BuiltinOperatorASSIGN_VARIABLE}
	case schema.BuiltinOperatorCUSTOM, schema.BuiltinOperatorRANDOM_UNIFORM, schema.BuiltinOperatorMULTINOMIAL,
		schema.BuiltinOperatorHASHTABLE, schema.BuiltinOperatorHASHTABLE_FIND:
		return all
	}
	if code.Custom != "" {
		return all
	}
	return nil
}

// variable names the variable of a tensor, "" if it is uncertain.
func variable(m *tflite.Model, s *tflite.Subgraph, t int) string {
	name := ""
	if s.Tensors[t].Input {
		return ""
	}
	for i := range s.Operators {
		o := &s.Operators[i]
		for _, out := range o.Outputs {
			if out != t {
				continue
			}
			if name != "" {
				return ""
			}
			if name = named(m, o); name == "" {
				return ""
			}
		}
	}
	return name
}

// named returns the container and the name of a VAR_HANDLE, "" if another one has the same name and
// only one of the two a container.
func named(m *tflite.Model, o *tflite.Operator) string {
	container, name, ok := texts(m, o)
	if !ok {
		return ""
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			box, other, ok := texts(m, &m.Subgraphs[s].Operators[i])
			if ok && other == name && (box == "none") != (container == "none") {
				return ""
			}
		}
	}
	return container + "/" + name
}

func texts(m *tflite.Model, o *tflite.Operator) (container, name string, ok bool) {
	var options schema.VarHandleOptions
	if m.OperatorCodes[o.Code].Builtin != schema.BuiltinOperatorVAR_HANDLE ||
		!o.Options(schema.BuiltinOptionsVarHandleOptions, &options) || options.SharedName() == nil {
		return "", "", false
	}
	container = "none"
	if box := options.Container(); box != nil {
		container = "in " + strings.Split(string(box), "\x00")[0]
	}
	return container, strings.Split(string(options.SharedName()), "\x00")[0], true
}
