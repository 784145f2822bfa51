package slim

import (
	"bytes"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// audit parses the new file and compares it with the model. It shares no code with the writer.
func audit(m *tflite.Model, data []byte) error {
	got, err := tflite.Parse(data, m.Name)
	if err != nil {
		return err
	}
	a := &auditor{old: m, new: got, compare: tflite.NewComparison(), buffers: map[[2]int]bool{}}
	for _, part := range []func() error{a.header, a.presence, a.subgraphs, a.signatures, a.names, a.rest, a.metadata, a.alignment, a.trailing} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// auditor compares two models.
type auditor struct {
	old, new *tflite.Model
	compare  *tflite.Comparison
	// buffers are the pairs of buffers that are equal.
	buffers map[[2]int]bool
	// place maps the tensors of each subgraph to those of the new model, and origin maps them
	// back.
	place, origin []map[int]int
}

func (a *auditor) header() error {
	if a.old.Identified != a.new.Identified || a.old.Version != a.new.Version || len(a.old.Subgraphs) != len(a.new.Subgraphs) {
		return fmt.Errorf("the header differs")
	}
	return nil
}

func (a *auditor) subgraphs() error {
	for s := range a.old.Subgraphs {
		a.place, a.origin = append(a.place, map[int]int{}), append(a.origin, map[int]int{})
		x, y := &a.old.Subgraphs[s], &a.new.Subgraphs[s]
		if !a.lists(s, x.Inputs, y.Inputs) || !a.lists(s, x.Outputs, y.Outputs) || len(x.Operators) != len(y.Operators) {
			return fmt.Errorf("subgraph %d differs", s)
		}
		for i := range x.Operators {
			if !a.operators(s, &x.Operators[i], &y.Operators[i]) {
				return fmt.Errorf("operator %d:%d differs", s, i)
			}
		}
	}
	return nil
}

func (a *auditor) operators(s int, x, y *tflite.Operator) bool {
	return a.old.OperatorCodes[x.Code] == a.new.OperatorCodes[y.Code] && slices.Equal(x.Subgraphs, y.Subgraphs) &&
		a.lists(s, x.Inputs, y.Inputs) && a.lists(s, x.Outputs, y.Outputs) && a.lists(s, x.Intermediates, y.Intermediates) &&
		a.compare.Operators(x, y)
}

// lists compares two lists of tensors.
func (a *auditor) lists(s int, x, y []int) bool {
	return slices.EqualFunc(x, y, func(t, u int) bool { return t < 0 && u < 0 || t >= 0 && u >= 0 && a.pair(s, t, u) })
}

// pair reports whether two tensors are equal, and paired with no others.
func (a *auditor) pair(s, t, u int) bool {
	if to, known := a.place[s][t]; known {
		return to == u
	}
	if _, known := a.origin[s][u]; known {
		return false
	}
	a.place[s][t], a.origin[s][u] = u, t
	return a.tensors(&a.old.Subgraphs[s].Tensors[t], &a.new.Subgraphs[s].Tensors[u])
}

func (a *auditor) tensors(x, y *tflite.Tensor) bool {
	return (y.Name == x.Name || y.Name == "") && x.Type == y.Type && slices.Equal(x.Shape, y.Shape) && slices.Equal(x.Signature, y.Signature) &&
		x.Constant == y.Constant && x.Variable == y.Variable && x.Sparse == y.Sparse && x.Producer == y.Producer &&
		slices.Equal(x.Consumers, y.Consumers) && x.Input == y.Input && x.Output == y.Output && x.Returned == y.Returned &&
		a.compare.Tensors(x, y) && a.sameBuffer(x.Buffer, y.Buffer)
}

// sameBuffer compares the data of two buffers. A buffer that is absent has no data.
func (a *auditor) sameBuffer(x, y int) bool {
	pair := [2]int{x, y}
	if !a.buffers[pair] {
		b, c := bufferAt(a.old, x), bufferAt(a.new, y)
		a.buffers[pair] = b.Present == c.Present && b.Outside == c.Outside && bytes.Equal(b.Data, c.Data)
	}
	return a.buffers[pair]
}

func bufferAt(m *tflite.Model, i int) tflite.Buffer {
	if i >= len(m.Buffers) {
		return tflite.Buffer{}
	}
	return m.Buffers[i]
}
