package network

import (
	"fmt"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Stateful returns a model file of random floats that keeps a few resource variables from run to run,
// deterministic for a seed. Subgraphs that run once initialise the variables; the main one reads and
// assigns them at random, directly or in branches of IF.
func Stateful(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 15))
	s := &stateful{drawnNetwork: &drawnNetwork{Rand: r, kind: schema.TensorTypeFLOAT32}, elements: []int32{4, 8}[r.IntN(2)]}
	variables := 1 + r.IntN(3)
	s.handles = make([]int, variables)
	s.rest = []encode.Subgraph{{}} // the main one
	var each []int
	for v := range variables {
		s.handles[v] = -1
		if each = append(each, v); v == variables-1 || r.IntN(2) == 0 {
			s.initialise(each)
			each = nil
		}
	}
	in := s.tensor(base, s.elements)
	s.sub.Inputs = []int{in}
	s.unary(in)
	for range 3 + r.IntN(3) {
		s.act()
	}
	s.end()
	s.rest[0] = s.sub
	return encode.Encode(encode.Model{Subgraphs: s.rest, Buffers: s.data})
}

// A stateful is a drawing with variables. handles has the handle tensor of each, or -1, and rest the
// other subgraphs.
type stateful struct {
	*drawnNetwork
	elements int32
	handles  []int
	rest     []encode.Subgraph
}

// within draws another subgraph, and returns its index.
func (s *stateful) within(f func(inner *stateful)) int {
	inner := &stateful{drawnNetwork: &drawnNetwork{Rand: s.Rand, kind: s.kind, data: s.data}, elements: s.elements, handles: make([]int, len(s.handles))}
	for v := range inner.handles {
		inner.handles[v] = -1
	}
	f(inner)
	s.data = inner.data
	s.rest = append(s.rest, inner.sub)
	return len(s.rest) - 1
}

// initialise adds a subgraph that assigns constants and runs once.
func (s *stateful) initialise(variables []int) {
	callee := s.within(func(inner *stateful) {
		for _, v := range variables {
			inner.assign(v, inner.constant(s.elements))
		}
	})
	s.add(CallOnce(callee), nil)
}

// CallOnce returns an operator that runs a subgraph in the first run of the model.
func CallOnce(callee int) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorCALL_ONCE, OptionsType: schema.BuiltinOptionsCallOnceOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.CallOnceOptionsStart(b)
			schema.CallOnceOptionsAddInitSubgraphIndex(b, int32(callee))
			return schema.CallOnceOptionsEnd(b)
		},
	}
}

func (s *stateful) handle(v int) int {
	if s.handles[v] < 0 || s.IntN(4) == 0 {
		t := s.tensor(base, 1)
		s.sub.Tensors[t].Type = schema.TensorTypeRESOURCE
		s.add(VarHandle("", fmt.Sprint("v", v)), nil, t)
		s.made = s.made[:len(s.made)-1]
		s.handles[v] = t
	}
	return s.handles[v]
}

// VarHandle returns an operator that makes the handle of a resource variable.
func VarHandle(container, name string) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorVAR_HANDLE, OptionsType: schema.BuiltinOptionsVarHandleOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			box, shared := b.CreateString(container), b.CreateString(name)
			schema.VarHandleOptionsStart(b)
			if container != "" {
				schema.VarHandleOptionsAddContainer(b, box)
			}
			schema.VarHandleOptionsAddSharedName(b, shared)
			return schema.VarHandleOptionsEnd(b)
		},
	}
}

func (s *stateful) assign(v, t int) {
	s.add(encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE}, []int{s.handle(v), t})
}

func (s *stateful) readVariable(v int) int {
	t := s.tensor(base, s.elements)
	s.add(encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE}, []int{s.handle(v)}, t)
	return t
}

// value returns a value for a variable, between -1 and 1.
func (s *stateful) value() int {
	var list []int
	for _, t := range s.made {
		if slices.Equal(s.shape(t), []int32{s.elements}) {
			list = append(list, t)
		}
	}
	t := list[s.IntN(len(list))]
	out := s.tensor(signed, s.elements)
	s.add(encode.Operator{Builtin: schema.BuiltinOperatorTANH}, []int{t}, out)
	return out
}

func (s *stateful) act() {
	v := s.IntN(len(s.handles))
	switch k := s.IntN(10); {
	case k < 4:
		s.readVariable(v)
	case k < 7:
		s.assign(v, s.value())
	case k < 8:
		s.branch(v)
	case k < 9:
		t := s.any()
		s.concatenate(t)
	default:
		t := s.any()
		s.arithmetic(t, s.like(t, func(int) bool { return true }))
	}
}

// branch runs one of two subgraphs: one that changes a variable, and one that may read it.
func (s *stateful) branch(v int) {
	in := func(f func(inner *stateful, in int) int) int {
		return s.within(func(inner *stateful) {
			t := inner.tensor(base, s.elements)
			inner.sub.Inputs = []int{t}
			inner.sub.Outputs = []int{f(inner, t)}
		})
	}
	changes := in(func(inner *stateful, in int) int {
		inner.arithmetic(in, inner.readVariable(v))
		out := inner.made[len(inner.made)-1]
		inner.assign(v, inner.value())
		return out
	})
	reads := in(func(inner *stateful, in int) int {
		if s.IntN(2) == 0 {
			inner.unary(in)
		} else {
			inner.arithmetic(in, inner.readVariable(v))
		}
		return inner.made[len(inner.made)-1]
	})
	condition := s.embed(s.tensor(base, 1), []byte{byte(s.IntN(2))})
	s.sub.Tensors[condition].Type = schema.TensorTypeBOOL
	branches := []int{changes, reads}
	s.Shuffle(2, func(i, j int) { branches[i], branches[j] = branches[j], branches[i] })
	if s.IntN(3) == 0 {
		branches[0], branches[1] = reads, reads
	}
	s.add(encode.Operator{
		Builtin: schema.BuiltinOperatorIF, OptionsType: schema.BuiltinOptionsIfOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.IfOptionsStart(b)
			schema.IfOptionsAddThenSubgraphIndex(b, int32(branches[0]))
			schema.IfOptionsAddElseSubgraphIndex(b, int32(branches[1]))
			return schema.IfOptionsEnd(b)
		},
	}, []int{condition, s.value()}, s.tensor(base, s.elements))
}
