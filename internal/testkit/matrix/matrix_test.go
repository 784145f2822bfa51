// Package matrix holds the test that prints what each package knows about each operator of
// the format, so that gaps are easy to see.
package matrix

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/maps"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

const legend = `What is known of each operator: "-" is nothing, and "?" not known.

shape     a formula for the shapes of the outputs            (tflite/op)
macs      multiply-accumulates are counted                   (tflite/op)
reads     how an input is read, "whole" where all is safe    (tflite/op)
arity     inputs of element-wise operators, "n" for any      (tflite/op)
effects   it does more than its tensors show                 (tflite/op)
params    inputs that are parameters                         (tflite/op)
scratch   the kernel may ask for scratch                     (lifetime/rules)
tail      persistent bytes, on 32 bits, a convolution's for 16 channels
takeover  how the output may share an input's memory         (lifetime/rules)
overlap   how the output may overlap an input as it is read  (lifetime/rules)
cut       along rows and columns, along channels             (rewrite/split)

`

const row = "%-34s %-6s %-5s %-8s %-6s %-8s %-7s %-8s %-5s %-9s %-9s %s\n"

// TestMatrix prints one line an operator.
func TestMatrix(t *testing.T) {
	var b strings.Builder
	b.WriteString(legend)
	fmt.Fprintf(&b, row, "operator", "shape", "macs", "reads", "arity", "effects", "params", "scratch", "tail", "takeover", "overlap", "cut")
	codes := maps.Keys(schema.EnumNamesBuiltinOperator)
	slices.Sort(codes)
	for _, code := range codes {
		b.WriteString(line(t, code))
	}
	golden.File(t, filepath.Join("testdata", "operators.golden"), []byte(b.String()))
}

func line(t *testing.T, code schema.BuiltinOperator) string {
	t.Helper()
	k := op.Of(code)
	shape, reads, scratch, tail := "?", string(k.Reads), "?", "?"
	if k.Shapes {
		shape = "yes"
	}
	if reads == "" {
		reads = "whole"
	}
	if hasKernel(t, code) {
		scratch = mark(asksScratch(t, code))
		tail = fmt.Sprint(rules.OperatorTail(code, 16, rules.DefaultDevice()))
	}
	return strings.TrimRight(fmt.Sprintf(row, code, shape, mark(k.MACs), reads, arity(k.Arity), mark(k.Effects), list(k.Parameters),
		scratch, tail, or(string(rules.SharingOf(code))), or(string(rules.WritingOf(code))), cuts(code)), " \n") + "\n"
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}

func or(word string) string {
	if word == "" {
		return "-"
	}
	return word
}

func arity(n int) string {
	switch n {
	case 0:
		return "-"
	case op.AnyNumber:
		return "n"
	}
	return fmt.Sprint(n)
}

func list(positions []int) string {
	return or(strings.Trim(strings.ReplaceAll(fmt.Sprint(positions), " ", ","), "[]"))
}

func cuts(code schema.BuiltinOperator) string {
	rows, channels := split.Kinds(code)
	var words []string
	if rows {
		words = append(words, "rows")
	}
	if channels {
		words = append(words, "channels")
	}
	return or(strings.Join(words, ", "))
}

// hasKernel reports whether TensorFlow Lite Micro has a kernel for operators of a kind.
func hasKernel(t *testing.T, code schema.BuiltinOperator) bool {
	return !slices.ContainsFunc(rules.Micro().Faults(crowd(t, code, schema.TensorTypeFLOAT32, schema.TensorTypeFLOAT32)), func(o rules.Fault) bool {
		return o.Operator == 0 && o.Phase == rules.NoKernel
	})
}

// asksScratch reports whether the kernel asks for scratch with tensors of any types.
func asksScratch(t *testing.T, code schema.BuiltinOperator) bool {
	for _, data := range []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeBOOL} {
		for _, weights := range []schema.TensorType{data, schema.TensorTypeINT8, schema.TensorTypeINT4} {
			if len(rules.DefaultDevice().Requests(crowd(t, code, data, weights))) > 0 {
				return true
			}
		}
	}
	return false
}

// crowd is a model of one operator with as many inputs as any has, of a type, the second one
// of another.
func crowd(t *testing.T, code schema.BuiltinOperator, data, weights schema.TensorType) *tflite.Model {
	t.Helper()
	const inputs = 24
	s := encode.Subgraph{Name: "main"}
	o := encode.Operator{Builtin: code}
	if code == schema.BuiltinOperatorCUSTOM {
		o.Custom = "unknown"
	}
	for i := range inputs + 1 {
		tensor := encode.Tensor{Name: fmt.Sprint("t", i), Type: data, Shape: []int32{4, 4, 4, 8}}
		if i == 1 {
			tensor.Type = weights
		}
		s.Tensors = append(s.Tensors, tensor)
		if i < inputs {
			o.Inputs, s.Inputs = append(o.Inputs, i), append(s.Inputs, i)
		}
	}
	o.Outputs, s.Outputs, s.Operators = []int{inputs}, []int{inputs}, []encode.Operator{o}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), code.String())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTablesAgree: the tables of packages about an operator do not contradict the operator.
func TestTablesAgree(t *testing.T) {
	for code := range schema.EnumNamesBuiltinOperator {
		k := op.Of(code)
		if rules.SharingOf(code) == rules.Computing && k.Arity == 0 {
			t.Errorf("%v shares memory as an element-wise operator, and is none", code)
		}
		if rules.WritingOf(code) != "" && (!k.Shapes || !hasKernel(t, code)) {
			t.Errorf("%v has outputs that overlap, and too little is known of it: %+v", code, k)
		}
		rows, channels := split.Kinds(code)
		if (rows || channels) && (!k.Shapes || k.Reads == "" || k.Effects) {
			t.Errorf("%v is cut, and too little is known of it: %+v", code, k)
		}
		if k.Arity != 0 && (k.Reads != op.Same || len(k.Parameters) > 0) {
			t.Errorf("%v is element-wise, and yet %+v", code, k)
		}
	}
}
