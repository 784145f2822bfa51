package mutate

import (
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Codes returns the operators of the schema, including CUSTOM.
func Codes() []int64 {
	code := types()["OperatorCode"]
	return code.fields[code.id("builtin_code")].values
}

// Options selects the options of the operators of a [Zoo].
type Options int

const (
	// Absent: no options.
	Absent Options = iota
	// Zeros: options of the operator's own type, with numbers of 0.
	Zeros
	// Ones: the same with numbers of 1.
	Ones
)

// arities are the numbers of inputs and outputs of a zoo.
var (
	inputCounts  = []int{0, 1, 2, 3, 5}
	outputCounts = []int{0, 1, 2}
)

// pool are tensors of unusual forms, the inputs of a zoo: none of them suits every operator.
func pool() []encode.Tensor {
	sized := func(name string, of schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Name: name, Type: of, Shape: shape}
	}
	list := []encode.Tensor{
		sized("picture", schema.TensorTypeINT8, 1, 4, 4, 8), sized("matrix", schema.TensorTypeFLOAT32, 3, 4), sized("axes", schema.TensorTypeINT32, 4),
		sized("nothing", schema.TensorTypeINT16, 2, 0, 3), sized("number", schema.TensorTypeFLOAT32), sized("text", schema.TensorTypeSTRING, 2),
		sized("kernel", schema.TensorTypeINT8, 8, 1, 1, 8), sized("zeros", schema.TensorTypeINT32, 4), sized("unknown", schema.TensorTypeFLOAT32, -1, 4),
		sized("state", schema.TensorTypeINT8, 1, 16),
	}
	list[2].Buffer, list[6].Buffer, list[7].Buffer, list[9].Variable = 1, 2, 3, true
	return list
}

// Zoo returns a model with operators of one code, one after another, with 0 to 5 inputs and up to 2
// outputs, with and without omitted tensors (-1), over tensors of unusual forms. Its second subgraph is
// for operators that call one.
func Zoo(code int64, o Options) []byte {
	s := encode.Subgraph{Name: "main", Tensors: pool(), Inputs: []int{0, 1, 3, 4, 5, 8}}
	for _, in := range inputCounts {
		for _, out := range outputCounts {
			for left := range 4 {
				s.Operators = append(s.Operators, arity(&s, in, out, left))
			}
		}
	}
	s.Outputs = []int{len(s.Tensors) - 1}
	callee := encode.Subgraph{
		Name: "callee", Tensors: pool()[:2], Inputs: []int{0}, Outputs: []int{1},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorCAST, Inputs: []int{0}, Outputs: []int{1}}},
	}
	data := encode.Encode(encode.Model{
		Subgraphs: []encode.Subgraph{s, callee},
		Buffers:   []encode.Buffer{{Data: []byte{1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 2, 0, 0, 0}}, {Data: make([]byte, 64)}, {Data: make([]byte, 16)}},
	})
	t, err := Read(data)
	if err != nil {
		panic(err) // it does not depend on the code
	}
	index := int64(t.codeIndex(code))
	for _, op := range t.list("subgraphs")[0].list("operators") {
		op.setNumber("opcode_index", index)
		op.setOptions(code, int64(o-Zeros), o != Absent)
	}
	return t.Encode()
}

// arity returns an operator with new outputs. left omits nothing, the first input, the first output, or
// both.
func arity(s *encode.Subgraph, in, out, left int) (op encode.Operator) {
	n := len(s.Operators)
	forms := pool()
	for k := range in {
		op.Inputs = append(op.Inputs, (n+k*(1+n%3))%len(forms))
	}
	for k := range out {
		form := forms[(n/2+k)%len(forms)]
		form.Buffer, form.Variable = 0, false
		op.Outputs = append(op.Outputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, form)
	}
	if left&1 != 0 && in > 0 {
		op.Inputs[0] = -1
	}
	if left&2 != 0 && out > 0 {
		op.Outputs[0] = -1
	}
	return op
}
