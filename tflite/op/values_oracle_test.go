package op_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
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

// step makes a vector of n numbers from another one, in a random way, and returns it with its
// length.
func (g *shapeGraph) step(r *rand.Rand, v, n int) (int, int) {
	code := func(list ...schema.BuiltinOperator) schema.BuiltinOperator { return list[r.IntN(len(list))] }
	drawn := func(n, low, high int) (list []int32) {
		for range n {
			list = append(list, int32(low+r.IntN(high-low)))
		}
		return list
	}
	shaped := func(shape ...int32) encode.Tensor {
		return encode.Tensor{Type: schema.TensorTypeINT32, Shape: shape, HasRank: true}
	}
	reshaped := func(v int, shape ...int32) int {
		return g.add(schema.BuiltinOperatorRESHAPE, 0, nil, 1, shaped(shape...), v, g.numbers(shape...))
	}
	switch r.IntN(13) {
	case 0:
		from := r.IntN(n)
		return g.add(schema.BuiltinOperatorSLICE, schema.BuiltinOptionsSliceOptions, nil, 1, vector(n-from), v, g.numbers(int32(from)), g.numbers(-1)), n - from
	case 1: // every second one, backwards from the last
		end, m := int32(-n-1), (n+1)/2
		if r.IntN(2) == 0 {
			end, m = 0, n/2 // up to the first one, exclusive
		}
		if m == 0 {
			return v, n
		}
		return g.add(schema.BuiltinOperatorSTRIDED_SLICE, schema.BuiltinOptionsStridedSliceOptions, []any{int32(0)}, 1, vector(m), v, g.numbers(-1), g.numbers(end), g.numbers(-2)), m
	case 2:
		m := 1 + r.IntN(4)
		return g.add(schema.BuiltinOperatorGATHER, schema.BuiltinOptionsGatherOptions, []any{int32(0)}, 1, vector(m), v, g.numbers(drawn(m, 0, n)...)), m
	case 3:
		if n > 8 {
			return v, n
		}
		return g.add(schema.BuiltinOperatorCONCATENATION, schema.BuiltinOptionsConcatenationOptions, []any{int32(0)}, 1, vector(2*n+2), g.numbers(drawn(2, -3, 9)...), v, v), 2*n + 2
	case 4:
		tags := map[schema.BuiltinOperator]schema.BuiltinOptions{
			schema.BuiltinOperatorADD: schema.BuiltinOptionsAddOptions, schema.BuiltinOperatorSUB: schema.BuiltinOptionsSubOptions, schema.BuiltinOperatorMUL: schema.BuiltinOptionsMulOptions,
		}
		c := code(schema.BuiltinOperatorADD, schema.BuiltinOperatorSUB, schema.BuiltinOperatorMUL, schema.BuiltinOperatorMAXIMUM, schema.BuiltinOperatorMINIMUM)
		other := g.numbers(drawn([]int{1, n}[r.IntN(2)], -3, 9)...)
		if r.IntN(2) == 0 {
			v, other = other, v
		}
		return g.add(c, tags[c], nil, 1, vector(n), v, other), n
	case 5:
		c := code(schema.BuiltinOperatorFLOOR_DIV, schema.BuiltinOperatorFLOOR_MOD, schema.BuiltinOperatorDIV)
		tag := schema.BuiltinOptionsNONE
		if c == schema.BuiltinOperatorDIV {
			tag = schema.BuiltinOptionsDivOptions
		}
		by := int32(1 + r.IntN(4))
		return g.add(c, tag, nil, 1, vector(n), v, g.numbers([]int32{by, -by}[r.IntN(2)])), n
	case 6:
		return g.add(schema.BuiltinOperatorREVERSE_V2, 0, nil, 1, vector(n), v, g.numbers(0)), n
	case 7:
		if n%2 != 0 {
			return v, n
		}
		return g.add(schema.BuiltinOperatorSPLIT, schema.BuiltinOptionsSplitOptions, []any{int32(2)}, 2, vector(n/2), g.scalar(0), v) + r.IntN(2), n / 2
	case 8:
		first := g.add(schema.BuiltinOperatorUNPACK, schema.BuiltinOptionsUnpackOptions, []any{int32(n), int32(0)}, n, shaped(), v)
		m := 1 + r.IntN(3)
		var list []int
		for range m {
			list = append(list, first+r.IntN(n))
		}
		return g.pack(list...), m
	case 9:
		c := code(schema.BuiltinOperatorREDUCE_PROD, schema.BuiltinOperatorSUM, schema.BuiltinOperatorREDUCE_MAX, schema.BuiltinOperatorREDUCE_MIN)
		return g.add(c, schema.BuiltinOptionsReducerOptions, []any{true}, 1, vector(1), v, g.numbers(0)), 1
	case 10:
		if n%2 != 0 {
			return v, n
		}
		square := reshaped(v, 2, int32(n/2))
		return reshaped(g.add(schema.BuiltinOperatorTRANSPOSE, schema.BuiltinOptionsTransposeOptions, nil, 1, shaped(int32(n/2), 2), square, g.numbers(1, 0)), int32(n)), n
	case 11:
		if n > 8 {
			return v, n
		}
		row := g.add(schema.BuiltinOperatorEXPAND_DIMS, schema.BuiltinOptionsExpandDimsOptions, nil, 1, shaped(1, int32(n)), v, g.numbers(0))
		return reshaped(g.add(schema.BuiltinOperatorBROADCAST_TO, schema.BuiltinOptionsBroadcastToOptions, nil, 1, shaped(2, int32(n)), row, g.numbers(2, int32(n))), int32(2*n)), 2 * n
	}
	long := g.add(schema.BuiltinOperatorCAST, schema.BuiltinOptionsCastOptions, []any{schema.TensorTypeINT32, schema.TensorTypeINT64}, 1, encode.Tensor{Type: schema.TensorTypeINT64, Shape: []int32{int32(n)}, HasRank: true}, v)
	return g.add(schema.BuiltinOperatorCAST, schema.BuiltinOptionsCastOptions, []any{schema.TensorTypeINT64, schema.TensorTypeINT32}, 1, vector(n), long), n
}

// TestValuesInLiteRT computes values from the shape of an input in random ways: they equal
// those of a LiteRT run.
func TestValuesInLiteRT(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes := oracle.Start(t)
	path := filepath.Join(t.TempDir(), "m.tflite")
	compared := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := newShapeGraph(1, 4, 6, 2)
		v, n := g.shape(), 4
		for range 1 + r.IntN(6) {
			v, n = g.step(r, v, n)
		}
		if err := os.WriteFile(path, g.data(v), 0o600); err != nil {
			t.Fatal(err)
		}
		x := []int32{int32(1 + r.IntN(9)), int32(1 + r.IntN(9)), int32(1 + r.IntN(9)), int32(1 + r.IntN(9))}
		answer := runtimes.Run(t, oracle.Request{Runtime: "litert-shapes", Model: path, Shapes: [][]int32{x}, Invokes: 1})
		if answer.Error != "" {
			t.Errorf("seed %d: LiteRT: %s", seed, answer.Error)
			continue
		}
		list, ok := valuesOf(t, g.model(t, v), v, x)
		if !ok {
			if !large(t, g.model(t, v), x) {
				t.Errorf("seed %d: the numbers are not known", seed)
			}
			continue
		}
		var data []byte
		for _, number := range list {
			data = binary.LittleEndian.AppendUint32(data, uint32(number))
		}
		sum := sha256.Sum256(data)
		if compared++; len(answer.Outputs) != 1 || answer.Outputs[0][0] != hex.EncodeToString(sum[:]) {
			t.Errorf("seed %d: LiteRT has other numbers than %v for %v", seed, list, x)
		}
	}
	if t.Logf("%d programs", compared); compared < 250 {
		t.Errorf("only %d programs", compared)
	}
}

// large reports whether values may be unknown because a product exceeds INT32: some tensor has
// large values.
func large(t *testing.T, m *tflite.Model, x []int32) bool {
	for k := range m.Subgraphs[0].Tensors {
		list, ok := valuesOf(t, m, k, x)
		if ok && slices.ContainsFunc(list, func(n int64) bool { return n > 15 || n < -15 }) {
			return true
		}
	}
	return false
}

// valuesOf returns the known values of a tensor for another input shape.
func valuesOf(t *testing.T, m *tflite.Model, tensor int, x []int32) ([]int64, bool) {
	t.Helper()
	list, err := op.KnownNumbers(m, map[string][]int32{"x": x})
	if err != nil {
		t.Fatal(err)
	}
	numbers, ok := list[tensor]
	return numbers, ok
}
