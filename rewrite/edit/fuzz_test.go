package edit

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/property"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzApply: an edit is applied or returns an error. The result loses nothing and has the
// requested operators; the input is not modified.
func FuzzApply(f *testing.F) {
	list := append(sample.Seeds(f), encode.Encode(sample.Fork()), sample.Twins())
	for _, c := range convFiles() {
		list = append(list, c.encode())
	}
	for _, source := range specials() {
		list = append(list, encode.Encode(source))
	}
	for _, h := range hostileRanges(f) {
		list = append(list, h.data)
	}
	list = append(list, encode.Encode(weighted(rand.New(rand.NewPCG(1, 0)), 640, 300, 64)))
	for i, data := range list {
		for k := range 4 {
			f.Add(data, uint64(4*i+k))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		before := bytes.Clone(data)
		m, err := tflite.Parse(data, "fuzz")
		if err != nil || len(m.Subgraphs) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 0))
		checkRandomEdit(t, m, r, rewrite.Options{Force: seed%2 == 1})
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
	})
}

// checkRandomEdit makes an edit at random, and checks it where it is not an error.
func checkRandomEdit(t sample.TB, m *tflite.Model, r *rand.Rand, o rewrite.Options) (made bool) {
	t.Helper()
	e := randomEdit(m, r)
	result, err := Apply(m, e.Edit, o)
	if err != nil {
		return false
	}
	if result.Method == rewrite.Unchanged {
		if !bytes.Equal(m.Data, result.Data) || !e.empty(m) {
			t.Fatal("unchanged, but it is another file, or should be")
		}
		return true
	}
	if patch.Carries(m) {
		gone, err := rewrite.Remove(m, o)
		if err != nil {
			t.Fatal(err)
		}
		m = modelfile.Parse(t, gone.Data)
		if result, err = Apply(m, e.Edit, o); err != nil {
			t.Fatal(err)
		}
	}
	checkApplied(t, m, &e.Edit, result)
	again, err := Apply(m, e.Edit, o)
	if err != nil || !bytes.Equal(again.Data, result.Data) {
		t.Fatalf("another file the second time: %v", err)
	}
	return true
}

// randomEdit returns an edit that is often right.
func randomEdit(m *tflite.Model, r *rand.Rand) *making {
	e := keepAll(m, r.IntN(len(m.Subgraphs)))
	if r.IntN(2) == 0 {
		e.copies(m, r, r.IntN(4))
	}
	if r.IntN(2) == 0 {
		e.retiring(m, r)
	}
	for range r.IntN(3) {
		e.randomTensor(m, r)
	}
	for range r.IntN(4) {
		e.randomChange(r)
	}
	return e
}

func (e *making) randomTensor(m *tflite.Model, r *rand.Rand) {
	t := Tensor{Name: "new", Like: r.IntN(len(e.sub.Tensors)+1) - 1, Type: schema.TensorType(r.IntN(21))}
	for range r.IntN(5) {
		t.Shape = append(t.Shape, int32(1+r.IntN(4)))
	}
	kind := t.Type
	if t.Like >= 0 {
		kind = e.sub.Tensors[t.Like].Type
	}
	switch r.IntN(6) {
	case 0:
		n, _ := (&tflite.Tensor{Type: kind, Shape: t.Shape}).PackedBytes()
		t.Data = make([]byte, n)
	case 1:
		t.Buffer = r.IntN(len(m.Buffers) + 1)
	case 2:
		t.Channels = &Range{r.IntN(2), 1 + r.IntN(4)}
	case 3:
		t.Shape = append(t.Shape, int32(r.IntN(3)-1))
	}
	e.tensor(t)
}

// randomChange changes the list of operators.
func (e *making) randomChange(r *rand.Rand) {
	n := len(e.Operators)
	tensors := len(e.sub.Tensors) + len(e.Tensors)
	some := func(most int) (list []int) {
		for range r.IntN(most + 1) {
			list = append(list, r.IntN(tensors+2)-1)
		}
		return list
	}
	switch r.IntN(5) {
	case 0:
		if n > 0 {
			i, j := r.IntN(n), r.IntN(n)
			e.Operators[i], e.Operators[j] = e.Operators[j], e.Operators[i]
		}
	case 1:
		if n > 0 {
			i := r.IntN(n)
			e.Operators = slices.Delete(e.Operators, i, i+1)
		}
	case 2:
		if n > 0 {
			op := &e.Operators[r.IntN(n)]
			if op.Kind == Keep && op.Of >= 0 && op.Of < len(e.sub.Operators) {
				op.Kind = Piece + Kind(r.IntN(3))
				op.Inputs, op.Outputs = e.sub.Operators[op.Of].Inputs, e.sub.Operators[op.Of].Outputs
			}
		}
	case 3:
		op := Operator{Kind: Kind(r.IntN(11) - 1), Of: r.IntN(n+2) - 1, Inputs: some(4), Outputs: some(2), Axis: r.IntN(5) - 2}
		e.Operators = slices.Insert(e.Operators, r.IntN(n+1), op)
	case 4:
		e.addRandom(r, tensors)
	}
}

// addable are the operators that an edit may add.
var addable = func() (list []schema.BuiltinOperator) {
	for code, b := range builtins {
		if b.added {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}()

// addRandom adds an operator that makes a tensor of its own.
func (e *making) addRandom(r *rand.Rand, tensors int) {
	if tensors == 0 {
		return
	}
	op := Operator{Kind: Pad + Kind(r.IntN(4)), Outputs: []int{e.tensor(Tensor{
		Name: "made", Like: -1, Shape: []int32{2}, Quantisation: &Quantisation{Scales: []float32{0.5}, Zeros: []int64{r.Int64N(3)}},
	})}}
	code := added[op.Kind]
	if r.IntN(2) == 0 {
		op.Kind, code = New, addable[r.IntN(len(addable))]
		op.Builtin = code
		for i := range builtins[code].spec {
			if r.IntN(2) == 0 {
				op.Options = append(op.Options, Option{i, r.Int64N(3)})
			}
		}
	}
	if code == schema.BuiltinOperatorRESHAPE {
		op.Shape = []int32{2}
	}
	for range builtins[code].least {
		op.Inputs = append(op.Inputs, r.IntN(tensors))
	}
	e.Operators = slices.Insert(e.Operators, r.IntN(len(e.Operators)+1), op)
}

// Edits at random of models at random are made right, or not at all.
func TestApplyLaws(t *testing.T) {
	made, tried := 0, 0
	property.Until(t, func() bool { return tried >= 100 }, func(t *rapid.T) {
		m := modelfile.Parse(t, sample.DrawReordered(t))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		tried++
		if checkRandomEdit(t, m, r, rewrite.Options{Force: rapid.Bool().Draw(t, "force")}) {
			made++
		}
	})
	if made*10 < tried {
		t.Errorf("%d edits of %d were made", made, tried)
	}
}
