package mutate

import (
	"strings"
	"sync"

	"github.com/tflarena/tflarena/schema"
)

// code gives one of the operator codes another number.
func (m *mutator) code() {
	if c := one(m.recipe, m.model.list("operator_codes")); c != nil {
		c.setCode(one(m.recipe, Codes()))
	}
}

// setCode sets both fields, as converters do.
func (t *Table) setCode(code int64) {
	t.setNumber("builtin_code", code)
	t.setNumber("deprecated_builtin_code", min(code, int64(schema.BuiltinOperatorPLACEHOLDER_FOR_GREATER_OP_CODES)))
	if code == int64(schema.BuiltinOperatorCUSTOM) && t.data("custom_code") == nil {
		t.set("custom_code", []byte("npu"))
	}
}

// operator changes the code of an operator, with options of its type, or without.
func (m *mutator) operator() {
	op := one(m.recipe, m.subgraph().list("operators"))
	if op == nil {
		return
	}
	code := one(m.recipe, Codes())
	op.setNumber("opcode_index", int64(m.model.codeIndex(code)))
	op.setOptions(code, one(m.recipe, smallNumbers), m.below(4) > 0)
}

// codeIndex returns the index of an operator code, adding a new one.
func (t *Table) codeIndex(code int64) int {
	list := t.list("operator_codes")
	for i, c := range list {
		if c.number(c.of.id("builtin_code")) == code {
			return i
		}
	}
	c := types()["OperatorCode"].filled(1)
	c.setCode(code)
	t.set("operator_codes", append(list, c))
	return len(list)
}

// setOptions gives an operator options of the type of a code, all numbers n, or none.
func (t *Table) setOptions(code, n int64, present bool) {
	own := optionsOf()[code]
	for _, name := range []string{"builtin_options", "builtin_options_2"} {
		id := t.of.id(name)
		t.values[id-1], t.values[id] = nil, nil
		for i, member := range t.of.fields[id].members {
			if present && member == own {
				t.values[id-1], t.values[id] = bytes(int64(i+1), 1), member.filled(n)
			}
		}
	}
}

// shared are the option types that do not follow from an operator's name.
var shared = map[string]string{
	"AVERAGE_POOL_2D": "Pool2D", "MAX_POOL_2D": "Pool2D", "L2_POOL_2D": "Pool2D",
	"MEAN": "Reducer", "SUM": "Reducer", "REDUCE_PROD": "Reducer", "REDUCE_MAX": "Reducer", "REDUCE_MIN": "Reducer", "REDUCE_ANY": "Reducer", "REDUCE_ALL": "Reducer",
	"MINIMUM": "MaximumMinimum", "MAXIMUM": "MaximumMinimum", "L2_NORMALIZATION": "L2Norm",
	"UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNN", "RANDOM_UNIFORM": "Random", "RANDOM_STANDARD_NORMAL": "Random", "MULTINOMIAL": "Random",
}

// optionsOf are the option types of operators with options.
var optionsOf = sync.OnceValue(findOptions)

func findOptions() map[int64]*tableType {
	upper, found := map[string]*tableType{}, map[int64]*tableType{}
	for name, of := range types() {
		upper[strings.ToUpper(name)] = of
	}
	for _, code := range Codes() {
		name := schema.BuiltinOperator(code).String()
		if other, ok := shared[name]; ok {
			name = other
		}
		if of := upper[strings.ToUpper(strings.ReplaceAll(name, "_", ""))+"OPTIONS"]; of != nil {
			found[code] = of
		}
	}
	return found
}

// option changes one number of an operator's options.
func (m *mutator) option() {
	op := one(m.recipe, m.subgraph().list("operators"))
	if op == nil {
		return
	}
	for _, name := range []string{"builtin_options", "builtin_options_2"} {
		if o, ok := op.values[op.of.id(name)].(*Table); ok && len(o.values) > 0 {
			m.field(o, m.below(len(o.values)))
		}
	}
}

// optionsType gives an operator options of any type.
func (m *mutator) optionsType() {
	if op := one(m.recipe, m.subgraph().list("operators")); op != nil {
		m.field(op, op.of.id(one(m.recipe, []string{"builtin_options_type", "builtin_options_2_type"})))
	}
}
