package transform

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// groupedConv returns a CONV_2D of two groups without a bias.
func groupedConv(t *testing.T) *tflite.Model {
	return oneOperator(t, schema.BuiltinOperatorCONV_2D, optionsOf(schema.BuiltinOptionsConv2DOptions, schema.Conv2DOptionsStart, schema.Conv2DOptionsEnd,
		field(schema.Conv2DOptionsAddStrideW, int32(1)), field(schema.Conv2DOptionsAddStrideH, int32(1))),
		tensor(i8, 1, 1, 1, 4), tensor(i8, 1, 1, 1, 6), tensor(i8, 4, 1, 1, 3).zeros())
}

// names returns the names of applied rules.
func names(list []Applied) (names []string) {
	for _, a := range list {
		names = append(names, a.Rule.Name)
	}
	return names
}

// TestRepairChain: a rule is applied that only makes another fault, if a second rule avoids that one. The file lists both.
func TestRepairChain(t *testing.T) {
	m := groupedConv(t)
	r, err := Repair(context.Background(), m, Options{Device: device(t, "esp-nn-generic")})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(r.Applied); !slices.Equal(got, []string{"zero-bias", "separate-groups"}) || len(r.Left) > 0 {
		t.Errorf("the rules are %v, left are %v", got, r.Left)
	}
	record, err := provenance.Read(r.Model)
	if err != nil || record == nil || len(record.Rules) != 2 || record.Rules[1].Operators != 1 {
		t.Errorf("the record is %+v, %v", record, err)
	}
}

// TestRepairNothing: a model without a fault stays as it is, and so does one whose faults no rule avoids.
func TestRepairNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		model *tflite.Model
		o     Options
		left  int
	}{
		{"no fault", groupedConv(t), Options{}, 0},
		{"no rule", oneOperator(t, schema.BuiltinOperatorADD, optionsOf(schema.BuiltinOptionsAddOptions, schema.AddOptionsStart, schema.AddOptionsEnd),
			tensor(f32, 2), tensor(f32, 2), tensor(i32, 2)), Options{}, 1},
		{"no assertions", oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED,
			optionsOf(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd),
			tensor(i8, 2), tensor(i8, 1, 3), tensor(i8, 2, 3).zeros()), Options{Device: device(t, "cmsis-nn-mve"), NoAssertions: true}, 0},
	} {
		r, err := Repair(context.Background(), c.model, c.o)
		if err != nil || r.Model != c.model || len(r.Applied) > 0 || len(r.Left) != c.left {
			t.Errorf("%s: %v, %v, %v", c.name, names(r.Applied), r.Left, err)
		}
	}
}

// TestRepairAssertions: what only builds with assertions refuse is repaired, too.
func TestRepairAssertions(t *testing.T) {
	m := oneOperator(t, schema.BuiltinOperatorFULLY_CONNECTED,
		optionsOf(schema.BuiltinOptionsFullyConnectedOptions, schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd),
		tensor(i8, 2), tensor(i8, 1, 3), tensor(i8, 2, 3).zeros())
	d := device(t, "cmsis-nn-mve")
	r, err := Repair(context.Background(), m, Options{Device: d})
	if err != nil || !slices.Equal(names(r.Applied), []string{"fully-connected-rows"}) || len(d.Rules().Faults(r.Model)) > 0 {
		t.Errorf("%v, %v", names(r.Applied), err)
	}
}

// TestRepairFaultyAlone: only operators with a fault are replaced.
func TestRepairFaultyAlone(t *testing.T) {
	transpose := func(in, out int, permutation int) encode.Operator {
		return encode.Operator{Builtin: schema.BuiltinOperatorTRANSPOSE, Inputs: []int{in, permutation}, Outputs: []int{out}}
	}
	small, large := []int32{1, 2, 3}, []int32{1, 1, 1, 1, 2, 3}
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Buffers: []encode.Buffer{{Data: numbers(i32, 1, 0, 2).data}, {Data: numbers(i32, 1, 0, 2, 3, 5, 4).data}},
		Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{
				{Type: f32, Shape: small},
				{Type: f32, Shape: []int32{2, 1, 3}},
				{Type: f32, Shape: large},
				{Type: f32, Shape: []int32{1, 1, 1, 1, 3, 2}},
				{Type: i32, Shape: []int32{3}, Buffer: 1},
				{Type: i32, Shape: []int32{6}, Buffer: 2},
			},
			Inputs: []int{0, 2}, Outputs: []int{1, 3}, Operators: []encode.Operator{transpose(0, 1, 4), transpose(2, 3, 5)},
		}},
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Repair(context.Background(), m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := lines(
		"TRANSPOSE FLOAT32[1 2 3] (1 0 2) > FLOAT32[2 1 3]",
		"RESHAPE FLOAT32[1 1 1 1 2 3] > FLOAT32[2 3]",
		"TRANSPOSE FLOAT32[2 3] (1 0) > FLOAT32[3 2]",
		"RESHAPE FLOAT32[3 2] > FLOAT32[1 1 1 1 3 2]",
	)
	if got := operatorsOf(r.Model); got != want || len(r.Left) > 0 {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a := r.Applied; len(a) != 1 || !slices.Equal(a[0].Operators, []Place{{0, 1, "TRANSPOSE"}}) {
		t.Errorf("%+v", a)
	}
}

// TestRepairEnds: when the context ends, the model stays as it is.
func TestRepairEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := groupedConv(t)
	r, err := Repair(ctx, m, Options{Device: device(t, "esp-nn-generic")})
	if err != nil || r.Model != m || len(r.Left) != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestRepairRefused: a refusal of the rewriter is the error if nothing could be changed.
func TestRepairRefused(t *testing.T) {
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Subgraphs: []encode.Subgraph{{ // a graph input that is written
			Tensors: []encode.Tensor{{Type: f32, Shape: []int32{1, 1, 1, 1, 1, 2}}},
			Inputs:  []int{0}, Outputs: []int{0},
			Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorL2_NORMALIZATION, Inputs: []int{0}, Outputs: []int{0}}},
		}},
	}), "test")
	if err != nil {
		t.Fatal(err)
	}
	var refused *rewrite.RefusedError
	if _, err := Repair(context.Background(), m, Options{}); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
}
