package tiling_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A meter is a context that ends once it has been asked so many times. Since each tile and each
// stripe asks once, it measures work without a clock.
type meter struct {
	context.Context
	asked, most int
}

func (m *meter) Err() error {
	if m.asked++; m.asked > m.most {
		return context.Canceled
	}
	return nil
}

// chain returns a model of consecutive RELUs of pictures of so many rows.
func chain(t testing.TB, operators, rows int32) *tflite.Model {
	t.Helper()
	var s encode.Subgraph
	for k := range operators + 1 {
		s.Tensors = append(s.Tensors, encode.Tensor{Name: fmt.Sprint(k), Type: schema.TensorTypeINT8, Shape: []int32{1, rows, 4, 1}})
	}
	for k := range int(operators) {
		s.Operators = append(s.Operators, encode.Operator{Builtin: schema.BuiltinOperatorRELU, Inputs: []int{k}, Outputs: []int{k + 1}})
	}
	s.Inputs, s.Outputs = []int{0}, []int{int(operators)}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), "chain")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestInterrupted: however late the context ends, New does hardly anything more, and returns the
// best that it has found. The later that is, the lower is the peak.
func TestInterrupted(t *testing.T) {
	const operators, rows = 24, 64
	m, o := chain(t, operators, rows), tiling.Options{OnChip: 300, Cascade: 64}
	all := &meter{Context: t.Context(), most: 1 << 30}
	whole, err := tiling.New(all, m, 0, o)
	if err != nil || whole.Interrupted {
		t.Fatalf("interrupted: %v (%v)", whole.Interrupted, err)
	}
	best, partial, none := int64(1)<<40, 0, 0
	for most := 0; most < all.asked; most += 1 + most/3 {
		c := &meter{Context: t.Context(), most: most}
		s, err := tiling.New(c, m, 0, o)
		if c.asked > most+10 { // a try for each of the halves that a stripe may be high
			t.Errorf("%d tiles and stripes after the context ended", c.asked-most)
		}
		if err != nil {
			if none++; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			continue
		}
		peak := slices.Max(s.Live(lifetime.Simultaneous))
		if !s.Interrupted || peak > best {
			t.Errorf("after %d: interrupted: %v, peak %d after %d", most, s.Interrupted, peak, best)
		}
		if best = peak; s.Runs[len(s.Runs)-1].Last != operators-1 {
			t.Errorf("after %d: %d runs, the last one ends with operator %d", most, len(s.Runs), s.Runs[len(s.Runs)-1].Last)
		}
		partial++
	}
	if partial == 0 || none == 0 || slices.Max(whole.Live(lifetime.Simultaneous)) > best {
		t.Errorf("%d interrupted, %d with nothing, peak %d", partial, none, best)
	}
}

// TestInterruptedGiven: given cascades are cut as a whole or not at all.
func TestInterruptedGiven(t *testing.T) {
	m := chain(t, 6, 64)
	o := tiling.Options{OnChip: 300, Given: &tiling.Given{Cascades: []tiling.GivenCascade{{First: 1, Last: 4}}}}
	all := &meter{Context: t.Context(), most: 1 << 30}
	if _, err := tiling.New(all, m, 0, o); err != nil {
		t.Fatal(err)
	}
	for most := range all.asked - 1 {
		c := &meter{Context: t.Context(), most: most}
		if s, err := tiling.New(c, m, 0, o); err == nil && s.Interrupted || err != nil && !errors.Is(err, context.Canceled) || c.asked > most+10 {
			t.Errorf("after %d of %d: %v, asked %d times", most, all.asked, err, c.asked)
		}
	}
}
