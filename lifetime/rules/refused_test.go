package rules_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestObstacles has one model for each failure that needs no runtime.
func TestObstacles(t *testing.T) {
	typed := func(kind schema.TensorType, shape ...int32) encode.Tensor {
		return encode.Tensor{Type: kind, Shape: shape}
	}
	f := func(shape ...int32) encode.Tensor { return typed(schema.TensorTypeFLOAT32, shape...) }
	for name, c := range map[string]struct {
		op     encode.Operator // without inputs and outputs: all tensors except the last, and the last
		in     []encode.Tensor
		phase  rules.Phase
		reason string // "" if it runs
		custom bool
	}{
		"runs":             {op: encode.Operator{Builtin: schema.BuiltinOperatorRELU}, in: []encode.Tensor{f(4), f(4)}},
		"no kernel":        {encode.Operator{Builtin: schema.BuiltinOperatorTILE}, []encode.Tensor{f(4), f(4)}, rules.NoKernel, "no kernel for it", false},
		"custom":           {encode.Operator{Custom: "Mine"}, []encode.Tensor{f(4), f(4)}, rules.NoKernel, "custom operator", true},
		"custom options":   {encode.Operator{Builtin: schema.BuiltinOperatorRELU, CustomOptions: []byte{1}}, []encode.Tensor{f(4), f(4)}, rules.Prepare, "has custom options", false},
		"intermediates":    {encode.Operator{Builtin: schema.BuiltinOperatorRELU, Intermediates: []int{0}}, []encode.Tensor{f(4), f(4)}, rules.Prepare, "intermediate tensor is not empty", false},
		"uint8":            {encode.Operator{Builtin: schema.BuiltinOperatorCONV_2D}, []encode.Tensor{typed(schema.TensorTypeUINT8, 1, 4, 4, 1), typed(schema.TensorTypeUINT8, 1, 1, 1, 1), typed(schema.TensorTypeUINT8, 1, 4, 4, 1)}, rules.Prepare, "UINT8 and its input 1 UINT8", false},
		"hybrid":           {encode.Operator{Builtin: schema.BuiltinOperatorFULLY_CONNECTED}, []encode.Tensor{f(1, 4), typed(schema.TensorTypeINT8, 2, 4), f(1, 2)}, rules.Prepare, "input 1 ... INT8 ... FLOAT32", false},
		"Eval":             {encode.Operator{Builtin: schema.BuiltinOperatorCOS}, []encode.Tensor{typed(schema.TensorTypeINT8, 4), typed(schema.TensorTypeINT8, 4)}, rules.Eval, "which is not supported; use FLOAT32", false},
		"dynamic output":   {encode.Operator{Builtin: schema.BuiltinOperatorRELU}, []encode.Tensor{f(4), f(-1)}, rules.Prepare, "a dimension that is not positive", false},
		"empty output":     {encode.Operator{Builtin: schema.BuiltinOperatorRELU}, []encode.Tensor{f(4), f(4, 0)}, rules.Prepare, "a dimension that is not positive", false},
		"old scalar":       {op: encode.Operator{Builtin: schema.BuiltinOperatorRELU}, in: []encode.Tensor{f(0), f(0)}},
		"dynamic input":    {encode.Operator{Builtin: schema.BuiltinOperatorRELU}, []encode.Tensor{f(-1, 4), f(1, 4)}, rules.Planning, "no dynamic dimensions", false},
		"string":           {encode.Operator{Builtin: schema.BuiltinOperatorRESHAPE}, []encode.Tensor{typed(schema.TensorTypeSTRING, 1), typed(schema.TensorTypeSTRING, 1)}, rules.Prepare, "STRING, for which the runtime has no size", false},
		"five dimensions":  {encode.Operator{Builtin: schema.BuiltinOperatorSTRIDED_SLICE}, []encode.Tensor{f(1, 1, 1, 1, 4), typed(schema.TensorTypeINT32, 5), typed(schema.TensorTypeINT32, 5), typed(schema.TensorTypeINT32, 5), f(1, 1, 1, 1, 4)}, rules.Prepare, "5 dimensions", false},
		"no constant":      {encode.Operator{Builtin: schema.BuiltinOperatorTRANSPOSE}, []encode.Tensor{f(4, 2), typed(schema.TensorTypeINT32, 2), f(2, 4)}, rules.Prepare, "its perm (input 1) is not a constant", false},
		"too few inputs":   {encode.Operator{Builtin: schema.BuiltinOperatorADD}, []encode.Tensor{f(4), f(4)}, rules.Prepare, "its input 1 is absent", false},
		"more than counts": {encode.Operator{Builtin: schema.BuiltinOperatorRELU}, []encode.Tensor{f(1<<16, 1<<16), f(1<<16, 1<<16)}, rules.Eval, "more elements than the runtime counts", false},
	} {
		s := encode.Subgraph{Tensors: c.in, Inputs: []int{0}, Outputs: []int{len(c.in) - 1}}
		for i := range c.in[1:] {
			c.op.Inputs = append(c.op.Inputs, i)
		}
		c.op.Outputs = s.Outputs
		s.Operators = []encode.Operator{c.op}
		v := view(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, "tflm")
		switch got := v.Faults(); {
		case c.reason == "" && len(got) == 0:
		case c.reason == "" || len(got) != 1:
			t.Errorf("%s: %v", name, got)
		case got[0].Phase != c.phase || !says(got[0].Reason, c.reason) || got[0].Custom != c.custom:
			t.Errorf("%s: got %+v, want %s in %s", name, got[0], c.reason, c.phase)
		}
		if litert := view(t, encode.Model{Subgraphs: []encode.Subgraph{s}}, "litert").Faults(); len(litert) != 0 {
			t.Errorf("%s: the obstacles of one runtime show under another: %v", name, litert)
		}
	}
}

// TestGroup: faults shared by several operators are reported once.
func TestGroup(t *testing.T) {
	o := rules.Fault{Operator: 3, Name: "CONV_2D", Phase: rules.Prepare, Reason: "it is large"}
	p, q := o, o
	p.Operator, q.Reason = 5, "it is small"
	want(t, "groups", []rules.FaultGroup{
		{First: o, Text: "CONV_2D: it is large (Prepare; 2 operators, the first is 0:3)"}, {First: q, Text: "operator 0:3 CONV_2D: it is small (Prepare)"},
	}, rules.Group([]rules.Fault{o, q, p}))
}

// TestUnsupportedOfAnything: whatever the operands, a fault has a valid place and a reason;
// models without a run have none.
func TestUnsupportedOfAnything(t *testing.T) {
	shape := rapid.SliceOfN(rapid.SampledFrom([]int32{-1, 0, 1, 2, 3, 1 << 20}), 0, 6)
	kinds := rapid.IntRange(0, int(schema.TensorTypeFLOAT8_E5M2))
	rapid.Check(t, func(t *rapid.T) {
		s := encode.Subgraph{Inputs: []int{}, Outputs: []int{}}
		for range rapid.IntRange(0, 8).Draw(t, "tensors") {
			tensor := encode.Tensor{Type: schema.TensorType(kinds.Draw(t, "type")), Shape: shape.Draw(t, "shape"), Buffer: rapid.IntRange(0, 1).Draw(t, "buffer")}
			if rapid.Bool().Draw(t, "quantised") {
				n := rapid.IntRange(1, 3).Draw(t, "scales")
				tensor.Quantization = encode.Quantization{Scales: make([]float32, n), Zeros: make([]int64, n)}
			}
			s.Tensors = append(s.Tensors, tensor)
		}
		index := rapid.IntRange(-1, len(s.Tensors)-1)
		for range rapid.IntRange(1, 3).Draw(t, "operators") {
			o := encode.Operator{
				Builtin: schema.BuiltinOperator(rapid.IntRange(0, len(schema.EnumNamesBuiltinOperator)-1).Draw(t, "code")),
				Inputs:  rapid.SliceOfN(index, 0, 25).Draw(t, "inputs"), Outputs: rapid.SliceOfN(index, 0, 4).Draw(t, "outputs"),
			}
			if n := rapid.IntRange(0, 5).Draw(t, "plain"); n > 0 && len(s.Tensors) > n { // n inputs and an output, as most operators have
				o.Inputs, o.Outputs = []int{0, 1, 2, 3, 4, 5}[:n], []int{n}
				for i := range n {
					s.Tensors[i].Type = s.Tensors[n].Type
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "custom") == 0 {
				o.Custom = rapid.SampledFrom(customNames).Draw(t, "name")
			}
			s.Operators = append(s.Operators, o)
		}
		m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, 1<<8)}}}), "any")
		if err != nil {
			return
		}
		for _, library := range rules.KernelLibraries() {
			for _, f := range rules.Micro().OnLibrary(library).Faults(m) {
				if f.Subgraph != 0 || f.Operator >= len(s.Operators) || f.Operator < -1 || f.Reason == "" || f.Phase == "" || f.Kind == "" ||
					f.Library == "" || f.Versions == "" || f.Fails == (f.Limits != "" || f.Custom || f.Kind == rules.OldMemory) {
					t.Fatalf("%s: %+v", library, f)
				}
			}
		}
		seen := map[int]bool{}
		for _, o := range refused(m) {
			if o.Subgraph != 0 || o.Operator >= len(s.Operators) || o.Operator < -1 || seen[o.Operator] || o.Reason == "" || o.Phase == "" {
				t.Fatalf("%+v", o)
			}
			seen[o.Operator] = true
		}
	})
}

var customNames = []string{
	"CIRCULAR_BUFFER", "TFLite_Detection_PostProcess", "TFLM_DECODE", "SignalDelay", "SignalEnergy", "SignalFftAutoScale",
	"SignalFilterBank", "SignalFilterBankLog", "SignalFilterBankSpectralSubtraction", "SignalFilterBankSquareRoot", "SignalFramer",
	"SignalOverlapAdd", "SignalPCAN", "SignalRfft", "SignalIrfft", "SignalStacker", "SignalWindow", "Unknown",
}
