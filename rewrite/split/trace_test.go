package split_test

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A trace is what the reference kernels do with the bytes of a model's tensors, in their order,
// written down as plainly as can be. It knows nothing of distances.
type trace struct {
	model   *tflite.Model
	sub     *tflite.Subgraph
	tensors []lifetime.Tiled
	record  map[int]int // of a tensor, none for constants
	step    int
	// pieces are copied by memcpy, which must not write over what it copies.
	pieces []piece
}

// A piece is a copy of so many bytes from a place of one record to a place of another one.
type piece struct {
	from, to     int
	at, into, by int64
}

// traceOf returns the trace of a model of one subgraph, whose operators are those of CNNs. The
// records behind the view's are scratch: their kernels use all of it at any time.
func traceOf(v *rules.View, records []lifetime.Record) (*trace, error) {
	t := &trace{model: v.Model, sub: &v.Model.Subgraphs[0], record: map[int]int{}, tensors: make([]lifetime.Tiled, len(records))}
	for i, r := range records {
		t.tensors[i].Size = r.Size
	}
	for i := range v.Records() {
		t.record[v.Usage.Places[i].Tensor] = i
	}
	scratch := func(operator int, write bool) {
		t.step++
		for i := len(v.Records()); i < len(records); i++ {
			if v.Usage.Steps[records[i].First].Operator == operator {
				t.access(i, write, 0, records[i].Size)
			}
		}
	}
	for _, i := range t.sub.Inputs {
		t.access(t.record[i], true, 0, t.featureMap(i).bytes())
	}
	for k := range t.sub.Operators {
		scratch(k, true)
		if err := t.operator(&t.sub.Operators[k]); err != nil {
			return nil, err
		}
		scratch(k, false)
	}
	t.step++
	for _, i := range t.sub.Outputs {
		t.access(t.record[i], false, 0, t.featureMap(i).bytes())
	}
	return t, nil
}

// access reads or writes bytes of a record in the step at hand.
func (t *trace) access(record int, write bool, lo, hi int64) {
	if hi > lo {
		t.tensors[record].Accesses = append(t.tensors[record].Accesses, lifetime.Access{Step: t.step, Write: write, Lo: lo, Hi: hi})
	}
}

// featureMap is a tensor of rank 4, or one that is repeated as if it were.
type featureMap struct {
	record int // -1 for a constant
	shape  [4]int64
	width  int64
}

func (t *trace) featureMap(tensor int) featureMap {
	p := featureMap{record: -1, shape: [4]int64{1, 1, 1, 1}, width: widths[t.sub.Tensors[tensor].Type]}
	if i, ok := t.record[tensor]; ok {
		p.record = i
	}
	shape := t.sub.Tensors[tensor].Shape
	for i, d := range shape {
		p.shape[4-len(shape)+i] = int64(d)
	}
	return p
}

var widths = map[schema.TensorType]int64{
	schema.TensorTypeFLOAT32: 4, schema.TensorTypeINT32: 4, schema.TensorTypeINT16: 2, schema.TensorTypeINT8: 1,
}

// at returns the place of an element in bytes; what there is one of is repeated.
func (p featureMap) at(i [4]int64) (place int64) {
	for axis, d := range p.shape {
		place = place*d + min(i[axis], d-1)
	}
	return place * p.width
}

func (p featureMap) bytes() int64 { return p.shape[0] * p.shape[1] * p.shape[2] * p.shape[3] * p.width }

// each calls f for all elements in order, with a step for each, and then writes the element.
func (t *trace) each(out featureMap, f func(i [4]int64)) {
	var i [4]int64
	for i[0] = range out.shape[0] {
		for i[1] = range out.shape[1] {
			for i[2] = range out.shape[2] {
				for i[3] = range out.shape[3] {
					t.step++
					f(i)
					t.access(out.record, true, out.at(i), out.at(i)+out.width)
				}
			}
		}
	}
}

// read reads n elements from one on, unless they are constant.
func (t *trace) read(p featureMap, i [4]int64, n int64) {
	if p.record >= 0 {
		t.access(p.record, false, p.at(i), p.at(i)+n*p.width)
	}
}

// wrongly returns the first piece that a plan lets be copied over itself.
func (t *trace) wrongly(offsets []int64) error {
	at := slices.IndexFunc(t.pieces, func(p piece) bool {
		by := offsets[p.to] + p.into - offsets[p.from] - p.at
		return by != 0 && -p.by < by && by < p.by
	})
	if at >= 0 {
		return fmt.Errorf("a piece is copied over itself: %+v", t.pieces[at])
	}
	return nil
}
