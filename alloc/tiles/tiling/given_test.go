package tiling_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// mobilenet is MobileNet v1 with integers: operators 0 to 26 make 0:3, 0:6 and so on, of
// 1x112x112x32 at first.
func mobilenet(t *testing.T) *tflite.Model {
	t.Helper()
	return builtin.Model(t, "mobilenet-v1"+models.Int8)
}

func half(from, rows int64) tiling.GivenTile {
	return tiling.GivenTile{Offset: []int64{0, from, 0, 0}, Size: []int64{1, rows, 112, 32}}
}

func TestGiven(t *testing.T) {
	m := mobilenet(t)
	out := m.TensorID(0, m.Subgraphs[0].Operators[0].Outputs[0])
	g := &tiling.Given{
		Tensors:  []tiling.GivenTensor{{Tensor: out, Cut: tiling.Own, Tiles: []tiling.GivenTile{half(40, 72), half(0, 40)}}},
		Cascades: []tiling.GivenCascade{{First: 1, Last: 3, Rows: 5}, {First: 5, Last: 8}},
	}
	s, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 600 << 10, Given: g})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Runs[0]; r.Tile != tiling.Own || r.FirstStep != 1 || r.LastStep != 2 {
		t.Errorf("%+v", r)
	}
	if r := s.Runs[1]; r.First != 1 || r.Last != 3 || r.Extent != 5 || r.LastStep-r.FirstStep+1 != 12 || len(r.Between) != 2 {
		t.Errorf("%+v", r)
	}
	if r := s.Runs[3]; r.First != 5 || r.Last != 8 || r.OnChip > 600<<10 {
		t.Errorf("%+v", r)
	}
	write := slices.IndexFunc(s.Tensors[1].Accesses, func(a lifetime.Access) bool { return a.Write })
	if a := s.Tensors[1].Accesses[write]; a.Step != 1 || a.Lo != 40*112*32 || a.Hi != 112*112*32 {
		t.Errorf("the first tile is written so: %+v", a)
	}
}

// TestGivenErrors: each is about one thing, and names its place.
func TestGivenErrors(t *testing.T) {
	m := mobilenet(t)
	sub := &m.Subgraphs[0]
	id := func(operator int) string { return m.TensorID(0, sub.Operators[operator].Outputs[0]) }
	own := func(list ...tiling.GivenTile) tiling.Given {
		return tiling.Given{Tensors: []tiling.GivenTensor{{Tensor: id(0), Cut: tiling.Own, Tiles: list}}}
	}
	rows := func(tensor string, n int64) tiling.Given {
		return tiling.Given{Tensors: []tiling.GivenTensor{{Tensor: tensor, Cut: tiling.Rows, Most: n}}}
	}
	joined := func(list ...tiling.GivenCascade) tiling.Given { return tiling.Given{Cascades: list} }
	twice := rows(id(0), 1)
	twice.Tensors = append(twice.Tensors, twice.Tensors...)
	both := rows(id(2), 1)
	both.Cascades = []tiling.GivenCascade{{First: 1, Last: 3}}
	for want, g := range map[string]tiling.Given{
		"the model has no such tensor":                                        rows("0:999", 1),
		"no operator makes the tensor":                                        rows(m.TensorID(0, sub.Inputs[0]), 1),
		"0 rows are no tile":                                                  rows(id(0), 0),
		"there is an entry for this tensor":                                   twice,
		"operator 2 makes it, whose steps a cascade says":                     both,
		"tile 1: elements 100 to 113 of axis 1 are not all within the tensor": own(half(0, 100), half(100, 13)),
		"tile 1: it overlaps tile 0":                                          own(half(0, 57), half(56, 56)),
		"its tiles make 358400 of 401408 elements":                            own(half(0, 100)),
		"tile 0: it has 1 offsets":                                            own(tiling.GivenTile{Offset: []int64{0}, Size: []int64{1}}),
		"tile 0: elements -1 to":                                              own(half(-1, 10)),
		"operators 3 to 3 are not two or more":                                joined(tiling.GivenCascade{First: 3, Last: 3}),
		"operators 3 to 99 are not two or more":                               joined(tiling.GivenCascade{First: 3, Last: 99}),
		"cascades: entry 1: operators 5 to 6 are in entry 0 already":          joined(tiling.GivenCascade{First: 3, Last: 6}, tiling.GivenCascade{First: 5, Last: 9}),
		"-2 rows are no stripe":                                               joined(tiling.GivenCascade{First: 3, Last: 6, Rows: -2}),
	} {
		var e *tiling.Error
		if _, err := tiling.New(t.Context(), m, 0, tiling.Options{OnChip: 1 << 20, Given: &g}); !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := tiling.New(t.Context(), m, 1, tiling.Options{OnChip: 1 << 20}); err == nil || !strings.Contains(err.Error(), "there is no subgraph 1") {
		t.Error(err)
	}
}

// TestTooSmall: the error names the operator, and the least size that is enough for it.
func TestTooSmall(t *testing.T) {
	m := mobilenet(t)
	for text, o := range map[string]tiling.Options{
		// A row of one channel, 112 B, of three rows of the picture, 3*224*3 B, and the weights of
		// the channel, 27 B and 4 B.
		"one tile of operator 0 (CONV_2D) needs 2,159 B on chip, and there are 1,000 B": {OnChip: 1000},
		// A pixel of one channel.
		"one tile of operator 0 (CONV_2D) needs 59 B on chip, and there are 20 B": {OnChip: 20, Cut: tiling.Pixels},
		"one stripe of operators 1 to 3 needs":                                    {OnChip: 20_000, Given: &tiling.Given{Cascades: []tiling.GivenCascade{{First: 1, Last: 3}}}},
	} {
		var e *tiling.SizeError
		if _, err := tiling.New(t.Context(), m, 0, o); !errors.As(err, &e) || !strings.HasPrefix(err.Error(), text) {
			t.Errorf("%v, want %s", err, text)
		}
	}
}
