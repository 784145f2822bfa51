package network

import (
	"fmt"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Calling returns a model file like [Convolutions], with weights other than zero, in which operators
// between the convolutions keep resource variables and call subgraphs: CALL_ONCE, IF and WHILE. Some
// subgraphs are called several times.
func Calling(seed uint64, times int32) []byte {
	s := &callingStack{convolutionStack: &convolutionStack{Rand: rand.New(rand.NewPCG(seed, 16)), weighted: true}, rest: make([]encode.Subgraph, 2)}
	side := times * int32(4+2*s.IntN(3))
	last := s.tensor("input", 0, 1, side, side, int32(1+s.IntN(3)))
	s.sub.Inputs = []int{last}
	s.operator(CallOnce(initial), nil)
	for i := range 4 + s.IntN(4) {
		y := s.convolution(i, last)
		if x := s.like(y); x >= 0 && s.IntN(3) == 0 {
			y = s.add(x, y)
		}
		large := 2*count(s.shape(y)) > count(s.shape(s.sub.Inputs[0])) // so that calls seldom need most
		switch k := s.IntN(5); {
		case k == 0:
			y = s.remembered(y)
		case k < 3 && !large:
			y = s.chosen(y)
		case k == 3 && !large:
			y = s.repeated(y)
		}
		last = y
	}
	s.sub.Outputs = []int{last}
	s.rest[0] = s.sub
	return encode.Encode(encode.Model{Subgraphs: s.rest, Buffers: s.buffers})
}

// initial is the subgraph that initialises the variables.
const initial = 1

// A callingStack is a network of convolutions with calls. rest has the other subgraphs, variables the
// number of variables, and bodies the branches by the shape of their data.
type callingStack struct {
	*convolutionStack
	rest      []encode.Subgraph
	variables int
	bodies    []int
}

func (s *callingStack) operator(o encode.Operator, inputs []int, outputs ...int) {
	o.Inputs, o.Outputs = inputs, outputs
	s.sub.Operators = append(s.sub.Operators, o)
}

// inside adds a subgraph, or continues one, and returns its index.
func (s *callingStack) inside(index int, f func()) int {
	if index == len(s.rest) {
		s.rest = append(s.rest, encode.Subgraph{})
	}
	outer := s.sub
	s.sub = s.rest[index]
	f()
	s.rest[index], s.sub = s.sub, outer
	return index
}

func (s *callingStack) shape(t int) []int32 { return s.sub.Tensors[t].Shape }

// typed returns a tensor of one element.
func (s *callingStack) typed(name string, kind schema.TensorType) int {
	t := s.tensor(name, 0, 1)
	s.sub.Tensors[t].Type = kind
	return t
}

func (s *callingStack) handle(variable int) int {
	h := s.typed("handle", schema.TensorTypeRESOURCE)
	s.operator(VarHandle("", fmt.Sprint("v", variable)), nil, h)
	return h
}

// remembered returns the sum of a tensor and a variable, which becomes the variable.
func (s *callingStack) remembered(y int) int {
	shape, v := s.shape(y), s.variables
	s.variables++
	s.inside(initial, func() {
		s.operator(encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE}, []int{s.handle(v), s.constant(shape...)})
	})
	h, old := s.handle(v), s.tensor("old", 0, shape...)
	s.operator(encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE}, []int{h}, old)
	z := s.add(old, y)
	s.operator(encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE}, []int{h, z})
	return z
}

// body returns a subgraph with one input and one output of a shape: an existing one or a new one.
func (s *callingStack) body(shape []int32) int {
	for _, index := range s.bodies {
		if slices.Equal(s.rest[index].Tensors[0].Shape, shape) && s.IntN(2) == 0 {
			return index
		}
	}
	index := s.inside(len(s.rest), func() {
		x := s.tensor("in", 0, shape...)
		s.sub.Inputs = []int{x}
		for range 1 + s.IntN(3) {
			code := []schema.BuiltinOperator{schema.BuiltinOperatorRELU, schema.BuiltinOperatorTANH, schema.BuiltinOperatorLOGISTIC}[s.IntN(3)]
			y := s.tensor("body", 0, shape...)
			s.operator(encode.Operator{Builtin: code}, []int{x}, y)
			x = y
		}
		s.sub.Outputs = []int{x}
	})
	s.bodies = append(s.bodies, index)
	return index
}

// chosen returns the output of an IF.
func (s *callingStack) chosen(y int) int {
	z := s.tensor("chosen", 0, s.shape(y)...)
	condition := s.embed(s.typed("condition", schema.TensorTypeBOOL), []byte{byte(s.IntN(2))})
	branches := [2]int32{int32(s.body(s.shape(y))), int32(s.body(s.shape(y)))}
	s.operator(encode.Operator{
		Builtin: schema.BuiltinOperatorIF, OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, branches[0])
			schema.IfOptionsAddElseSubgraphIndex(b, branches[1])
			return schema.IfOptionsEnd(b)
		},
	}, []int{condition, y}, z)
	return z
}

// repeated returns the output of a WHILE that runs twice.
func (s *callingStack) repeated(y int) int {
	shape := s.shape(y)
	number := func(n byte) int { return s.embed(s.typed("number", schema.TensorTypeINT32), []byte{n, 0, 0, 0}) }
	condition := s.inside(len(s.rest), func() {
		count, out := s.typed("count", schema.TensorTypeINT32), s.typed("goes on", schema.TensorTypeBOOL)
		s.sub.Inputs, s.sub.Outputs = []int{count, s.tensor("data", 0, shape...)}, []int{out}
		s.operator(encode.Operator{Builtin: schema.BuiltinOperatorLESS}, []int{count, number(2)}, out)
	})
	body := s.inside(len(s.rest), func() {
		count, data := s.typed("count", schema.TensorTypeINT32), s.tensor("data", 0, shape...)
		next, out := s.typed("next", schema.TensorTypeINT32), s.tensor("out", 0, shape...)
		s.sub.Inputs, s.sub.Outputs = []int{count, data}, []int{next, out}
		s.operator(encode.Operator{
			Builtin: schema.BuiltinOperatorADD, OptionsType: schema.BuiltinOptionsAddOptions, Options: empty(schema.AddOptionsStart, schema.AddOptionsEnd),
		}, []int{count, number(1)}, next)
		s.operator(encode.Operator{Builtin: schema.BuiltinOperatorTANH}, []int{data}, out)
	})
	end, z := s.typed("end", schema.TensorTypeINT32), s.tensor("repeated", 0, shape...)
	s.operator(encode.Operator{
		Builtin: schema.BuiltinOperatorWHILE, OptionsType: schema.BuiltinOptionsWhileOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.WhileOptionsStart(b)
			schema.WhileOptionsAddCondSubgraphIndex(b, int32(condition))
			schema.WhileOptionsAddBodySubgraphIndex(b, int32(body))
			return schema.WhileOptionsEnd(b)
		},
	}, []int{number(0), y}, end, z)
	return z
}
