package tflite

import (
	"github.com/tflarena/tflarena/schema"

	flatbuffers "github.com/google/flatbuffers/go"
)

// A caller is an operator whose options name subgraphs: the options table and its subgraph
// fields, in execution order.
type caller struct {
	options tableID
	union   unionID
	fields  []fieldRef
}

func callerOf(union unionID, options tableID, names ...string) caller {
	c := caller{options: options, union: union}
	for _, name := range names {
		c.fields = append(c.fields, fieldOf(options, name))
	}
	return c
}

var callers = map[schema.BuiltinOperator]caller{
	schema.BuiltinOperatorIF:                      callerOf(unionBuiltinOptions, tableIfOptions, "then_subgraph_index", "else_subgraph_index"),
	schema.BuiltinOperatorWHILE:                   callerOf(unionBuiltinOptions, tableWhileOptions, "cond_subgraph_index", "body_subgraph_index"),
	schema.BuiltinOperatorCALL_ONCE:               callerOf(unionBuiltinOptions, tableCallOnceOptions, "init_subgraph_index"),
	schema.BuiltinOperatorCALL:                    callerOf(unionBuiltinOptions, tableCallOptions, "subgraph"),
	schema.BuiltinOperatorSTABLEHLO_WHILE:         callerOf(unionBuiltinOptions2, tableStablehloWhileOptions, "cond_subgraph_index", "body_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_REDUCE:        callerOf(unionBuiltinOptions2, tableStablehloReduceOptions, "body_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_REDUCE_WINDOW: callerOf(unionBuiltinOptions2, tableStablehloReduceWindowOptions, "body_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_SORT:          callerOf(unionBuiltinOptions2, tableStablehloSortOptions, "comparator_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_SCATTER:       callerOf(unionBuiltinOptions2, tableStablehloScatterOptions, "update_computation_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_COMPOSITE:     callerOf(unionBuiltinOptions2, tableStableHLOCompositeOptions, "decomposition_subgraph_index"),
	schema.BuiltinOperatorSTABLEHLO_CASE:          callerOf(unionBuiltinOptions2, tableStablehloCaseOptions, "branch_subgraph_indices"),
	schema.BuiltinOperatorSTABLEHLO_CUSTOM_CALL:   callerOf(unionBuiltinOptions2, tableStablehloCustomCallOptions, "called_computations"),
}

// operatorOptions maps the two unions of an operator to their fields.
var operatorOptions = map[unionID]fieldRef{
	unionBuiltinOptions:  fieldOf(tableOperator, "builtin_options"),
	unionBuiltinOptions2: fieldOf(tableOperator, "builtin_options_2"),
}

// callees decodes the subgraphs named by an operator's options. An operator with absent
// options, or options of another type, names no subgraph.
func (d *decoder) callees(o *Operator, where place) error {
	c, calls := callers[d.m.OperatorCodes[o.Code].Builtin]
	if !calls {
		return nil
	}
	if o.Damaged {
		return d.damaged[int64(o.table.Table().Pos)]
	}
	options, ok := d.optionsOf(o, where, c)
	if !ok {
		return nil
	}
	where.union = operatorOptions[c.union].name()
	for _, f := range c.fields {
		list, err := d.named(where, f, options)
		if err != nil {
			return err
		}
		o.Subgraphs = append(o.Subgraphs, list...)
	}
	return nil
}

// optionsOf returns the options that a caller reads.
func (d *decoder) optionsOf(o *Operator, where place, c caller) (t flatbuffers.Table, ok bool) {
	tag, has := uint8(o.table.BuiltinOptionsType()), o.table.BuiltinOptions
	if c.union == unionBuiltinOptions2 {
		tag, has = uint8(o.table.BuiltinOptions2Type()), o.table.BuiltinOptions2
	}
	if tag == 0 || !has(&t) {
		return t, false
	}
	if member, _ := unions[c.union].member(tag); member == c.options {
		return t, true
	}
	d.warn.add(where.String(), int64(o.table.Table().Pos), "options of %s are not %s", o.Name, layouts[c.options].name)
	return t, false
}

// named returns the subgraphs that one field of an options table names.
func (d *decoder) named(where place, f fieldRef, options flatbuffers.Table) ([]int, error) {
	const what = "subgraph"
	if layouts[f.table].fields[f.id].kind == kindVector {
		return d.indexes(where, f, options, what, 0, len(d.m.Subgraphs))
	}
	index := f.int32(options)
	if index < 0 || int(index) >= len(d.m.Subgraphs) {
		pos, _ := f.at(options)
		return nil, outOfRange(where.field(f), pos, what, int64(index), len(d.m.Subgraphs))
	}
	return []int{int(index)}, nil
}
