package op_test

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// This file counts independently, from the definitions: the loops of the operator's formula,
// one factor per loop, in unbounded integers. It reads the file through the generated
// accessors, uses the input if package op uses the output and both are possible, and shares no
// code with it.

// A nest is the bounds of nested loops around one multiply-accumulate.
type nest []int32

func (n nest) count() *big.Int {
	product := big.NewInt(1)
	for _, bound := range n {
		product.Mul(product, big.NewInt(int64(max(bound, 0))))
	}
	return product
}

// An operator as the file has it.
type raw struct {
	sub *schema.SubGraph
	op  *schema.Operator
}

// dims returns the shape of an input, or nil if absent.
func (r raw) dims(i int) []int32 {
	if i >= r.op.InputsLength() || r.op.Inputs(i) < 0 {
		return nil
	}
	return shapeOf(r.sub, r.op.Inputs(i))
}

func (r raw) out() []int32 { return shapeOf(r.sub, r.op.Outputs(0)) }

func shapeOf(s *schema.SubGraph, tensor int32) []int32 {
	var t schema.Tensor
	s.Tensors(&t, int(tensor))
	dims := []int32{}
	for i := range t.ShapeLength() {
		dims = append(dims, t.Shape(i))
	}
	return dims
}

// nests returns the loops of an operator, for the kinds in the corpus.
func (r raw) nests(code schema.BuiltinOperator, custom string) []nest {
	in, filter := r.dims(0), r.dims(1)
	switch code {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorFULLY_CONNECTED,
		schema.BuiltinOperatorBATCH_MATMUL:
		if len(r.out()) < 2 {
			return nil // shapes known only at run time
		}
	}
	switch code {
	case schema.BuiltinOperatorCONV_2D: // batch, y, x, output channel; window y, x, channel of the group
		o := r.out()
		return []nest{{in[0], o[1], o[2], filter[0], filter[1], filter[2], filter[3]}}
	case schema.BuiltinOperatorDEPTHWISE_CONV_2D: // batch, y, x, channel, multiple; window y, x
		o := r.out()
		return []nest{{in[0], o[1], o[2], in[3], filter[3] / in[3], filter[1], filter[2]}}
	case schema.BuiltinOperatorTRANSPOSE_CONV: // batch, y, x, channel of the input; window y, x, output channel
		in = r.dims(2)
		return []nest{{in[0], in[1], in[2], in[3], filter[1], filter[2], r.out()[3]}}
	case schema.BuiltinOperatorCONV_3D: // batch, z, y, x, output channel; window z, y, x, channel
		o := r.out()
		return []nest{{in[0], o[1], o[2], o[3], filter[4], filter[0], filter[1], filter[2], in[4]}}
	case schema.BuiltinOperatorCUSTOM:
		switch custom {
		case "Convolution2DTransposeBias":
			return []nest{{in[0], in[1], in[2], in[3], filter[1], filter[2], r.out()[3]}}
		case "SignalFilterBank":
			return []nest{r.dims(1), r.dims(2)}
		}
	case schema.BuiltinOperatorFULLY_CONNECTED: // all of the input, once for each unit
		return []nest{append(nest{filter[0]}, in...)}
	case schema.BuiltinOperatorBATCH_MATMUL:
		return []nest{r.matmul()}
	case schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM:
		return r.gates(in[0], in[1])
	case schema.BuiltinOperatorLSTM:
		if r.op.InputsLength() == 5 { // four gates of all cells, of input and state
			cells := r.dims(4)[1]
			return []nest{{in[0], 4, cells, in[1]}, {in[0], 4, cells, cells}}
		}
		return r.gates(in[0], 1)
	case schema.BuiltinOperatorBIDIRECTIONAL_SEQUENCE_LSTM:
		panic("not in the corpus")
	case schema.BuiltinOperatorSVDF: // features of each filter, then its memory
		filters, memory := filter[0], r.dims(2)[1]
		return []nest{{in[0], filters, in[1]}, {in[0], filters, memory}}
	case schema.BuiltinOperatorRNN:
		units := filter[0]
		return []nest{{in[0], units, in[1]}, {in[0], units, units}}
	}
	return nil
}

// matmul has the rows of the left side and the columns of the right one for each broadcast pair
// of matrices, and the depth.
func (r raw) matmul() nest {
	x, y := r.dims(0), r.dims(1)
	var o schema.BatchMatMulOptions
	table := o.Table()
	if r.op.BuiltinOptions(&table) {
		o.Init(table.Bytes, table.Pos)
	}
	rows, depth, columns := x[len(x)-2], x[len(x)-1], y[len(y)-1]
	if o.AdjX() {
		rows, depth = depth, rows
	}
	if o.AdjY() {
		columns = y[len(y)-2]
	}
	n := nest{rows, depth, columns}
	for i := 3; i <= max(len(x), len(y)); i++ {
		batch := int32(1)
		for _, side := range [][]int32{x, y} {
			if i <= len(side) && side[len(side)-i] != 1 {
				batch = side[len(side)-i]
			}
		}
		n = append(n, batch)
	}
	return n
}

// gates has the loops of a cell with 3 or 4 gates, peepholes and a projection.
func (r raw) gates(batch, steps int32) []nest {
	in := r.dims(0)
	features, cells, state := in[len(in)-1], r.dims(2)[0], r.dims(18)[1]
	var nests []nest
	for gate := 1; gate <= 4; gate++ {
		if r.dims(gate) == nil {
			continue // input and forget gate coupled
		}
		nests = append(nests, nest{batch, steps, cells, features})
		if len(r.dims(gate+4)) == 1 {
			nests = append(nests, nest{batch, steps, cells})
		} else {
			nests = append(nests, nest{batch, steps, cells, state})
		}
	}
	for peephole := 9; peephole <= 11; peephole++ {
		if r.dims(peephole) != nil {
			nests = append(nests, nest{batch, steps, cells})
		}
	}
	if r.dims(16) != nil {
		nests = append(nests, nest{batch, steps, state, cells})
	}
	return nests
}

// TestMACsIndependently compares every operator of every real model with the second count.
func TestMACsIndependently(t *testing.T) {
	var files []string
	for _, f := range corpus.Accepted(t) {
		files = append(files, f.Path)
	}
	found := corpus.Found(t)
	ops, _ := filepath.Glob(filepath.Join(corpus.Dir(t), "prepare", "ops", "*.tflite"))
	kinds := map[string]int{}
	for _, path := range append(append(files, found...), ops...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == "panic-80d9f44dd7.tflite" {
			continue // an SVDF of two inputs, which has no definition
		}
		m, err := tflite.Parse(data, filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Subgraphs {
			compare(t, m, i, kinds)
		}
	}
	t.Log("operators with multiply-accumulates:", kinds)
	for _, kind := range []string{
		"CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED", "BATCH_MATMUL", "SVDF",
		"UNIDIRECTIONAL_SEQUENCE_LSTM", "Convolution2DTransposeBias", "SignalFilterBank",
	} {
		if kinds[kind] == 0 {
			t.Errorf("the corpus has no %s that was counted", kind)
		}
	}
}

// compare compares the operators of a subgraph.
func compare(t *testing.T, m *tflite.Model, subgraph int, kinds map[string]int) {
	root, s := schema.GetRootAsModel(m.Data, 0), &m.Subgraphs[subgraph]
	var r raw
	r.sub, r.op = &schema.SubGraph{}, &schema.Operator{}
	root.Subgraphs(r.sub, subgraph)
	for i := range s.Operators {
		o := &s.Operators[i]
		r.sub.Operators(r.op, i)
		want := new(big.Int)
		code := m.OperatorCodes[o.Code]
		for _, n := range r.nests(code.Builtin, code.Custom) {
			want.Add(want, n.count())
		}
		got := op.MACs(m, s, o).Total()
		if big.NewInt(got).Cmp(want) != 0 {
			t.Errorf("%s operator %d:%d %s: %d multiply-accumulates, counted independently %d", m.Name, subgraph, i, o.Name, got, want)
		}
		if got > 0 {
			kinds[o.Name]++
		}
	}
}
