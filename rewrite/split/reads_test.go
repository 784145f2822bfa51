package split

import (
	"math/rand/v2"
	"os"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestPlansReadWhatOperatorsRead compares the parts of inputs that pieces get with what package
// op says of the operators, in all kinds that can be cut: pieces get at least that, and
// convolutions, pools and element-wise operators no more, but for what padding asks for.
func TestPlansReadWhatOperatorsRead(t *testing.T) {
	kinds, exact := map[string]int{}, 0
	for _, m := range cuttableModels(t) {
		d, err := newDescriber(m)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(len(m.Data)), 1))
		for i := range d.sub.Operators {
			o, err := d.describe(i)
			if err != nil {
				continue
			}
			kinds[o.Name]++
			for range 20 {
				asked := region{anySpan(r, o.size.h), anySpan(r, o.size.w)}
				if compareReads(t, d, o, asked) {
					exact++
				}
			}
		}
	}
	t.Logf("%d parts as small as they can be; operators: %v", exact, kinds)
	if len(kinds) < 13 || exact < 500 {
		t.Errorf("%d kinds of operators, %d parts as small as they can be", len(kinds), exact)
	}
}

// compareReads compares what a piece gets of each input, and reports whether it gets no more
// than what is read.
func compareReads(t *testing.T, d *describer, o *operator, asked region) (exact bool) {
	t.Helper()
	p := o.plan(asked, nil)
	if !p.out.covers(asked) {
		t.Fatalf("%s operator %d %s: %v comes out for %v", d.model.Name, o.Index, o.Name, p.out, asked)
	}
	regions := op.Regions(d.model, d.sub, o.Operator, 0)
	exact = true
	for k, position := range o.uses {
		got, r := p.ins[k], regions[position]
		if w, ok := o.geometry.(window); ok && w.same && !p.direct {
			got = region{w.y.real(got.y), w.x.real(got.x)}
		}
		in := layoutOf(d.sub.Tensors[o.Inputs[position]].Shape)
		gets, reads := boxOf(in, got), r.Reads(boxOf(o.size, asked))
		for i, want := range reads {
			if !want.Empty() && (gets[i].From > want.From || gets[i].To < want.To) {
				t.Fatalf("%s operator %d %s: %v gets %v of input %d, and reads %v", d.model.Name, o.Index, o.Name, asked, gets, position, reads)
			}
		}
		exact = exact && slices.Equal(gets, reads)
		switch o.geometry.(type) {
		case pointwise, reshape:
			for i, want := range r.Reads(boxOf(o.size, p.out)) {
				if (i == in.y || i == in.x) && gets[i] != want {
					t.Fatalf("%s operator %d %s: %v gets %v of input %d, and %v depends on %v", d.model.Name, o.Index, o.Name, asked, gets, position, p.out, want)
				}
			}
		}
	}
	return exact
}

// boxOf returns a region of a tensor, along all dimensions.
func boxOf(l layout, r region) (box op.Box) {
	var lists pool[int32]
	begin, size := l.box(r, &lists)
	for i := range begin {
		box = append(box, op.Span{From: int64(begin[i]), To: int64(begin[i] + size[i])})
	}
	return box
}

func anySpan(r *rand.Rand, n int64) span {
	from := r.Int64N(n)
	return span{from, from + 1 + r.Int64N(n-from)}
}

// cuttableModels returns networks of all kinds of operators that can be cut, and small real ones
// where there are any.
func cuttableModels(t *testing.T) (list []*tflite.Model) {
	t.Helper()
	add := func(data []byte, name string) {
		m, err := tflite.Parse(data, name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	add(mutate.Network(schema.TensorTypeFLOAT32), "floats")
	add(mutate.Network(schema.TensorTypeINT8), "bytes")
	if corpus.Find() == "" {
		return list
	}
	for _, f := range corpus.Accepted(t) {
		if info, err := os.Stat(f.Path); err != nil || info.Size() > 8<<20 {
			continue
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := tflite.Parse(data, f.Name); err == nil && len(m.Subgraphs) > 0 {
			list = append(list, m)
		}
	}
	return list
}
