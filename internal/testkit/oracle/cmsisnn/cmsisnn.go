// Package cmsisnn returns the scratch sizes of CMSIS-NN's own functions, so that tests do not depend on
// our model of them.
//
// The functions come in a Python wheel, pinned in requirements.txt and driven by sizes.py;
// ".ci/oracles" installs it next to the runtimes of package oracle. They only return sizes: the wheel
// has no kernels.
package cmsisnn

import (
	"bytes"
	_ "embed"
	"fmt"
	"os/exec"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/oracle/venv"
)

//go:embed sizes.py
var program string

// A Type is the bit widths of the input and the weights.
type Type int

// Types with functions.
const (
	Int8  Type = iota // 8-bit inputs and weights
	Int4              // 8-bit inputs, 4-bit weights
	Int16             // 16-bit inputs, 8-bit weights
)

// A Core is a kind of processor. It is an index of [Sizes].
type Core int

// The kinds of processors.
const (
	MVE    Core = iota // with Helium
	DSP                // with the DSP extension
	Scalar             // without SIMD
)

// A Question is the operator of a function. Shapes are batch, height, width and channels; other pairs
// are height and width. Arguments that a function does not use are 0.
type Question struct {
	// Function is one of the functions of sizes.py.
	Function                  string
	Type                      Type
	Input, Filter, Output     [4]int
	Padding, Stride, Dilation [2]int
	// Multiplier is the number of output channels of a depthwise convolution per input channel.
	Multiplier int
}

// Sizes are the sizes in bytes for each [Core].
type Sizes [3]int64

// Ask returns the answers to questions, in order, from one process. Without the wheel it does as
// [venv.Require].
func Ask(t testing.TB, questions []Question) []Sizes {
	t.Helper()
	cmd := exec.Command(Require(t), "-c", program)
	var lines, stderr bytes.Buffer
	for _, q := range questions {
		q.write(&lines)
	}
	cmd.Stdin, cmd.Stderr = &lines, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("CMSIS-NN: %v\n%s", err, &stderr)
	}
	answers := make([]Sizes, len(questions))
	for i, r := 0, bytes.NewReader(out); i < len(answers); i++ {
		a := &answers[i]
		if _, err := fmt.Fscan(r, &a[MVE], &a[DSP], &a[Scalar]); err != nil {
			t.Fatalf("answer %d of %d: %v", i+1, len(answers), err)
		}
	}
	return answers
}

//go:embed load.py
var loader string

// Header declares the functions of CMSIS-NN that return sizes of scratch, with what they take; the wheel
// has no header.
//
//go:embed sizes.h
var Header []byte

// Run returns the output of main of a shared object, which may call the functions. Without the wheel it
// does as [venv.Require].
func Run(t testing.TB, object string) []byte {
	t.Helper()
	python := venv.Require(t, "the functions of CMSIS-NN are", loader)
	var stderr bytes.Buffer
	cmd := exec.Command(python, "-c", loader, object)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("CMSIS-NN: %v\n%s", err, &stderr)
	}
	return out
}

// Require returns the interpreter with the wheel. Without it, it does as [venv.Require].
func Require(t testing.TB) string {
	t.Helper()
	return venv.Require(t, "the functions of CMSIS-NN are", program)
}

// write writes a question for sizes.py.
func (q *Question) write(b *bytes.Buffer) {
	words := []any{q.Function, int(q.Type)}
	for _, shape := range [][4]int{q.Input, q.Filter, q.Output} {
		words = append(words, shape[0], shape[1], shape[2], shape[3])
	}
	for _, pair := range [][2]int{q.Padding, q.Stride, q.Dilation} {
		words = append(words, pair[0], pair[1])
	}
	fmt.Fprintln(b, append(words, q.Multiplier)...)
}
