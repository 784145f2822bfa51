package rules_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// residue lists the models of the corpus that are not reported as unsupported and yet do not
// run here, with reasons that are not in the file.
var residue = map[string]string{
	"hang_conv_height_2p24.tflite": "a tensor of 2 GiB, more than the arena of the test",
	"conv_huge_im2col.bin":         "tensors of 780 MB, more than the arena of the test",
	"fuzz_valid_small.tflite":      "the wheel's Python part cannot read the file",
	"DIV.i32.tflite":               "a random divisor is zero",
	"RSQRT.i8.tflite":              "a random number is negative",
	"VAR_HANDLE.tflite":            "the wheel's Python part hands out no resource",
}

// TestUnsupportedAsTheRuntime: a model of the corpus is reported as unsupported exactly if the
// runtime cannot allocate or run it, at the stage at which it fails.
func TestUnsupportedAsTheRuntime(t *testing.T) {
	var files []string
	for _, f := range corpus.Models(t) {
		files = append(files, f.Path)
	}
	for _, pattern := range []string{"found/*.tflite", "prepare/ops/*.tflite"} {
		more, err := filepath.Glob(filepath.Join(corpus.Dir(t), filepath.FromSlash(pattern)))
		if err != nil || len(more) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, more...)
	}
	var c comparison
	oracle.Each(t, len(files), func(t *testing.T, r *oracle.Runtimes, i int) {
		m, err := tflite.Open(files[i])
		if err != nil {
			return // refused, as in its manifest
		}
		c.compare(t, r, m, filepath.Base(files[i]))
	})
	c.check(t, 350, 200)
	for name := range residue {
		if !c.residue[name] {
			t.Errorf("%s no longer belongs to the residue", name)
		}
	}
}

// A comparison counts the compared models.
type comparison struct {
	mu                   sync.Mutex
	runs, refused, stray int
	residue              map[string]bool
}

func (c *comparison) check(t *testing.T, runs, refused int) {
	t.Logf("%d models run, %d do not, %d failed for what no file tells", c.runs, c.refused, c.stray)
	if !t.Failed() && (c.runs < runs || c.refused < refused) {
		t.Errorf("fewer than %d and %d: the test says little", runs, refused)
	}
}

// heavy is the number of multiply-accumulates above which a model is allocated but not run,
// because that takes the reference kernels minutes.
const heavy = 5e8

func (c *comparison) compare(t *testing.T, r *oracle.Runtimes, m *tflite.Model, name string) {
	request := oracle.Request{
		Runtime: "tflm", Model: m.Name, Arena: 1 << 24, Seed: 1, Invokes: 1,
		Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs),
	}
	if large(m) {
		request.Arena = 1 << 29
	}
	if op.RunMACs(m, 0) > heavy {
		request.Invokes = 0
	}
	says := refused(m)
	if slices.ContainsFunc(m.OperatorCodes, func(c tflite.OperatorCode) bool { return c.Custom == "ethos-u" }) {
		says = append(says, rules.Fault{Phase: rules.NoKernel}) // the wheel is built without the driver
	}
	if request.Invokes == 0 {
		says = slices.DeleteFunc(says, func(f rules.Fault) bool { return f.Phase == rules.Eval })
	}
	answer := r.Run(t, request)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch failed := answer.Error != ""; {
	case failed == (len(says) > 0):
		if !failed {
			c.runs++
			return
		}
		c.refused++
		atRun := strings.HasPrefix(answer.Error, "invoke: ")
		crashed := strings.Contains(answer.Error, "crashed")
		if atRun != (says[0].Phase == rules.Eval) && !crashed && len(m.Subgraphs[0].Operators) == 1 {
			t.Errorf("%s: the runtime says %q, which is another stage than %v", name, answer.Error, says[0])
		}
	case failed && (residue[name] != "" || valueDependent(answer.Error)):
		c.stray++
		if c.residue == nil {
			c.residue = map[string]bool{}
		}
		c.residue[name] = true
	default:
		t.Errorf("%s: the runtime says %q, we say %v", name, answer.Error, says)
	}
}

// refused returns the reasons why the reference kernels reject a model, including missing
// kernels of an application, in order of occurrence.
func refused(m *tflite.Model) []rules.Fault {
	list := slices.DeleteFunc(rules.Micro().Faults(m), func(f rules.Fault) bool { return !f.Stops() && !f.Custom })
	order := []rules.Phase{rules.NoKernel, rules.Prepare, rules.Planning, rules.Eval}
	slices.SortStableFunc(list, func(a, b rules.Fault) int { return slices.Index(order, a.Phase) - slices.Index(order, b.Phase) })
	return list
}

// large reports whether a model's tensors may exceed the small arena.
func large(m *tflite.Model) bool {
	sum := int64(0)
	for i := range m.Subgraphs {
		for j := range m.Subgraphs[i].Tensors {
			if n, ok := m.Subgraphs[i].Tensors[j].PackedBytes(); ok && n < 1<<32 {
				sum += n
			}
		}
	}
	return sum > 1<<23
}

// valueDependent reports whether the runtime rejects a computed value.
func valueDependent(failure string) bool {
	for _, part := range []string{"out of bounds", "only defined for positive", "Division by 0"} {
		if strings.Contains(failure, part) {
			return true
		}
	}
	return false
}

// TestUnsupportedRandomOperators compares models of one operator with random types,
// quantisation, ranks, constants and operands.
func TestUnsupportedRandomOperators(t *testing.T) {
	const models = 400
	dir := t.TempDir()
	var c comparison
	oracle.Each(t, models, func(t *testing.T, r *oracle.Runtimes, i int) {
		model := drawOperator(rand.New(rand.NewSource(int64(i))))
		name := filepath.Join(dir, model.Description+".tflite")
		m, err := tflite.Parse(encode.Encode(model), name)
		if err != nil {
			return // such as a constant too short for its type
		}
		if err := os.WriteFile(name, m.Data, 0o600); err != nil {
			t.Error(err)
			return
		}
		c.compare(t, r, m, model.Description)
		os.Remove(name)
	})
	c.check(t, models/5, models/5)
}

// A prototype is a valid operator, to be spoilt.
type prototype struct {
	code    schema.BuiltinOperator
	in      []encode.Tensor // a Buffer of 1 is a constant of zeros
	out     []int32
	tag     schema.BuiltinOptions
	options func(*flatbuffers.Builder) flatbuffers.UOffsetT
}

func drawn(shape ...int32) encode.Tensor { return encode.Tensor{Shape: shape} }

func constantOf(kind schema.TensorType, shape ...int32) encode.Tensor {
	return encode.Tensor{Type: kind, Shape: shape, Buffer: 1}
}

func prototypes() []prototype {
	unary := []schema.BuiltinOperator{
		schema.BuiltinOperatorABS, schema.BuiltinOperatorCOS, schema.BuiltinOperatorSIN, schema.BuiltinOperatorSQUARE,
		schema.BuiltinOperatorLOGICAL_NOT, schema.BuiltinOperatorCEIL, schema.BuiltinOperatorROUND, schema.BuiltinOperatorEXP,
		schema.BuiltinOperatorFLOOR, schema.BuiltinOperatorNEG, schema.BuiltinOperatorRELU, schema.BuiltinOperatorELU,
		schema.BuiltinOperatorLOGISTIC, schema.BuiltinOperatorTANH, schema.BuiltinOperatorLOG_SOFTMAX, schema.BuiltinOperatorZEROS_LIKE,
		schema.BuiltinOperatorCAST, schema.BuiltinOperatorDEQUANTIZE, schema.BuiltinOperatorQUANTIZE, schema.BuiltinOperatorSOFTMAX,
		schema.BuiltinOperatorGELU, schema.BuiltinOperatorRESHAPE, schema.BuiltinOperatorSQUEEZE, schema.BuiltinOperatorL2_NORMALIZATION,
		schema.BuiltinOperatorHARD_SWISH, schema.BuiltinOperatorLEAKY_RELU,
	}
	binary := []schema.BuiltinOperator{
		schema.BuiltinOperatorADD, schema.BuiltinOperatorSUB, schema.BuiltinOperatorMUL, schema.BuiltinOperatorSQUARED_DIFFERENCE,
		schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM, schema.BuiltinOperatorEQUAL, schema.BuiltinOperatorLESS,
		schema.BuiltinOperatorGREATER, schema.BuiltinOperatorLOGICAL_AND, schema.BuiltinOperatorADD_N, schema.BuiltinOperatorPRELU,
		schema.BuiltinOperatorPOW, schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE,
	}
	int32s := schema.TensorTypeINT32
	list := []prototype{
		{schema.BuiltinOperatorCONV_2D, []encode.Tensor{drawn(1, 4, 4, 3), constantOf(0, 2, 1, 1, 3), constantOf(int32s, 2)}, []int32{1, 4, 4, 2}, schema.BuiltinOptionsConv2DOptions, convOptions},
		{schema.BuiltinOperatorDEPTHWISE_CONV_2D, []encode.Tensor{drawn(1, 4, 4, 2), constantOf(0, 1, 1, 1, 2)}, []int32{1, 4, 4, 2}, schema.BuiltinOptionsDepthwiseConv2DOptions, depthwiseOptions},
		{schema.BuiltinOperatorFULLY_CONNECTED, []encode.Tensor{drawn(2, 4), constantOf(0, 2, 4), constantOf(int32s, 2)}, []int32{2, 2}, 0, nil},
		{schema.BuiltinOperatorBATCH_MATMUL, []encode.Tensor{drawn(1, 2, 3), drawn(1, 3, 2)}, []int32{1, 2, 2}, 0, nil},
		{schema.BuiltinOperatorMEAN, []encode.Tensor{drawn(2, 4), constantOf(int32s, 1)}, []int32{4}, 0, nil},
		{schema.BuiltinOperatorREDUCE_MAX, []encode.Tensor{drawn(2, 4), constantOf(int32s, 1)}, []int32{4}, 0, nil},
		{schema.BuiltinOperatorPAD, []encode.Tensor{drawn(2, 4), constantOf(int32s, 2, 2)}, []int32{2, 4}, 0, nil},
		{schema.BuiltinOperatorTRANSPOSE, []encode.Tensor{drawn(4), constantOf(int32s, 1)}, []int32{4}, 0, nil},
		{schema.BuiltinOperatorCONCATENATION, []encode.Tensor{drawn(1, 4), drawn(1, 4)}, []int32{2, 4}, 0, nil},
		{schema.BuiltinOperatorGATHER, []encode.Tensor{drawn(3, 4), constantOf(int32s, 2)}, []int32{2, 4}, 0, nil},
		{schema.BuiltinOperatorSPLIT, []encode.Tensor{constantOf(int32s), drawn(2, 4)}, []int32{2, 4}, 0, nil},
		{schema.BuiltinOperatorEXPAND_DIMS, []encode.Tensor{drawn(2, 4), constantOf(int32s)}, []int32{1, 2, 4}, 0, nil},
		{schema.BuiltinOperatorARG_MAX, []encode.Tensor{drawn(2, 4), constantOf(int32s)}, []int32{4}, 0, nil},
		{schema.BuiltinOperatorSELECT_V2, []encode.Tensor{drawn(2, 4), drawn(2, 4), drawn(2, 4)}, []int32{2, 4}, 0, nil},
		{schema.BuiltinOperatorPACK, []encode.Tensor{drawn(2, 4)}, []int32{1, 2, 4}, 0, nil},
	}
	for _, code := range unary {
		list = append(list, prototype{code: code, in: []encode.Tensor{drawn(2, 4)}, out: []int32{2, 4}})
	}
	for _, code := range binary {
		list = append(list, prototype{code: code, in: []encode.Tensor{drawn(2, 4), drawn(2, 4)}, out: []int32{2, 4}})
	}
	return list
}

func convOptions(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	schema.Conv2DOptionsStart(b)
	schema.Conv2DOptionsAddStrideH(b, 1)
	schema.Conv2DOptionsAddStrideW(b, 1)
	return schema.Conv2DOptionsEnd(b)
}

func depthwiseOptions(b *flatbuffers.Builder) flatbuffers.UOffsetT {
	schema.DepthwiseConv2DOptionsStart(b)
	schema.DepthwiseConv2DOptionsAddStrideH(b, 1)
	schema.DepthwiseConv2DOptionsAddStrideW(b, 1)
	schema.DepthwiseConv2DOptionsAddDepthMultiplier(b, 1)
	return schema.DepthwiseConv2DOptionsEnd(b)
}

var drawnTypes = []schema.TensorType{
	schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeINT32,
	schema.TensorTypeUINT8, schema.TensorTypeINT64, schema.TensorTypeBOOL,
}

// drawOperator returns a model of one operator whose tensors mostly share one type, one or two
// of them spoilt.
func drawOperator(rng *rand.Rand) encode.Model {
	list := prototypes()
	p := list[rng.Intn(len(list))]
	most := drawnTypes[rng.Intn(3)]
	s := encode.Subgraph{}
	o := encode.Operator{Builtin: p.code, OptionsType: p.tag, Options: p.options}
	for i, t := range append(p.in, encode.Tensor{Shape: p.out}) {
		if t.Type == schema.TensorTypeFLOAT32 { // absent
			t.Type = most
			if most == schema.TensorTypeINT16 && t.Buffer == 1 && rng.Intn(2) == 0 {
				t.Type = schema.TensorTypeINT8 // weights of a 16x8 operator
			}
		}
		if t.Type == schema.TensorTypeINT8 || t.Type == schema.TensorTypeINT16 {
			t.Quantization = encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{0}}
		}
		s.Tensors = append(s.Tensors, t)
		if i < len(p.in) {
			o.Inputs = append(o.Inputs, i)
		}
	}
	out := len(p.in)
	for range rng.Intn(3) {
		spoil(rng, &s, &o)
	}
	for i := range p.in {
		if s.Tensors[i].Buffer == 0 {
			s.Inputs = append(s.Inputs, i)
		}
	}
	o.Outputs, s.Outputs = []int{out}, []int{out}
	s.Operators = []encode.Operator{o}
	return encode.Model{
		Description: p.code.String() + "-" + randomName(rng),
		Subgraphs:   []encode.Subgraph{s}, Buffers: []encode.Buffer{{Data: make([]byte, 256)}},
	}
}

func randomName(rng *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	name := make([]byte, 8)
	for i := range name {
		name[i] = letters[rng.Intn(len(letters))]
	}
	return string(name)
}

// spoil changes one thing about a model.
func spoil(rng *rand.Rand, s *encode.Subgraph, o *encode.Operator) {
	t := &s.Tensors[rng.Intn(len(s.Tensors))]
	switch rng.Intn(6) {
	case 0, 1:
		t.Type = drawnTypes[rng.Intn(len(drawnTypes))]
	case 2:
		t.Quantization = encode.Quantization{}
	case 3:
		t.Buffer = 0
	case 4:
		t.Quantization = encode.Quantization{Scales: []float32{0.25}, Zeros: []int64{int64(rng.Intn(3) - 1)}}
	case 5:
		if len(o.Inputs) == 1 {
			return
		}
		o.Inputs = o.Inputs[:len(o.Inputs)-1]
	}
}
