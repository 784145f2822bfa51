package tiling_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// window returns a model of one operator that has a window or enlarges: the on-chip size of its tile
// may decrease as the tile grows.
func window(t *testing.T, r *rand.Rand) *tflite.Model {
	t.Helper()
	between := func(low, high int) int32 { return int32(low + r.IntN(high-low+1)) }
	in := []int32{1, between(1, 14), between(1, 8), between(1, 6)}
	out := []int32{1, between(1, 14), between(1, 8), in[3]}
	o := encode.Operator{Inputs: []int{0, 1}, Outputs: []int{2}}
	tensors := []encode.Tensor{{Name: "in", Type: schema.TensorTypeINT8, Shape: in}, {}, {Name: "out", Type: schema.TensorTypeINT8, Shape: out}}
	if r.IntN(2) == 0 {
		o.Builtin, o.OptionsType = schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR, schema.BuiltinOptionsResizeNearestNeighborOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ResizeNearestNeighborOptionsStart(b)
			return schema.ResizeNearestNeighborOptionsEnd(b)
		}
		tensors[1] = encode.Tensor{Name: "size", Type: schema.TensorTypeINT32, Shape: []int32{2}, Buffer: 1}
	} else {
		strideH, strideW := between(1, 3), between(1, 3)
		out[1], out[2], out[3] = (in[1]+strideH-1)/strideH, (in[2]+strideW-1)/strideW, between(1, 6)
		o.Builtin, o.OptionsType = schema.BuiltinOperatorCONV_2D, schema.BuiltinOptionsConv2DOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.Conv2DOptionsStart(b)
			schema.Conv2DOptionsAddStrideH(b, strideH)
			schema.Conv2DOptionsAddStrideW(b, strideW)
			schema.Conv2DOptionsAddDilationHFactor(b, 1)
			schema.Conv2DOptionsAddDilationWFactor(b, 1)
			return schema.Conv2DOptionsEnd(b)
		}
		tensors[1] = encode.Tensor{Name: "weights", Type: schema.TensorTypeINT8, Shape: []int32{out[3], between(1, 11), between(1, 7), in[3]}, Buffer: 1}
	}
	size := int32(1)
	for _, d := range tensors[1].Shape {
		size *= d
	}
	data := make([]byte, 4*size)
	data[0], data[4%len(data)] = byte(out[1]), byte(out[2])
	if tensors[1].Type == schema.TensorTypeINT8 {
		data = make([]byte, size)
	}
	m, err := tflite.Parse(encode.Encode(encode.Model{
		Buffers:   []encode.Buffer{{Data: data}},
		Subgraphs: []encode.Subgraph{{Tensors: tensors, Inputs: []int{0}, Outputs: []int{2}, Operators: []encode.Operator{o}}},
	}), "window")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// need returns how many bytes tiles of a size need on chip, which are given one by one.
func need(t *testing.T, m *tflite.Model, sizes [4]int64) int64 {
	t.Helper()
	g := tiling.GivenTensor{Tensor: "0:2", Cut: tiling.Own}
	shape := m.Subgraphs[0].Tensors[2].Shape
	var at [4]int64
	for at[1] = 0; at[1] < int64(shape[1]); at[1] += sizes[1] {
		for at[2] = 0; at[2] < int64(shape[2]); at[2] += sizes[2] {
			for at[3] = 0; at[3] < int64(shape[3]); at[3] += sizes[3] {
				tile := tiling.GivenTile{Offset: append([]int64{}, at[:]...), Size: []int64{1, 0, 0, 0}}
				for axis := 1; axis < 4; axis++ {
					tile.Size[axis] = min(sizes[axis], int64(shape[axis])-at[axis])
				}
				g.Tiles = append(g.Tiles, tile)
			}
		}
	}
	s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 1 << 40, Given: &tiling.Given{Tensors: []tiling.GivenTensor{g}}})
	if err != nil {
		t.Fatal(err)
	}
	return s.Runs[0].OnChip
}

// TestLargestTile compares the tiles of New with all possible sizes: no larger one fits, and if none
// fits, the error has the least that does.
func TestLargestTile(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2))
	falls, channels, none := 0, 0, 0
	for n := range 150 {
		m := window(t, r)
		shape := m.Subgraphs[0].Tensors[2].Shape
		o, axis := tiling.Options{}, 1
		sizes := [4]int64{1, 1, int64(shape[2]), int64(shape[3])}
		if r.IntN(2) == 0 {
			o.Cut, axis, sizes[2] = tiling.Pixels, 2, 1
		}
		list := func(axis int) (needs []int64) {
			some := sizes
			for some[axis] = 1; some[axis] <= int64(shape[axis]); some[axis]++ {
				needs = append(needs, need(t, m, some))
			}
			return needs
		}
		along := list(axis)
		sizes[axis] = 1
		within := list(3)
		steps := func(axis, size int) int {
			some, count := sizes, 1
			some[axis] = int64(size)
			for k, d := range shape[1:] {
				count *= (int(d) + int(some[k+1]) - 1) / int(some[k+1])
			}
			return count
		}
		all := append(append([]int64{}, along...), within...)
		o.OnChip = max(all[r.IntN(len(all))]-int64(r.IntN(2)), 1)
		if k := falling(along); k > 0 && r.IntN(4) > 0 { // the on-chip size of the larger of two tiles, which is less
			o.OnChip = along[k]
			falls++
		}
		s, err := tiling.New(t.Context(), m, 0, o)
		want, least := 0, int64(math.MaxInt64)
		for k, bytes := range along {
			if least = min(least, bytes); bytes <= o.OnChip {
				want = k + 1
			}
		}
		cut, by := tiling.Rows, axis
		if want == 0 {
			channels++
			cut, by = tiling.Channels, 3
			for k, bytes := range within {
				if least = min(least, bytes); bytes <= o.OnChip {
					want = k + 1
				}
			}
		} else if axis == 2 {
			cut = tiling.Pixels
		}
		if want == 0 {
			none++
			if e := (*tiling.SizeError)(nil); !errors.As(err, &e) || e.Least != least {
				t.Errorf("model %d: %v, want a least size of %d", n, err, least)
			}
			continue
		}
		if err != nil {
			t.Errorf("model %d: %v, but tiles of %d %s fit", n, err, want, cut)
			continue
		}
		x := s.Runs[0]
		if x.LastStep != steps(by, want) || x.LastStep > 1 && (x.Tile != cut || x.Extent != int64(want)) {
			t.Errorf("model %d: %d tiles of %d %s, want %d of %d %s", n, x.LastStep, x.Extent, x.Tile, steps(by, want), want, cut)
		}
	}
	if falls == 0 || channels == 0 || none == 0 {
		t.Errorf("%d times a larger tile needs less, %d cut along channels, %d refused: the draws are too easy", falls, channels, none)
	}
}

// falling returns the first index of a number below its predecessor, or 0.
func falling(list []int64) int {
	for k := 1; k < len(list); k++ {
		if list[k] < list[k-1] {
			return k
		}
	}
	return 0
}
