package rules_test

import (
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestNothingTakesOver: an operator without its only output or input (-1) shares no memory.
func TestNothingTakesOver(t *testing.T) {
	tensors := []encode.Tensor{floats("a", 4), floats("b", 4)}
	for _, code := range []schema.BuiltinOperator{
		schema.BuiltinOperatorRELU, schema.BuiltinOperatorCONCATENATION, schema.BuiltinOperatorPAD, schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorSLICE,
	} {
		for _, op := range []encode.Operator{operator(code, []int{0}, []int{-1}), operator(code, []int{-1}, []int{1}), operator(code, []int{-1, 0}, []int{-1, 1})} {
			for _, alias := range rules.Aliases() {
				if list := taken(t, one(tensors, op), alias); len(list) > 0 {
					t.Errorf("%s of %v makes %v, --alias %s: %v", code, op.Inputs, op.Outputs, alias, list)
				}
			}
		}
	}
}

// TestPartsOfBytes: parts of tensors with sub-byte elements are not placed in the whole,
// because they may begin within a byte.
func TestPartsOfBytes(t *testing.T) {
	of := func(elements schema.TensorType, name string, rows int32) encode.Tensor {
		return encode.Tensor{Name: name, Type: elements, Shape: []int32{rows, 64}}
	}
	for elements, want := range map[schema.TensorType][]string{schema.TensorTypeINT8: {"0:0>0:3"}, schema.TensorTypeINT4: nil} {
		begin := encode.Tensor{Name: "begin", Type: schema.TensorTypeINT32, Shape: []int32{2}, Buffer: 1}
		size := encode.Tensor{Name: "size", Type: schema.TensorTypeINT32, Shape: []int32{2}, Buffer: 2}
		cut := one([]encode.Tensor{of(elements, "a", 8), begin, size, of(elements, "b", 4)}, operator(schema.BuiltinOperatorSLICE, []int{0, 1, 2}, []int{3}))
		cut.Buffers = []encode.Buffer{ints(4, 0), ints(4, 64)}
		if got := taken(t, cut, rules.SafeAlias); !cmp.Equal(got, want) {
			t.Errorf("SLICE of %v: %v, not %v", elements, got, want)
		}
		join := operator(schema.BuiltinOperatorCONCATENATION, []int{0, 0}, []int{1})
		join.OptionsType = schema.BuiltinOptionsConcatenationOptions
		join.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ConcatenationOptionsStart(b)
			return schema.ConcatenationOptionsEnd(b)
		}
		if got := taken(t, one([]encode.Tensor{of(elements, "a", 4), of(elements, "b", 8)}, join), rules.SafeAlias); (got == nil) != (want == nil) {
			t.Errorf("CONCATENATION of %v: %v", elements, got)
		}
		pad := one([]encode.Tensor{of(elements, "a", 4), of(elements, "b", 8)}, operator(schema.BuiltinOperatorPAD, []int{0}, []int{1}))
		if got := taken(t, pad, rules.ElementwiseAlias); (got == nil) != (want == nil) {
			t.Errorf("PAD of %v: %v", elements, got)
		}
	}
}

// TestTakeoversOfTheZoo: whatever the inputs, outputs and options of operators, a takeover has
// two valid records, one inside the other.
func TestTakeoversOfTheZoo(t *testing.T) {
	all := 0
	for _, code := range mutate.Codes() {
		for _, options := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			m, err := tflite.Parse(mutate.Zoo(code, options), "zoo")
			if err != nil {
				continue // it calls itself
			}
			for _, runtime := range rules.Names() {
				r, err := rules.Lookup(runtime)
				if err != nil {
					t.Fatal(err)
				}
				v, err := r.View(m, -1)
				if err != nil {
					t.Fatal(err)
				}
				for _, alias := range rules.Aliases() {
					all += len(v.Takeovers(alias))
					checkTakeovers(t, v, alias)
				}
				checkOverlaps(t, v)
			}
		}
	}
	if all == 0 {
		t.Error("nothing in the zoo takes over anything")
	}
}

func checkTakeovers(t *testing.T, v *rules.View, alias rules.Alias) {
	t.Helper()
	records := v.Remaining(alias)
	for _, x := range v.Takeovers(alias) {
		if x.From < 0 || x.To < 0 || x.From >= len(records) || x.To >= len(records) || x.From == x.To {
			t.Errorf("%s: record %d takes over record %d of %d", x.Why, x.To, x.From, len(records))
		} else if from, to := records[x.From], records[x.To]; x.Offset > 0 && x.Offset+to.Size > from.Size {
			t.Errorf("%s: %d B at %d of %d B", x.Why, to.Size, x.Offset, from.Size)
		}
	}
}

// checkOverlaps checks that overlaps are between records that meet, and permit some sharing.
func checkOverlaps(t *testing.T, v *rules.View) {
	t.Helper()
	records := v.Records()
	for _, x := range v.Overlaps(rules.DiagonalAlias) {
		from, to := records[x.From], records[x.To]
		if x.From == x.To || from.Last != x.At || to.First != x.At || x.Distance >= to.Size || x.Distance < -from.Size {
			t.Errorf("%s: %+v at %d bytes over %+v", x.Why, to, x.Distance, from)
		}
	}
}

// TestStandsOfAnyRank: whatever the operator and the ranks of its operands, overlaps and
// scratch are known or not, and nothing panics.
func TestStandsOfAnyRank(t *testing.T) {
	stands, libraries := 0, rules.KernelLibraries()
	for _, of := range []schema.TensorType{schema.TensorTypeINT8, schema.TensorTypeFLOAT32} {
		m, err := tflite.Parse(mutate.Network(of), "network")
		if err != nil {
			t.Fatal(err)
		}
		s, own := &m.Subgraphs[0], slices.Clone(m.OperatorCodes)
		for i := range s.Operators {
			o := &s.Operators[i]
			codes := []int64{int64(own[o.Code].Builtin)}
			if of == schema.TensorTypeINT8 && !testing.Short() {
				for k := i % 3; k < len(mutate.Codes()); k += 3 {
					codes = append(codes, mutate.Codes()[k])
				}
			}
			for _, code := range codes {
				m.OperatorCodes[o.Code].Builtin = schema.BuiltinOperator(code)
				x := &rules.Hypothetical{Model: m, Operator: o, Inputs: operands(s, o.Inputs), Outputs: operands(s, o.Outputs)}
				for _, list := range [][]*tflite.Tensor{x.Inputs, x.Outputs} {
					for k := range list {
						stands += deform(&list[k], func() { measure(t, x, libraries[(stands+int(code)+k)%len(libraries)]) })
					}
				}
			}
			copy(m.OperatorCodes, own)
		}
	}
	if stands < 500 {
		t.Errorf("%d operators are too few to tell", stands)
	}
}

func operands(s *tflite.Subgraph, list []int) (tensors []*tflite.Tensor) {
	for i := range list {
		tensors = append(tensors, s.Operand(list, i))
	}
	return tensors
}

// deform calls f without a tensor and with shapes of other ranks, and returns the number of
// calls.
func deform(at **tflite.Tensor, f func()) (count int) {
	own := *at
	defer func() { *at = own }()
	*at = nil
	f()
	for _, shape := range [][]int32{nil, {6}, {0, 3}, {3, 4}, {1, 4, 4}, {1, 1, 1, 1}, {2, 4, 4, 8}, {1, 1, 4, 4, 8}} {
		other := tflite.Tensor{}
		if own != nil {
			other = *own
		}
		other.Shape, *at = shape, &other
		f()
		count++
	}
	return count
}

// measure calls all methods of a hypothetical operator with a kernel library.
func measure(t *testing.T, x *rules.Hypothetical, library string) {
	t.Helper()
	device, err := rules.DefaultDevice().WithKernels(library)
	if err != nil {
		t.Fatal(err)
	}
	for _, x.Valid = range []bool{false, true} {
		for _, x.Alias = range []rules.Alias{rules.DiagonalAlias, rules.UnmeasuredAlias} {
			x.Device = device
			for input := range x.Inputs {
				x.Distance(input)
			}
		}
		x.Scratch(device)
	}
}
