package rules_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// mixedEffects are faults of expected.csv whose effect depends on the build: an assertion stops
// the kernel, or without one, its results are wrong.
var mixedEffects = map[string]bool{
	"conv_i8_group_esp": true, "conv_i8_group_esp_2": true, "ok_conv_i8_group_nobias_cmsis": true, "a_esp_conv_group": true, "a_esp_conv_group_ndebug": true,
	"fc_i16_perchannel_cmsis": true, "fc_i16_perchannel_esp": true, "greater_i16": true, "a_tflm_mean_axes": true, "a_tflm_greater_i16": true, "dw_i16_bias32": true, "dw_i16_bias32_cmsis": true,
}

// TestExpectedFaults compares the faults with runs of the kernels of three libraries: no fault
// is missed, and models that run correctly have none.
func TestExpectedFaults(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "kernels", "faults")
	file, err := os.Open(filepath.Join(dir, "expected.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, row := range rows[1:] {
		name, library, verdict, effect := strings.TrimSuffix(row[0], ".tflite"), row[1], row[2], row[3]
		m, err := tflite.Open(filepath.Join(dir, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(name, "svdf_i8state_size") && library == "cmsis-nn-scalar" {
			library = "cmsis-nn-scalar-size" // the library of the row's run
		}
		list := rules.Micro().OnLibrary(library).Faults(m)
		got := "ok"
		for _, f := range list {
			switch {
			case f.Fails:
				got = "fault"
			case got == "ok":
				got = "warning"
			}
		}
		if seen[got]++; got != verdict {
			t.Errorf("%s with %s: %s, want %s (%s): %v", name, library, got, verdict, effect, list)
			continue
		}
		if verdict != "fault" || mixedEffects[name] {
			continue
		}
		want := rules.WrongResults
		if strings.HasPrefix(effect, "refuses") || strings.HasPrefix(effect, "crashes") {
			want = rules.DoesNotRun
		}
		if kind := worst(list).Kind; kind != want {
			t.Errorf("%s with %s: %s, want %s (%s): %v", name, library, kind, want, effect, list)
		}
	}
	t.Logf("%v", seen)
	if seen["fault"] < 200 || seen["warning"] < 20 || seen["ok"] < 250 {
		t.Errorf("%v: too few to tell", seen)
	}
}

// worst returns the most serious fault of a list with at least one failing fault.
func worst(list []rules.Fault) (worst rules.Fault) {
	for _, f := range list {
		if f.Fails && (worst.Kind == "" || f.Kind == rules.DoesNotRun) {
			worst = f
		}
	}
	return worst
}

// says reports whether a text has all of the parts, which " ... " separates, in this order. Only an empty
// text has none.
func says(text, parts string) bool {
	if parts == "" {
		return text == ""
	}
	for part := range strings.SplitSeq(parts, " ... ") {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// TestFaultsOfBuilds: a fault in a wrapper applies to all builds of a library, and a fault in
// code for one chip only to that build.
func TestFaultsOfBuilds(t *testing.T) {
	const (
		i4  = schema.TensorTypeINT4
		i8  = schema.TensorTypeINT8
		i16 = schema.TensorTypeINT16
		i32 = schema.TensorTypeINT32
	)
	softmax := func(shape ...int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorSOFTMAX, []encode.Tensor{typed(i8, shape...)}, typed(i8, shape...))
	}
	conv := func(kind, weights schema.TensorType, depth int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorCONV_2D, []encode.Tensor{typed(kind, 1, 8, 8, 8), typed(weights, 16, 3, 3, depth), typed(i32, 16)}, typed(kind, 1, 6, 6, 16))
	}
	svdf := func(state schema.TensorType) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorSVDF, []encode.Tensor{
			typed(i8, 1, 9), typed(i8, 12, 9), typed(state, 12, 4), typed(i32, 6), typed(state, 1, 48),
		}, typed(i8, 1, 6))
	}
	for _, c := range []struct {
		name, library string
		model         *tflite.Model
		want          string // "" for none
	}{
		{"a row", "esp-nn-s3", softmax(1, 12), ""},
		{"rows", "esp-nn-s3", softmax(1, 12, 20), "0:0 SOFTMAX ... rows of 20 ... for 12"},
		{"rows that fit", "esp-nn-p4", softmax(1, 20, 12), ""},
		{"rows in plain C", "esp-nn-ansi", softmax(1, 12, 20), ""},
		{"no rows", "esp-nn-generic", softmax(12), "from a dimension 1"},
		{"rows with other kernels", "cmsis-nn-mve", softmax(1, 12, 20), ""},
		{"8 bits", "cmsis-nn-dsp", conv(i8, i8, 8), ""},
		{"16 bits", "cmsis-nn-dsp", conv(i16, i8, 8), ""},
		{"groups of 16 bits", "cmsis-nn-mve", conv(i16, i8, 4), "computes its 2 groups as one"},
		{"groups of 4 bits", "cmsis-nn-scalar", conv(i8, i4, 4), "computes its 2 groups as one"},
		{"groups", "esp-nn-s3", conv(i8, i8, 4), "computes its 2 groups as one"},
		{"groups in plain C", "esp-nn-ansi", conv(i8, i8, 4), "computes its 2 groups as one"},
		{"no groups", "esp-nn-s3", conv(i8, i8, 8), ""},
		{"state", "cmsis-nn-dsp-size", svdf(i8), "refuses an INT8 state"},
		{"state with vectors", "cmsis-nn-mve-size", svdf(i8), "does not saturate its INT8 state"},
		{"state of 16 bits", "cmsis-nn-scalar-size", svdf(i16), ""},
		{"reference", "reference", conv(i16, i8, 4), ""},
		{"none such", "none", conv(i16, i8, 4), ""},
		{"groups in a release that is not modelled", "esp-nn-s3@9.9.9", conv(i8, i8, 4), "computes its 2 groups as one"},
		{"no groups there", "esp-nn-s3@9.9.9", conv(i8, i8, 8), ""},
	} {
		got := ""
		for _, f := range rules.Micro().OnLibrary(c.library).Faults(c.model) {
			got += f.String()
		}
		if !says(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestContradictions: operands that no kernel compares are compared here, and reads of
// unwritten tensors are reported.
func TestContradictions(t *testing.T) {
	const i8, f32 = schema.TensorTypeINT8, schema.TensorTypeFLOAT32
	conv := func(input, filter, output []int32, biases int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorCONV_2D, []encode.Tensor{typed(i8, input...), typed(i8, filter...), typed(schema.TensorTypeINT32, biases)}, typed(i8, output...))
	}
	relu := func(input, output []int32) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorRELU, []encode.Tensor{typed(i8, input...)}, typed(i8, output...))
	}
	transposed := func(input, filter, output []int32) *tflite.Model { // with a shape that is no constant
		return faulty(t, schema.BuiltinOperatorTRANSPOSE_CONV, []encode.Tensor{typed(schema.TensorTypeINT32, 4), typed(f32, filter...), typed(f32, input...)}, typed(f32, output...))
	}
	scalar := relu(nil, nil)
	scalar.Subgraphs[0].Tensors[0].HasRank = false
	unwritten := relu([]int32{4}, []int32{4})
	unwritten.Subgraphs[0].Tensors[0].Input = false
	for _, c := range []struct {
		name  string
		model *tflite.Model
		want  string // "" for none
	}{
		{"right", conv([]int32{1, 8, 8, 8}, []int32{16, 3, 3, 8}, []int32{1, 6, 6, 16}, 16), ""},
		{"height and width", conv([]int32{1, 8, 9, 8}, []int32{16, 3, 3, 8}, []int32{1, 7, 6, 16}, 16), "[1 6 7 16] ... [1 7 6 16]"},
		{"channels", conv([]int32{1, 8, 8, 8}, []int32{16, 3, 3, 8}, []int32{1, 6, 6, 15}, 16), "[1 6 6 16] ... [1 6 6 15]"},
		{"groups", conv([]int32{1, 8, 8, 10}, []int32{2, 3, 3, 1}, []int32{1, 6, 6, 2}, 2), "filter ... [2 3 3 1] ... 10 channels"},
		{"short bias", conv([]int32{1, 8, 8, 8}, []int32{16, 3, 3, 8}, []int32{1, 6, 6, 16}, 15), "bias ... [15] for 16 "},
		{"long bias", conv([]int32{1, 8, 8, 8}, []int32{16, 3, 3, 8}, []int32{1, 6, 6, 16}, 17), ""},
		{"options left out", faulty(t, schema.BuiltinOperatorFULLY_CONNECTED, []encode.Tensor{typed(f32, 1, 4), typed(f32, 2, 4), typed(f32, 1)}, typed(f32, 2, 1)), "bias ... [1] for 2 "},
		{"a computed output shape", transposed([]int32{1, 2, 2, 3}, []int32{5, 1, 1, 4}, []int32{1, 2, 2, 5}), "input ... [1 2 2 3] ... filter ... [5 1 1 4]"},
		{"another batch", transposed([]int32{2, 2, 2, 4}, []int32{5, 1, 1, 4}, []int32{1, 2, 2, 5}), "input ... [2 2 2 4]"},
		{"as many elements", relu([]int32{4, 6}, []int32{24}), ""},
		{"more elements", relu([]int32{4, 6}, []int32{25}), "[4 6] ... [25]"},
		{"no shape", scalar, ""},
		{"nothing written", unwritten, "reads tensor 0 before it is written"},
	} {
		got := ""
		for _, f := range rules.Micro().Faults(c.model) {
			got += f.String()
			if kind := f.Kind; (kind == rules.OldMemory) == f.Fails {
				t.Errorf("%s: %s, fails: %v", c.name, kind, f.Fails)
			}
		}
		if !says(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestUnusedScratch: unused scratch is summed over the operators of one kind.
func TestUnusedScratch(t *testing.T) {
	conv := func(kind, weights schema.TensorType) *tflite.Model {
		return faulty(t, schema.BuiltinOperatorCONV_2D, []encode.Tensor{
			typed(kind, 1, 8, 8, 8), typed(weights, 16, 3, 3, 8), typed(schema.TensorTypeINT32, 16),
		}, typed(kind, 1, 6, 6, 16))
	}
	for _, c := range []struct {
		library, want string
		model         *tflite.Model
	}{
		{"cmsis-nn-dsp", "0:0 CONV_2D ... 288 B", conv(schema.TensorTypeINT16, schema.TensorTypeINT8)},
		{"esp-nn-p4", "computed by the reference kernel", conv(schema.TensorTypeINT8, schema.TensorTypeINT4)},
		{"esp-nn-p4", "", conv(schema.TensorTypeINT8, schema.TensorTypeINT8)},
		{"reference", "", conv(schema.TensorTypeINT16, schema.TensorTypeINT8)},
	} {
		got := ""
		for _, w := range rules.UnusedScratch(c.model, c.library) {
			got += w.String()
		}
		if !says(got, c.want) {
			t.Errorf("%s: %q, want %q", c.library, got, c.want)
		}
	}
}

// TestIntroduced: a fault that the original model has is not introduced, whatever its numbers.
func TestIntroduced(t *testing.T) {
	fault := func(source, reason string, fails bool) rules.Fault {
		return rules.Fault{Kind: rules.WrongResults, Name: "CONV_2D", Source: source, Reason: reason, Fails: fails}
	}
	before := []rules.Fault{fault("a", "2 groups", true), fault("b", "x", false)}
	after := []rules.Fault{fault("a", "4 groups", true), fault("b", "x", true), fault("c", "y", false)}
	if got := rules.Introduced(before, after); len(got) != 1 || got[0].Source != "b" {
		t.Errorf("%v", got)
	}
}

// faulty returns a model of one operator.
func faulty(t *testing.T, code schema.BuiltinOperator, inputs []encode.Tensor, output encode.Tensor) *tflite.Model {
	t.Helper()
	op := operator(code, nil, []int{len(inputs)})
	for i := range inputs {
		op.Inputs = append(op.Inputs, i)
	}
	if code == schema.BuiltinOperatorSOFTMAX {
		inputs[0].Quantization = encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{0}}
		output.Quantization = encode.Quantization{Scales: []float32{1.0 / 256}, Zeros: []int64{-128}}
		op.OptionsType = schema.BuiltinOptionsSoftmaxOptions
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SoftmaxOptionsStart(b)
			schema.SoftmaxOptionsAddBeta(b, 1)
			return schema.SoftmaxOptionsEnd(b)
		}
	}
	if code == schema.BuiltinOperatorSVDF {
		inputs[4].Variable = true
		op.OptionsType = schema.BuiltinOptionsSVDFOptions
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SVDFOptionsStart(b)
			schema.SVDFOptionsAddRank(b, 2)
			return schema.SVDFOptionsEnd(b)
		}
	}
	if code == schema.BuiltinOperatorCONV_2D {
		for i := range inputs {
			inputs[i].Quantization = encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{0}}
		}
		output.Quantization = inputs[0].Quantization
		op.OptionsType = schema.BuiltinOptionsConv2DOptions
		op.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddPadding(b, schema.PaddingVALID)
			schema.Conv2DOptionsAddStrideH(b, 1)
			schema.Conv2DOptionsAddStrideW(b, 1)
			return schema.Conv2DOptionsEnd(b)
		}
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: append(inputs, output), Inputs: op.Inputs, Operators: []encode.Operator{op},
	}}}), fmt.Sprint(code))
	if err != nil {
		t.Fatal(err)
	}
	return m
}
