package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

// Name returns the operator's name: the builtin's name such as "CONV_2D", "BUILTIN_n" for a
// builtin newer than the schema, or the name of a custom operator, "CUSTOM" if the file omits
// it.
func (c OperatorCode) Name() string {
	if c.Custom != "" {
		return c.Custom
	}
	if name, ok := schema.EnumNamesBuiltinOperator[c.Builtin]; ok {
		return name
	}
	return fmt.Sprintf("BUILTIN_%d", c.Builtin)
}

// HidesCalls reports whether the operator runs subgraphs, but a runtime that reads only the new
// code field misses it: IF and WHILE from old converters.
func (c *OperatorCode) HidesCalls() bool {
	switch c.Builtin {
	case schema.BuiltinOperatorIF, schema.BuiltinOperatorWHILE, schema.BuiltinOperatorCALL_ONCE:
		return c.NewField != c.Builtin
	}
	return false
}

func (d *decoder) operatorCodes() error {
	n := d.root.OperatorCodesLength()
	if err := d.spend(n*objectCost, "operator_codes", int64(d.root.Table().Pos)); err != nil {
		return err
	}
	var c schema.OperatorCode
	for i := range n {
		d.root.OperatorCodes(&c, i)
		if err := d.operatorCode(i, &c); err != nil {
			return err
		}
	}
	return nil
}

// operatorCode takes the larger of the old code, which ends at 127, and the new one, which old
// files omit, like the runtimes (GetBuiltinCode in schema_utils.cc).
func (d *decoder) operatorCode(i int, c *schema.OperatorCode) error {
	code := OperatorCode{
		Builtin:  max(c.BuiltinCode(), schema.BuiltinOperator(c.DeprecatedBuiltinCode())),
		NewField: c.BuiltinCode(),
		Version:  c.Version(),
	}
	where, pos := fmt.Sprintf("operator_codes[%d]", i), int64(c.Table().Pos)
	if code.Builtin < 0 {
		return &Error{Path: where, Offset: pos, Problem: fmt.Sprintf("builtin code %d is negative", code.Builtin)}
	}
	if code.Builtin == schema.BuiltinOperatorCUSTOM {
		if err := d.spend(len(c.CustomCode())/4, where, pos); err != nil {
			return err
		}
		code.Custom = text(c.CustomCode())
		if code.Custom == "" {
			d.warn.add(where, pos, "custom operator without a name")
		}
	}
	d.m.OperatorCodes = append(d.m.OperatorCodes, code)
	d.codeNames = append(d.codeNames, code.Name())
	return nil
}
