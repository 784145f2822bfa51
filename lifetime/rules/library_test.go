package rules_test

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
)

// TestKernelTakeovers: an output is placed on an input only if the kernel that runs permits it;
// floats always run through the reference kernels.
func TestKernelTakeovers(t *testing.T) {
	const (
		f32 = schema.TensorTypeFLOAT32
		i8  = schema.TensorTypeINT8
		i16 = schema.TensorTypeINT16
		add = schema.BuiltinOperatorADD
		top = schema.BuiltinOperatorMAXIMUM
		sub = schema.BuiltinOperatorSUB
		pad = schema.BuiltinOperatorPAD
	)
	for _, c := range []struct {
		library string
		code    schema.BuiltinOperator
		kind    schema.TensorType
		want    bool
	}{
		{"reference", add, i8, true},
		{"cmsis-nn-mve", add, i8, true},
		{"cmsis-nn-scalar-size", add, i16, true},
		{"cmsis-nn-dsp", top, i8, false},
		{"cmsis-nn-dsp", top, f32, true},
		{"cmsis-nn-dsp", sub, i8, true},
		{"cmsis-nn-dsp", pad, i8, false},
		{"cmsis-nn-dsp", pad, f32, true},
		{"esp-nn-s3", add, i8, false},
		{"esp-nn-s3", add, i16, true},
		{"esp-nn-p4", add, i8, false},
		{"esp-nn-p4", add, f32, true},
		{"esp-nn-generic@1.2.3", add, i8, true},
		{"esp-nn-ansi@1.2.3", top, i8, true},
		{"esp-nn-s3", pad, i8, true},
		{"cmsis-nn-dsp@99f736a", add, i8, true},
		{"cmsis-nn-dsp@4ab83cc3", add, i8, false},
		{"cmsis-nn-dsp@4ab83cc3", add, f32, true},
		{"esp-nn-s3@1.2.2", add, i8, false},
		{"esp-nn-s3@1.2.2", add, f32, true},
		{"esp-nn-s3@1.1.0", pad, i8, true},
	} {
		x := typed(c.kind, 4, 4)
		m := encode.Model{Subgraphs: []encode.Subgraph{{
			Tensors: []encode.Tensor{x, x, x}, Inputs: []int{0, 1}, Outputs: []int{2},
			Operators: []encode.Operator{operator(c.code, []int{0, 1}, []int{2})},
		}}}
		if c.code == pad {
			m.Subgraphs[0].Operators[0].Inputs = []int{0}
		}
		v := view(t, m, "tflm", func(r *rules.Rules) { *r = r.OnLibrary(c.library) })
		if got := len(v.Takeovers(rules.ElementwiseAlias)) > 0; got != c.want {
			t.Errorf("%v of %v with %s: %v", c.code, c.kind, c.library, got)
		}
		device, err := rules.UsualDevice(c.library)
		if err != nil {
			t.Fatal(err)
		}
		if got := device.SharesInPlace(c.code, []schema.TensorType{c.kind, c.kind}); got != c.want {
			t.Errorf("%v of %v with %s may share: %v", c.code, c.kind, c.library, got)
		}
	}
}

// TestOrdersOfReleases: the order of reads and writes is known only for releases in which it was looked at.
func TestOrdersOfReleases(t *testing.T) {
	known := map[string]bool{
		"esp-nn-s3@1.2.3": true, "esp-nn-s3@1.2.2": false, "esp-nn-p4@1.1.0": false, "esp-nn-s3@9.9.9": false,
		"cmsis-nn-mve": true, "vendor": false, "": true, "reference": true,
	}
	for library, want := range known {
		if got := rules.OrdersKnown(library); got != want {
			t.Errorf("%s: the order is known: %v", library, got)
		}
	}
	for _, name := range rules.KernelLibraries() {
		for _, version := range append(rules.KernelReleases(name), "") {
			if library := strings.TrimSuffix(name+"@"+version, "@"); rules.OrdersMeasured(library) && !rules.OrdersKnown(library) {
				t.Errorf("%s: the order was measured, but is not known", library)
			}
		}
	}
}
