package split_test

import (
	"errors"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// runAll runs operators on a value for each tensor that is given.
func runAll(m *tflite.Model, zeros []float64, added []edit.Tensor, list []edit.Operator, given map[int]array) (in *interpreter, err error) {
	in = &interpreter{model: m, sub: &m.Subgraphs[0], added: added, values: map[int]array{}}
	in.zero = func(t int) float64 {
		if t < 0 {
			return 0
		}
		return zeros[t]
	}
	for i, v := range given {
		in.values[i] = v
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case fault:
			err = r.error
		default:
			panic(r)
		}
	}()
	for _, o := range list {
		in.run(o)
	}
	return in, nil
}

func keepAll(m *tflite.Model) []edit.Operator {
	var list []edit.Operator
	for i := range m.Subgraphs[0].Operators {
		list = append(list, edit.Operator{Kind: edit.Keep, Of: i})
	}
	return list
}

func randomInput(t *rapid.T, m *tflite.Model) map[int]array {
	i := m.Subgraphs[0].Inputs[0]
	v := newArray(m.Subgraphs[0].Tensors[i].Shape)
	seed := rapid.Uint32().Draw(t, "seed")
	for k := range v.data {
		seed = seed*1664525 + 1013904223
		v.data[k] = float64(int8(seed >> 24))
	}
	return map[int]array{i: v}
}

// whole is the network with the stage replaced by the fragment.
func whole(m *tflite.Model, s split.Stage, f *split.Fragment) []edit.Operator {
	list := keepAll(m)
	return append(append(slices.Clone(list[:s.First]), f.Operators...), list[s.Last+1:]...)
}

// A network in pieces gives the same output as the network, bit by bit.
func TestPieces(t *testing.T) { manyCuts(t, checkPieces) }

// cuttings are stages of random networks, and why some could not be cut.
type cuttings struct {
	cut     int
	refused map[string]int
	// widened counts those in which filters got zeros.
	widened int
}

// manyCuts runs a check on random networks.
func manyCuts(t *testing.T, check func(*rapid.T, *cuttings)) {
	t.Helper()
	c := &cuttings{refused: map[string]int{}}
	times := 20 // of 100 networks
	switch {
	case testing.Short():
		times = 5
	case *networks >= 1000:
		times = 200
	}
	for range times {
		rapid.Check(t, func(t *rapid.T) { check(t, c) })
	}
	t.Logf("%d cut, %d with wider filters, refused: %v", c.cut, c.widened, c.refused)
	if c.cut == 0 {
		t.Error("nothing was ever cut")
	}
}

// run interprets a network whole and with a stage in pieces, and compares the outputs; it
// returns nil where the stage cannot be cut.
func (c *cuttings) run(t *rapid.T, m *tflite.Model, zeros []float64, s split.Stage) (f *split.Fragment, want, got *interpreter) {
	f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
	if e := new(split.UncuttableError); errors.As(err, &e) {
		c.refused[e.Reason]++
		return nil, nil, nil
	} else if err != nil {
		t.Fatal(err)
	}
	c.cut++
	if slices.ContainsFunc(f.Tensors, func(t edit.Tensor) bool { return t.Quantisation != nil }) {
		c.widened++
	}
	given := randomInput(t, m)
	if want, err = runAll(m, zeros, nil, keepAll(m), given); err != nil {
		t.Fatalf("the network itself: %v", err)
	}
	if got, err = runAll(m, zeros, f.Tensors, whole(m, s, f), given); err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	compare(t, m, want, got)
	return f, want, got
}

func checkPieces(t *rapid.T, c *cuttings) {
	m, zeros := randomNetwork(t)
	c.check(t, m, zeros, randomStage(t, m))
}

// check compares a stage in pieces with the whole: the outputs, the work, and what is said of both.
func (c *cuttings) check(t *rapid.T, m *tflite.Model, zeros []float64, s split.Stage) {
	t.Helper()
	f, want, got := c.run(t, m, zeros, s)
	if f == nil {
		return
	}
	if f.MACs-f.OwnMACs != got.macs-want.macs {
		t.Fatalf("%d more multiply-accumulates were counted, there are %d", f.MACs-f.OwnMACs, got.macs-want.macs)
	}
	if s.Mode == split.Keep && !s.Carry && f.MACs > f.OwnMACs && !scatters(m) {
		t.Fatalf("%d multiply-accumulates instead of %d", f.MACs, f.OwnMACs)
	}
	if s.Carry && slices.ContainsFunc(f.Operators, func(o edit.Operator) bool { return o.Kind == edit.Pad }) {
		t.Fatal("padding was carried, and yet there is PAD")
	}
	checkShares(t, m, f, got)
	checkGrowth(t, m, s, f)
}

// scatters says whether a network has TRANSPOSE_CONV, which computes again what it adds to
// rows of the next strip.
func scatters(m *tflite.Model) bool {
	return slices.ContainsFunc(m.Subgraphs[0].Operators, func(o tflite.Operator) bool { return o.Name == "TRANSPOSE_CONV" })
}

func compare(t *rapid.T, m *tflite.Model, want, got *interpreter) {
	t.Helper()
	for _, o := range m.Subgraphs[0].Outputs {
		if a, b := want.values[o], got.values[o]; !slices.Equal(a.data, b.data) {
			t.Fatalf("output %d differs:\n%v\n%v", o, a, b)
		}
	}
}

// checkShares compares the elements of parts with those of the tensors they lie in.
func checkShares(t *rapid.T, m *tflite.Model, f *split.Fragment, in *interpreter) {
	t.Helper()
	for _, s := range f.Shares {
		part, whole := in.values[s.Part], in.values[s.Whole]
		from := s.From / int64(tflite.ElementBits(in.kind(s.Whole))/8)
		if !slices.Equal(part.data, whole.data[from:from+int64(len(part.data))]) {
			t.Fatalf("%+v does not hold", s)
		}
		o := f.Operators[s.Operator]
		if list := append(slices.Clone(o.Inputs), o.Outputs...); !slices.Contains(list, s.Part) || !slices.Contains(list, s.Whole) {
			t.Fatalf("%+v is not about operator %+v", s, o)
		}
	}
}

// keepToo tells Keep from Recompute.
const keepToo = 1

func randomStage(t *rapid.T, m *tflite.Model) split.Stage {
	n := len(m.Subgraphs[0].Operators)
	s := split.Stage{Last: n - 1, Rows: 1, Columns: 1}
	if rapid.IntRange(0, 3).Draw(t, "part") == 0 {
		s.First = rapid.IntRange(0, n-1).Draw(t, "first")
		s.Last = rapid.IntRange(s.First, n-1).Draw(t, "last")
	}
	shape := m.Subgraphs[0].Tensors[m.Subgraphs[0].Operators[s.Last].Outputs[0]].Shape
	s.Rows = rapid.IntRange(1, int(shape[1])).Draw(t, "rows")
	if rapid.IntRange(0, keepToo).Draw(t, "mode") == 1 {
		s.Mode = split.Keep
	} else {
		s.Columns = rapid.IntRange(1, int(shape[2])).Draw(t, "columns")
	}
	s.Carry = rapid.Bool().Draw(t, "carry")
	s.Widen = s.Carry && rapid.Bool().Draw(t, "widen")
	s.Lean = rapid.IntRange(-min(4, int(shape[1])), min(4, int(shape[1]))).Draw(t, "lean")
	return s
}
