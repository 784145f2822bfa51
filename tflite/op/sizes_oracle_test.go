package op_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A lateGraph is a random model in which sizes depend on data: a detector of things in x.
type lateGraph struct {
	*shapeGraph
	*rand.Rand
	// rows are FLOAT32 tensors of two dimensions, of which the first may depend on data, and counts INT32 scalars.
	rows, counts []int
}

// newLateGraph draws a model.
func newLateGraph(r *rand.Rand) *lateGraph {
	g := &lateGraph{shapeGraph: newShapeGraph(int32(4+r.IntN(20)), int32(2+r.IntN(4))), Rand: r}
	g.rows, g.counts = []int{0}, []int{g.input(schema.TensorTypeINT32)}
	for range 3 + r.IntN(8) {
		g.step()
	}
	return g
}

// some returns one of the rows, and its number of columns.
func (g *lateGraph) some() (v int, columns int32) {
	v = g.rows[g.IntN(len(g.rows))]
	return v, g.sub.Tensors[v].Shape[1]
}

// keep adds rows with a number of columns.
func (g *lateGraph) keep(code schema.BuiltinOperator, tag schema.BuiltinOptions, options []any, columns int32, inputs ...int) {
	g.rows = append(g.rows, g.add(code, tag, options, 1, floats(1, columns), inputs...))
}

// count returns a number of at most limit.
func (g *lateGraph) count(limit int32) int {
	return g.minimum(g.counts[g.IntN(len(g.counts))], g.scalar(limit))
}

// step adds rows or a count.
func (g *lateGraph) step() {
	v, n := g.some()
	switch g.IntN(15) {
	case 0: // the elements that are positive, as a column
		found := g.add(schema.BuiltinOperatorGATHER_ND, 0, nil, 1, floats(1), v, g.where(v))
		g.keep(schema.BuiltinOperatorRESHAPE, 0, nil, 1, found, g.numbers(-1, 1))
	case 1: // some rows
		first := g.add(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(1), int32(1), int32(0), int32(0), int32(2)}, 1, floats(1), v,
			g.numbers(0, 0), g.numbers(0, 1), g.numbers(1, 1))
		index := g.where(first)
		which := g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, typed(schema.TensorTypeINT64, 1), index, g.numbers(-1))
		g.keep(schema.BuiltinOperatorGATHER, schema.BuiltinOptionsGatherOptions, []any{int32(0)}, n, v, which)
	case 2:
		g.keep(schema.BuiltinOperatorNEG, 0, nil, n, v)
	case 3:
		g.keep(schema.BuiltinOperatorPAD, 0, nil, n+1, v, func() int {
			k := g.numbers(1, 2, 0, 1)
			g.sub.Tensors[k].Shape = []int32{2, 2}
			return k
		}())
	case 4:
		k := g.numbers(2, 1)
		g.keep(schema.BuiltinOperatorTILE, 0, nil, n, v, k)
	case 5:
		g.keep(schema.BuiltinOperatorRESHAPE, 0, nil, 1, v, g.numbers(-1, 1))
	case 6:
		g.keep(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(2), int32(3)}, n, v, g.numbers(-9, 0), g.numbers(0, 0), g.numbers(2, 1))
	case 7: // the first rows, of which there may be fewer
		end := g.pack(g.count(int32(1+g.IntN(9))), g.scalar(0))
		g.keep(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(3), int32(2)}, n, v, g.numbers(0, 0), end, g.numbers(1, 1))
	case 8: // a row for each of some numbers
		count := g.count(int32(1 + g.IntN(30)))
		g.keep(schema.BuiltinOperatorFILL, 0, nil, 3, g.pack(count, g.scalar(3)), func() int {
			k := g.tensor(schema.TensorTypeFLOAT32, []int32{})
			g.buffers = append(g.buffers, encode.Buffer{Data: make([]byte, 4)})
			g.sub.Tensors[k].Buffer = len(g.buffers)
			return k
		}())
	case 9: // how many rows there are
		shape := g.add(schema.BuiltinOperatorSHAPE, schema.BuiltinOptionsShapeOptions, []any{schema.TensorTypeINT32}, 1, vector(2), v)
		g.counts = append(g.counts, g.element(shape, 0))
	case 10: // arithmetic
		a, b := g.counts[g.IntN(len(g.counts))], g.scalar(int32(1+g.IntN(3)))
		code := []schema.BuiltinOperator{schema.BuiltinOperatorADD, schema.BuiltinOperatorMUL, schema.BuiltinOperatorFLOOR_DIV, schema.BuiltinOperatorMAXIMUM}[g.IntN(4)]
		tag := map[schema.BuiltinOperator]schema.BuiltinOptions{schema.BuiltinOperatorADD: schema.BuiltinOptionsAddOptions, schema.BuiltinOperatorMUL: schema.BuiltinOptionsMulOptions}[code]
		g.counts = append(g.counts, g.add(code, tag, nil, 1, typed(schema.TensorTypeINT32), a, b))
	case 11: // the largest elements of each row
		best := g.add(schema.BuiltinOperatorTOPK_V2, 0, nil, 2, floats(1, 1), v, g.count(n))
		g.sub.Tensors[best+1].Type = schema.TensorTypeINT32
		g.keep(schema.BuiltinOperatorRESHAPE, 0, nil, 1, best, g.numbers(-1, 1))
	case 12: // fixed again
		mean := g.add(schema.BuiltinOperatorSUM, schema.BuiltinOptionsReducerOptions, []any{true}, 1, floats(1, n), v, g.numbers(0))
		g.rows = append(g.rows, mean)
	case 13:
		w, m := g.some()
		if m == n {
			g.keep(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions, []any{int32(0)}, n, v, w)
		}
	case 14: // boxes without those that overlap others
		boxes, scores := g.tensor(schema.TensorTypeFLOAT32, []int32{8, 4}), g.tensor(schema.TensorTypeFLOAT32, []int32{8})
		g.sub.Inputs = append(g.sub.Inputs, boxes, scores)
		half, none := g.input(schema.TensorTypeFLOAT32), g.input(schema.TensorTypeFLOAT32)
		left := g.add(schema.BuiltinOperatorNON_MAX_SUPPRESSION_V4, 0, nil, 2, vector(1), boxes, scores, g.count(int32(1+g.IntN(20))), half, none)
		long := g.add(schema.BuiltinOperatorCAST, schema.BuiltinOptionsCastOptions, []any{schema.TensorTypeINT32, schema.TensorTypeFLOAT32}, 1, floats(1), left)
		g.sub.Tensors[left+1].Shape = []int32{}
		g.keep(schema.BuiltinOperatorRESHAPE, 0, nil, 1, long, g.numbers(-1, 1))
		g.counts = append(g.counts, left+1)
	}
}

// model returns a model with all rows and counts as outputs.
func (g *lateGraph) data() []byte {
	s := g.sub
	for _, o := range s.Operators {
		s.Outputs = append(s.Outputs, o.Outputs...)
	}
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: g.buffers})
}

// TestSizesInLiteRT runs random detectors on random inputs: no tensor is larger than its largest size,
// fixed ones have exactly theirs, and what is late has no memory before the run. Then it runs what comes
// after an operator that ends a phase by itself: with the shapes that this operator made, LiteRT has memory
// for all tensors of the phase, so the sizes are known.
func TestSizesInLiteRT(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	path := filepath.Join(t.TempDir(), "m.tflite")
	ran, late, reached, phases := 0, 0, 0, 0
	for seed := range uint64(250) {
		g := newLateGraph(rand.New(rand.NewPCG(seed, 3)))
		data := g.data()
		m, err := tflite.Parse(data, "late")
		if err != nil {
			t.Fatal(err)
		}
		sizes, err := op.SizesOf(m, 0)
		if err != nil || !sizes.Late() {
			if err != nil {
				t.Logf("seed %d: %v", seed, err)
			}
			continue
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for run := range int64(3) {
			answer := runtimes.Run(t, oracle.Request{Runtime: "litert-shapes", Model: path, Seed: 1 + run, Invokes: 1})
			if answer.Error != "" {
				t.Logf("seed %d: LiteRT: %s", seed, answer.Error)
				continue
			}
			ran++
			for _, o := range m.Subgraphs[0].Operators {
				for _, k := range o.Outputs {
					largest, got := &sizes.Largest.Subgraphs[0].Tensors[k], &tflite.Tensor{Shape: answer.Shapes[k]}
					limit, _ := largest.Elements()
					elements, _ := got.Elements()
					switch {
					case sizes.After[k] == op.Fixed && elements != limit:
						t.Errorf("seed %d: tensor %d of %s %d has the shape %v, want %v", seed, k, o.Name, o.Index, got.Shape, largest.Shape)
					case elements > limit:
						t.Errorf("seed %d: tensor %d of %s %d has the shape %v, more than %v", seed, k, o.Name, o.Index, got.Shape, largest.Shape)
					case sizes.After[k] == op.Fixed:
						continue
					case !slices.Contains(answer.Dynamic, k) && o.Name != "RESHAPE": // which has its input's memory
						t.Errorf("seed %d: tensor %d of %s %d has memory before the run", seed, k, o.Name, o.Index)
					}
					if late++; elements == limit {
						reached++
					}
				}
			}
			if run == 0 {
				phases += g.checkPhases(t, runtimes, path+"2", sizes, answer.Shapes, seed)
			}
		}
	}
	if t.Logf("%d runs, %d late sizes, of which %d are the largest; %d operators in later phases", ran, late, reached, phases); ran < 300 || late < 1000 || reached < 200 || phases < 200 {
		t.Error("too few to trust")
	}
}

// checkPhases runs the operators of each phase after the first alone, on tensors of the shapes that the run
// had, and returns their number.
func (g *lateGraph) checkPhases(t *testing.T, runtimes *oracle.Runtimes, path string, sizes *op.Sizes, shapes [][]int32, seed uint64) (count int) {
	t.Helper()
	ends := func(o encode.Operator, i int) bool {
		return slices.ContainsFunc(o.Outputs, func(k int) bool { return sizes.After[k] == i })
	}
	for from := 0; from < len(g.sub.Operators); from++ {
		if !ends(g.sub.Operators[from], from) {
			continue
		}
		s := g.sub
		s.Tensors, s.Inputs, s.Operators = slices.Clone(s.Tensors), nil, nil
		made := map[int]bool{}
		for i := from + 1; i < len(g.sub.Operators) && !ends(g.sub.Operators[i], i); i++ {
			o := g.sub.Operators[i]
			if slices.ContainsFunc(o.Inputs, func(k int) bool { // a dimension without elements, or a parameter that LiteRT computes
				return !made[k] && slices.Contains(shapes[k], 0) || s.Tensors[k].Buffer == 0 && s.Tensors[k].Type == schema.TensorTypeINT32
			}) {
				break
			}
			for _, k := range o.Inputs {
				if !made[k] && s.Tensors[k].Buffer == 0 && !slices.Contains(s.Inputs, k) {
					s.Inputs = append(s.Inputs, k)
					s.Tensors[k].Shape = shapes[k]
				}
			}
			for _, k := range o.Outputs {
				made[k] = true
				s.Outputs = append(s.Outputs, k)
			}
			s.Operators = append(s.Operators, o)
		}
		if len(s.Operators) == 0 || len(s.Inputs) == 0 {
			continue
		}
		if err := os.WriteFile(path, encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}, Buffers: g.buffers}), 0o600); err != nil {
			t.Fatal(err)
		}
		answer := runtimes.Run(t, oracle.Request{Runtime: "litert-shapes", Model: path})
		if answer.Error != "" {
			t.Logf("seed %d: LiteRT: %s", seed, answer.Error)
			continue
		}
		for k := range made {
			if count++; !slices.Equal(answer.Shapes[k], shapes[k]) || slices.Contains(answer.Dynamic, k) {
				t.Errorf("seed %d: tensor %d has the shape %v after operator %d and %v at the end", seed, k, answer.Shapes[k], from, shapes[k])
			}
		}
	}
	return count
}
