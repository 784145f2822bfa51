package rules_test

import (
	"strconv"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelOverlaps compares distances with the smallest ones at which runs of the libraries'
// own code gave the same outputs, for all distances above: ours are not smaller, and there is
// none if a greater distance failed.
func TestKernelOverlaps(t *testing.T) {
	// away are the kernels with a distance of about a whole tensor.
	away := map[string]bool{
		"cmsis scalar conv 1x1 arm_convolve_1x1_s8_fast": true, "cmsis scalar conv 1x1 fewer channels": true, "cmsis scalar conv 3x3 4 groups": true,
	}
	for _, row := range corpus.Table(t, "kernels/overlap_scalar.csv") {
		name := row["kernel"]
		library := "esp-nn-generic@1.2.3"
		switch {
		case strings.HasPrefix(name, "cmsis"):
			library = "cmsis-nn-scalar"
		case strings.HasPrefix(name, "esp ansi"):
			library = "esp-nn-ansi@1.2.3"
		}
		m := measured(t, row)
		want, err := strconv.ParseInt(row["smallest_safe_distance"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		list := overlapsWith(t, m, library)
		switch {
		case away[name] != (len(list) == 0):
			t.Errorf("%s: %d overlaps", name, len(list))
		case len(list) > 0 && list[0] < want:
			t.Errorf("%s: distance %d, and %d is needed", name, list[0], want)
		case len(list) > 0:
			t.Logf("%s: distance %d, %d is needed", name, list[0], want)
		}
		for _, other := range []string{"cmsis-nn-dsp", "cmsis-nn-mve", "esp-nn-s3@1.2.3", "esp-nn-p4@1.2.3"} {
			if list := overlapsWith(t, m, other); len(list) > 0 || rules.OrdersMeasured(other) {
				t.Errorf("%s with %s: %d overlaps, of an order that was not measured", name, other, len(list))
			}
		}
	}
}

// overlapsWith returns the distances of the overlaps of a model with the kernels of a library.
func overlapsWith(t *testing.T, m *tflite.Model, library string) []int64 {
	t.Helper()
	return overlapsAt(t, m, library, rules.DiagonalAlias)
}

// overlapsAt is overlapsWith for a level of --alias.
func overlapsAt(t judge, m *tflite.Model, library string, alias rules.Alias) (distances []int64) {
	t.Helper()
	v, err := rules.Micro().OnLibrary(library).View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range v.Overlaps(alias) {
		distances = append(distances, o.Distance)
	}
	return distances
}

// A judge is a test, or one run of a property.
type judge interface {
	Helper()
	Fatal(args ...any)
}

// measured returns the one-operator model of a row.
func measured(t judge, row map[string]string) *tflite.Model {
	t.Helper()
	n := func(column string) int32 {
		i, err := strconv.Atoi(row[column])
		if err != nil {
			t.Fatal(err)
		}
		return int32(i)
	}
	h, w, c, stride := n("in_h"), n("in_w"), n("in_c"), n("stride")
	out := func(in, filter int32) int32 { return (in+2*n("pad")-filter)/stride + 1 }
	in := typed(schema.TensorTypeINT8, 1, h, w, c)
	made := typed(schema.TensorTypeINT8, 1, out(h, n("filter_h")), out(w, n("filter_w")), n("out_c"))
	padding := schema.PaddingVALID
	if n("pad") > 0 {
		padding = schema.PaddingSAME
	}
	op := encode.Operator{Builtin: schema.BuiltinOperatorCONV_2D, OptionsType: schema.BuiltinOptionsConv2DOptions}
	op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.Conv2DOptionsStart(b)
		schema.Conv2DOptionsAddPadding(b, padding)
		schema.Conv2DOptionsAddStrideH(b, stride)
		schema.Conv2DOptionsAddStrideW(b, stride)
		return schema.Conv2DOptionsEnd(b)
	}
	depth := c
	if strings.Contains(row["kernel"], "groups") {
		depth = c / 4
	}
	inputs := []encode.Tensor{in, typed(schema.TensorTypeINT8, n("out_c"), n("filter_h"), n("filter_w"), depth)}
	switch {
	case strings.Contains(row["kernel"], "depthwise"):
		inputs[1].Shape = []int32{1, n("filter_h"), n("filter_w"), n("out_c")}
		op.Builtin, op.OptionsType = schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOptionsDepthwiseConv2DOptions
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DepthwiseConv2DOptionsStart(b)
			schema.DepthwiseConv2DOptionsAddPadding(b, padding)
			schema.DepthwiseConv2DOptionsAddStrideH(b, stride)
			schema.DepthwiseConv2DOptionsAddStrideW(b, stride)
			schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, n("out_c")/c)
			return schema.DepthwiseConv2DOptionsEnd(b)
		}
	case strings.Contains(row["kernel"], "pool"):
		inputs = inputs[:1]
		op.Builtin, op.OptionsType = schema.BuiltinOperatorMAX_POOL_2D, schema.BuiltinOptionsPool2DOptions
		if strings.Contains(row["kernel"], "avg") {
			op.Builtin = schema.BuiltinOperatorAVERAGE_POOL_2D
		}
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Pool2DOptionsStart(b)
			schema.Pool2DOptionsAddPadding(b, padding)
			schema.Pool2DOptionsAddStrideH(b, stride)
			schema.Pool2DOptionsAddStrideW(b, stride)
			schema.Pool2DOptionsAddFilterHeight(b, n("filter_h"))
			schema.Pool2DOptionsAddFilterWidth(b, n("filter_w"))
			return schema.Pool2DOptionsEnd(b)
		}
	}
	s := encode.Subgraph{Tensors: append(inputs, made), Inputs: []int{0}, Outputs: []int{len(inputs)}}
	for i := range inputs {
		op.Inputs = append(op.Inputs, i)
	}
	op.Outputs = s.Outputs
	if len(inputs) > 1 {
		s.Tensors[1].Buffer = 1
	}
	s.Operators = []encode.Operator{op}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, elements(inputs[len(inputs)-1].Shape))}}}), row["kernel"])
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func elements(shape []int32) int {
	n := 1
	for _, d := range shape {
		n *= int(d)
	}
	return n
}
