package op_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// typed is an output of some type and shape.
func typed(kind schema.TensorType, shape ...int32) encode.Tensor {
	return encode.Tensor{Type: kind, Shape: shape, HasRank: true}
}

// where is the positions of the positive elements of a tensor: the operators GREATER and WHERE.
func (g *shapeGraph) where(v int) int {
	shape := g.sub.Tensors[v].Shape
	k := g.tensor(schema.TensorTypeFLOAT32, []int32{})
	g.buffers = append(g.buffers, encode.Buffer{Data: make([]byte, 4)})
	g.sub.Tensors[k].Buffer = len(g.buffers)
	positive := g.add(schema.BuiltinOperatorGREATER, 0, nil, 1, typed(schema.TensorTypeBOOL, shape...), v, k)
	return g.add(schema.BuiltinOperatorWHERE, 0, nil, 1, typed(schema.TensorTypeINT64, 1, int32(len(shape))), positive)
}

// input adds an input.
func (g *shapeGraph) input(kind schema.TensorType, shape ...int32) int {
	k := g.tensor(kind, shape)
	g.sub.Inputs = append(g.sub.Inputs, k)
	return k
}

func (g *shapeGraph) minimum(a, b int) int {
	return g.add(schema.BuiltinOperatorMINIMUM, 0, nil, 1, typed(schema.TensorTypeINT32), a, b)
}

// TestSizesOf has one graph for each way in which a size depends on data, is fixed again, or has no limit.
func TestSizesOf(t *testing.T) {
	const fixed = op.Fixed
	shapeOptions := []any{schema.TensorTypeINT32}
	for name, c := range map[string]struct {
		graph func(g *shapeGraph) int
		after int
		shape []int32
		// why is part of the error, "" for none.
		why string
	}{
		"WHERE": {func(g *shapeGraph) int { return g.where(0) }, 1, []int32{24, 2}, ""},
		"an operator after WHERE": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorGATHER_ND, 0, nil, 1, floats(1), 0, g.where(0))
		}, 1, []int32{24}, ""},
		"two phases": {func(g *shapeGraph) int {
			rows := g.add(schema.BuiltinOperatorGATHER_ND, 0, nil, 1, floats(1), 0, g.where(0))
			g.where(rows)
			return g.add(schema.BuiltinOperatorNEG, 0, nil, 1, floats(1), rows)
		}, 4, []int32{24}, ""},
		"a fixed size after WHERE": {func(g *shapeGraph) int {
			g.where(0)
			return g.add(schema.BuiltinOperatorNEG, 0, nil, 1, floats(6, 4), 0)
		}, fixed, []int32{6, 4}, ""},
		"the shape of a late tensor": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, shapeOptions, 1, vector(2), g.where(0))
		}, fixed, []int32{2}, ""},
		"a mean over late rows": {func(g *shapeGraph) int {
			rows := g.add(schema.BuiltinOperatorGATHER_ND, 0, nil, 1, floats(1), 0, g.where(0))
			return g.add(schema.BuiltinOperatorMEAN, schema.BuiltinOptionsReducerOptions, []any{true}, 1, floats(1), rows, g.numbers(0))
		}, fixed, []int32{1}, ""},
		"shape arithmetic": {func(g *shapeGraph) int {
			v := g.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, shapeOptions, 1, vector(2), g.where(0))
			double := g.add(schema.BuiltinOperatorMUL, schema.BuiltinOptionsMulOptions, nil, 1, vector(2), v, g.numbers(2, 3))
			return g.add(schema.BuiltinOperatorFILL, 0, nil, 1, integers, double, g.scalar(1))
		}, 4, []int32{48, 6}, ""},
		"the rows that are left": {func(g *shapeGraph) int {
			v := g.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, shapeOptions, 1, vector(2), g.where(0))
			rest := g.add(schema.BuiltinOperatorSUB, schema.BuiltinOptionsSubOptions, nil, 1, vector(2), g.numbers(30, 5), v)
			return g.add(schema.BuiltinOperatorFILL, 0, nil, 1, integers, rest, g.scalar(1))
		}, 4, []int32{30, 3}, ""},
		"TOPK_V2 of any k": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorTOPK_V2, 0, nil, 2, floats(6, 1), 0, g.input(schema.TensorTypeINT32))
		}, 0, []int32{6, 4}, ""},
		"TOPK_V2 of at most 3": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorTOPK_V2, 0, nil, 2, floats(6, 1), 0, g.minimum(g.input(schema.TensorTypeINT32), g.scalar(3)))
		}, 1, []int32{6, 3}, ""},
		"TOPK_V2 of 2 late values": {func(g *shapeGraph) int {
			rows := g.add(schema.BuiltinOperatorGATHER_ND, 0, nil, 1, floats(1), 0, g.where(0))
			return g.add(schema.BuiltinOperatorTOPK_V2, 0, nil, 2, floats(2), rows, g.scalar(2))
		}, fixed, []int32{2}, ""},
		"UNIQUE": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorUNIQUE, schema.BuiltinOptionsUniqueOptions, []any{schema.TensorTypeINT32}, 2, vector(1), g.input(schema.TensorTypeINT32, 9))
		}, 0, []int32{9}, ""},
		"the indexes of UNIQUE": {func(g *shapeGraph) int {
			return 1 + g.add(schema.BuiltinOperatorUNIQUE, schema.BuiltinOptionsUniqueOptions, []any{schema.TensorTypeINT32}, 2, vector(9), g.input(schema.TensorTypeINT32, 9))
		}, fixed, []int32{9}, ""},
		"RESHAPE to a computed shape": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, floats(1, 1), 0, g.input(schema.TensorTypeINT32, 2))
		}, 0, []int32{24}, ""},
		"RESHAPE to one computed dimension": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, floats(1, 1), 0, g.pack(g.input(schema.TensorTypeINT32), g.scalar(8)))
		}, fixed, []int32{3, 8}, ""},
		"RESHAPE of late rows": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, typed(schema.TensorTypeINT64, 1, 1), g.where(0), g.numbers(-1, 5))
		}, 1, []int32{9, 5}, ""},
		"SLICE to a computed size": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSLICE, 0, nil, 1, floats(1, 1), 0, g.numbers(1, 1), g.pack(g.input(schema.TensorTypeINT32), g.scalar(2)))
		}, 1, []int32{6, 2}, ""},
		"STRIDED_SLICE to a computed end": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(0)}, 1, floats(1, 1), 0,
				g.numbers(0, 0), g.pack(g.input(schema.TensorTypeINT32), g.scalar(2)), g.numbers(2, 1))
		}, 1, []int32{3, 2}, ""},
		"STRIDED_SLICE with bounds from both ends": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(0)}, 1, typed(schema.TensorTypeINT64, 1, 1), g.where(0),
				g.numbers(-3, 0), g.numbers(20, 2), g.numbers(1, 1))
		}, 1, []int32{24, 2}, ""},
		"PAD by computed paddings": {func(g *shapeGraph) int {
			few := g.minimum(g.input(schema.TensorTypeINT32), g.scalar(3))
			pads := g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, typed(schema.TensorTypeINT32, 2, 2), g.pack(g.scalar(1), few, g.scalar(0), few), g.numbers(2, 2))
			return g.add(schema.BuiltinOperatorPAD, 0, nil, 1, floats(1, 1), 0, pads)
		}, 3, []int32{10, 7}, ""},
		"a late tensor and a fixed one": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorGREATER, 0, nil, 1, typed(schema.TensorTypeBOOL, 7, 2), g.where(0), g.input(schema.TensorTypeINT64, 7, 2))
		}, fixed, []int32{7, 2}, ""},
		"NON_MAX_SUPPRESSION_V4 of any number": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorNON_MAX_SUPPRESSION_V4, 0, nil, 2, vector(1), 0, g.input(schema.TensorTypeFLOAT32, 6), g.input(schema.TensorTypeINT32), g.input(schema.TensorTypeFLOAT32), g.input(schema.TensorTypeFLOAT32))
		}, 0, nil, "tensor 0:5 (), made by operator 0:0 NON_MAX_SUPPRESSION_V4, has no largest size: its input 2 is computed from data"},
		"RANGE to any number": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorRANGE, 0, nil, 1, vector(1), g.scalar(0), g.input(schema.TensorTypeINT32), g.scalar(1))
		}, 0, nil, "operator 0:0 RANGE, has no largest size"},
		"SEGMENT_SUM of computed segments": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSEGMENT_SUM, 0, nil, 1, floats(3, 4), 0, g.input(schema.TensorTypeINT32, 6))
		}, 0, nil, "the number of segments is computed from data"},
		"SEGMENT_SUM of constant segments": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSEGMENT_SUM, 0, nil, 1, floats(3, 4), 0, g.numbers(0, 0, 1, 1, 1, 4))
		}, fixed, []int32{5, 4}, ""},
		"EMBEDDING_LOOKUP_SPARSE": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorEMBEDDING_LOOKUP_SPARSE, 0, nil, 1, floats(3, 4), 0)
		}, 0, nil, "as many as the numbers in input 2"},
		"SELECT_V2 with a row of conditions": {func(g *shapeGraph) int {
			where := g.where(0)
			flat := g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, typed(schema.TensorTypeINT64, 1), where, g.numbers(-1))
			condition := g.add(schema.BuiltinOperatorGREATER, 0, nil, 1, typed(schema.TensorTypeBOOL, 1), flat, flat)
			x := g.input(schema.TensorTypeFLOAT32, 5, 1)
			return g.add(schema.BuiltinOperatorSELECT_V2, 0, nil, 1, floats(5, 1), condition, x, x)
		}, 1, []int32{5, 48}, ""},
		"an unknown operator of a late tensor": {func(g *shapeGraph) int {
			return g.add(schema.BuiltinOperatorSKIP_GRAM, 0, nil, 1, vector(1), g.where(0))
		}, 0, nil, "no formula is known"},
		"a number that wraps around": {func(g *shapeGraph) int {
			low := g.minimum(g.input(schema.TensorTypeINT32), g.scalar(3))
			return g.add(schema.BuiltinOperatorRANGE, 0, nil, 1, vector(1), g.scalar(0),
				g.add(schema.BuiltinOperatorSUB, schema.BuiltinOptionsSubOptions, nil, 1, integers, low, g.scalar(9)), g.scalar(1))
		}, 0, nil, "RANGE, has no largest size"},
	} {
		g := newShapeGraph(6, 4)
		k := c.graph(g)
		sizes, err := op.SizesOf(g.model(t, k), 0)
		if bad := (*op.UnboundedError)(nil); c.why != "" {
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if shape := sizes.Largest.Subgraphs[0].Tensors[k].Shape; sizes.After[k] != c.after || !slices.Equal(shape, c.shape) {
			t.Errorf("%s: %v after operator %d, want %v after %d", name, shape, sizes.After[k], c.shape, c.after)
		}
	}
}
