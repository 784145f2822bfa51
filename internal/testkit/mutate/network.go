package mutate

import (
	"encoding/binary"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Network returns a small network with elements of a type, FLOAT32 or INT8, and constants: a chain of
// operators that can be tiled, in forms in which they can, and others that share memory.
func Network(of schema.TensorType) []byte {
	n := &network{of: of, options: map[int]map[string]int64{}}
	x := n.add(encode.Tensor{Name: "in", Type: of, Shape: []int32{1, 16, 16, 4}})
	n.sub.Inputs = []int{x}
	stride := map[string]int64{"stride_h": 1, "stride_w": 1, "padding": 0, "dilation_h_factor": 1, "dilation_w_factor": 1}
	conv := n.apply(schema.BuiltinOperatorCONV_2D, stride, []int32{1, 16, 16, 8}, x, n.weights(8, 3, 3, 4), n.ints(make([]int32, 8)...))
	deep := n.apply(schema.BuiltinOperatorDEPTHWISE_CONV_2D, stride, []int32{1, 16, 16, 8}, conv, n.weights(1, 3, 3, 8), n.ints(make([]int32, 8)...))
	x = n.apply(schema.BuiltinOperatorPAD, nil, []int32{1, 18, 18, 8}, deep, n.shaped([]int32{4, 2}, 0, 0, 1, 1, 1, 1, 0, 0))
	valid := map[string]int64{"stride_h": 1, "stride_w": 1, "padding": 1, "filter_height": 3, "filter_width": 3}
	pool := n.apply(schema.BuiltinOperatorMAX_POOL_2D, valid, []int32{1, 16, 16, 8}, x)
	x = n.apply(schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, map[string]int64{}, []int32{1, 32, 32, 8}, pool, n.ints(32, 32))
	x = n.apply(schema.BuiltinOperatorSPACE_TO_DEPTH, map[string]int64{"block_size": 2}, []int32{1, 16, 16, 32}, x)
	x = n.apply(schema.BuiltinOperatorDEPTH_TO_SPACE, map[string]int64{"block_size": 2}, []int32{1, 32, 32, 8}, x)
	half := map[string]int64{"stride_h": 2, "stride_w": 2, "filter_height": 2, "filter_width": 2, "padding": 0}
	x = n.apply(schema.BuiltinOperatorAVERAGE_POOL_2D, half, []int32{1, 16, 16, 8}, x)
	x = n.apply(schema.BuiltinOperatorADD, map[string]int64{}, []int32{1, 16, 16, 8}, x, deep)
	x = n.apply(schema.BuiltinOperatorCONCATENATION, map[string]int64{"axis": 3}, []int32{1, 16, 16, 16}, x, pool)
	two := map[string]int64{"stride_h": 2, "stride_w": 2, "padding": 0}
	x = n.apply(schema.BuiltinOperatorTRANSPOSE_CONV, two, []int32{1, 32, 32, 4}, n.ints(1, 32, 32, 4), n.weights(4, 2, 2, 16), x)
	x = n.apply(schema.BuiltinOperatorRELU, nil, []int32{1, 32, 32, 4}, x)
	x = n.apply(schema.BuiltinOperatorRESIZE_BILINEAR, map[string]int64{}, []int32{1, 64, 64, 4}, x, n.ints(64, 64))
	x = n.apply(schema.BuiltinOperatorSLICE, nil, []int32{1, 32, 64, 4}, x, n.ints(0, 32, 0, 0), n.ints(1, 32, 64, 4))
	x = n.apply(schema.BuiltinOperatorSTRIDED_SLICE, map[string]int64{}, []int32{1, 16, 64, 4}, x, n.ints(0, 0, 0, 0), n.ints(1, 16, 64, 4), n.ints(1, 1, 1, 1))
	x = n.apply(schema.BuiltinOperatorMEAN, map[string]int64{"keep_dims": 1}, []int32{1, 1, 1, 4}, x, n.ints(1, 2))
	x = n.apply(schema.BuiltinOperatorRESHAPE, nil, []int32{1, 4}, x, n.ints(1, 4))
	x = n.apply(schema.BuiltinOperatorFULLY_CONNECTED, map[string]int64{}, []int32{1, 16}, x, n.weights(16, 4), n.ints(make([]int32, 16)...))
	n.sub.Outputs = []int{n.apply(schema.BuiltinOperatorSOFTMAX, map[string]int64{}, []int32{1, 16}, x)}
	return n.encode()
}

// Hostile returns a part of [Network], of up to seven operators, changed by a recipe. A fuzzer draws
// all arguments; from selects the part.
func Hostile(floats bool, from uint8, recipe []byte) ([]byte, error) {
	of := schema.TensorTypeINT8
	if floats {
		of = schema.TensorTypeFLOAT32
	}
	root, err := Read(Network(of))
	if err != nil {
		return nil, err
	}
	root.Window(int(from>>2)%20, 1+int(from&3)*2)
	root.Mutate(recipe)
	return root.Encode(), nil
}

// Branches returns a model with an IF, a WHILE and a CALL_ONCE, and the subgraphs that they call.
func Branches() []byte {
	row := func(name string, of schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Name: name, Type: of, Shape: shape}
	}
	same := func(code schema.BuiltinOperator) encode.Subgraph {
		return encode.Subgraph{
			Name: code.String(), Tensors: []encode.Tensor{row("x", schema.TensorTypeFLOAT32, 1, 64), row("y", schema.TensorTypeFLOAT32, 1, 64)},
			Inputs: []int{0}, Outputs: []int{1}, Operators: []encode.Operator{{Builtin: code, Inputs: []int{0}, Outputs: []int{1}}},
		}
	}
	condition := same(schema.BuiltinOperatorLESS)
	condition.Tensors[1] = row("less", schema.TensorTypeBOOL, 1)
	n := &network{options: map[int]map[string]int64{}}
	n.sub.Tensors = []encode.Tensor{row("condition", schema.TensorTypeBOOL, 1), row("in", schema.TensorTypeFLOAT32, 1, 64)}
	n.sub.Inputs = []int{0, 1}
	n.apply(schema.BuiltinOperatorCALL_ONCE, map[string]int64{"init_subgraph_index": 5}, nil)
	x := n.apply(schema.BuiltinOperatorTANH, nil, []int32{1, 64}, 1)
	x = n.apply(schema.BuiltinOperatorIF, map[string]int64{"then_subgraph_index": 1, "else_subgraph_index": 2}, []int32{1, 64}, 0, x)
	x = n.apply(schema.BuiltinOperatorWHILE, map[string]int64{"cond_subgraph_index": 3, "body_subgraph_index": 4}, []int32{1, 64}, x)
	n.sub.Outputs = []int{n.apply(schema.BuiltinOperatorRELU, nil, []int32{1, 64}, x)}
	n.others = []encode.Subgraph{same(schema.BuiltinOperatorRELU), same(schema.BuiltinOperatorRESHAPE), condition, same(schema.BuiltinOperatorNEG), {Name: "once"}}
	return n.encode()
}

// A network is a model under construction.
type network struct {
	of      schema.TensorType
	sub     encode.Subgraph
	others  []encode.Subgraph
	buffers []encode.Buffer
	// options are the numeric options of operators, by index; the others are 0.
	options map[int]map[string]int64
}

func (n *network) add(t encode.Tensor) int {
	n.sub.Tensors = append(n.sub.Tensors, t)
	return len(n.sub.Tensors) - 1
}

func (n *network) constant(of schema.TensorType, shape []int32, data []byte) int {
	n.buffers = append(n.buffers, encode.Buffer{Data: data})
	return n.add(encode.Tensor{Name: "constant", Type: of, Shape: shape, Buffer: len(n.buffers)})
}

// ints adds a vector of INT32.
func (n *network) ints(values ...int32) int { return n.shaped([]int32{int32(len(values))}, values...) }

func (n *network) shaped(shape []int32, values ...int32) int {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return n.constant(schema.TensorTypeINT32, shape, data)
}

// weights adds zeros of the network's type.
func (n *network) weights(shape ...int32) int {
	size := 1
	if n.of == schema.TensorTypeFLOAT32 {
		size = 4
	}
	for _, d := range shape {
		size *= int(d)
	}
	return n.constant(n.of, shape, make([]byte, size))
}

// apply adds an operator with its options, or nil, and returns its output; -1 if shape is nil.
func (n *network) apply(code schema.BuiltinOperator, options map[string]int64, shape []int32, inputs ...int) int {
	op, out := encode.Operator{Builtin: code, Inputs: inputs}, -1
	if shape != nil {
		out = n.add(encode.Tensor{Name: code.String(), Type: n.of, Shape: shape})
		op.Outputs = []int{out}
	}
	if options != nil {
		n.options[len(n.sub.Operators)] = options
	}
	n.sub.Operators = append(n.sub.Operators, op)
	return out
}

// encode writes the model, with the options.
func (n *network) encode() []byte {
	n.sub.Name = "main"
	root, err := Read(encode.Encode(encode.Model{Subgraphs: append([]encode.Subgraph{n.sub}, n.others...), Buffers: n.buffers}))
	if err != nil {
		panic(err) // it does not depend on input
	}
	for i, op := range root.list("subgraphs")[0].list("operators") {
		options, ok := n.options[i]
		if !ok {
			continue
		}
		op.setOptions(int64(n.sub.Operators[i].Builtin), 0, true)
		table := op.values[op.of.id("builtin_options")].(*Table)
		for name, v := range options {
			table.setNumber(name, v)
		}
	}
	return root.Encode()
}
