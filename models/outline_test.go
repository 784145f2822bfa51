package models

import (
	"fmt"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
)

// outline returns a line per operator of the first subgraph: its code, the shapes of its inputs
// and output, and the options that the networks set.
func outline(data []byte) []string {
	m := schema.GetRootAsModel(data, 0)
	var sub schema.SubGraph
	m.Subgraphs(&sub, 0)
	var lines []string
	for i := range sub.OperatorsLength() {
		var o schema.Operator
		sub.Operators(&o, i)
		var code schema.OperatorCode
		m.OperatorCodes(&code, int(o.OpcodeIndex()))
		builtin := max(code.BuiltinCode(), schema.BuiltinOperator(code.DeprecatedBuiltinCode()))
		lines = append(lines, fmt.Sprintf("%v v%d%s -> %s%s", builtin, code.Version(),
			shapes(&sub, o.InputsLength(), o.Inputs), shapes(&sub, 1, o.Outputs), optionsOf(&o)))
	}
	return lines
}

func shapes(sub *schema.SubGraph, n int, tensor func(int) int32) string {
	var b strings.Builder
	for i := range n {
		var t schema.Tensor
		sub.Tensors(&t, int(tensor(i)))
		var dims []int32
		for j := range t.ShapeLength() {
			dims = append(dims, t.Shape(j))
		}
		fmt.Fprintf(&b, " %v", dims)
	}
	return b.String()
}

func optionsOf(o *schema.Operator) string {
	var t flatbuffers.Table
	if !o.BuiltinOptions(&t) {
		return ""
	}
	switch o.BuiltinOptionsType() {
	case schema.BuiltinOptionsConv2DOptions:
		var c schema.Conv2DOptions
		c.Init(t.Bytes, t.Pos)
		return slide(c.Padding(), c.FusedActivationFunction(),
			c.StrideH(), c.StrideW(), c.DilationHFactor(), c.DilationWFactor())
	case schema.BuiltinOptionsDepthwiseConv2DOptions:
		var c schema.DepthwiseConv2DOptions
		c.Init(t.Bytes, t.Pos)
		return slide(c.Padding(), c.FusedActivationFunction(),
			c.StrideH(), c.StrideW(), c.DilationHFactor(), c.DilationWFactor(), c.DepthMultiplier())
	case schema.BuiltinOptionsPool2DOptions:
		var p schema.Pool2DOptions
		p.Init(t.Bytes, t.Pos)
		return slide(p.Padding(), p.FusedActivationFunction(),
			p.StrideH(), p.StrideW(), p.FilterHeight(), p.FilterWidth())
	case schema.BuiltinOptionsAddOptions:
		var a schema.AddOptions
		a.Init(t.Bytes, t.Pos)
		return " " + a.FusedActivationFunction().String()
	}
	return otherOptions(o.BuiltinOptionsType(), t)
}

func otherOptions(kind schema.BuiltinOptions, t flatbuffers.Table) string {
	switch kind {
	case schema.BuiltinOptionsConcatenationOptions:
		var c schema.ConcatenationOptions
		c.Init(t.Bytes, t.Pos)
		return fmt.Sprintf(" axis %d", c.Axis())
	case schema.BuiltinOptionsResizeBilinearOptions:
		var r schema.ResizeBilinearOptions
		r.Init(t.Bytes, t.Pos)
		return fmt.Sprint(" align corners ", r.AlignCorners(), r.HalfPixelCenters())
	case schema.BuiltinOptionsSoftmaxOptions:
		var s schema.SoftmaxOptions
		s.Init(t.Bytes, t.Pos)
		return fmt.Sprint(" beta ", s.Beta())
	}
	return ""
}

func slide(padding schema.Padding, activation schema.ActivationFunctionType, numbers ...int32) string {
	return fmt.Sprintf(" %v %v %v", padding, activation, numbers)
}
