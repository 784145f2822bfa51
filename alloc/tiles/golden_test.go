package tiles_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/alloc/tiles/tilejson"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
)

// golden is the contents of tiles/taa-golden.json about the algorithms of the paper.
type golden struct {
	Chunks []struct {
		Name         string
		Sizes        []int64 `json:"sizes_in"`
		Strides      []int64 `json:"strides_bytes"`
		Element      int64   `json:"esize"`
		Count        int     `json:"chunk_count"`
		Span         int64
		Offsets      []int64
		SizesOut     []int64 `json:"sizes"`
		OffsetsFirst []int64 `json:"offsets_first"`
		OffsetsLast  int64   `json:"offsets_last"`
		SizeEach     int64   `json:"size_each"`
	} `json:"render_chunks"`
	Collisions []struct {
		Name    string
		Base1   int64 `json:"t1base"`
		Base2   int64 `json:"t2base"`
		Printed int64
		Span    int64
	} `json:"collision_size"`
	Allocate []struct {
		Name          string
		Placed, New   goldenTensor
		Address, Peak int64
	} `json:"tensor_allocate"`
}

type goldenTensor struct {
	Name     string
	Size     int64
	Lifetime [2]int
	Tiles    []struct {
		Offset, Size int64
		Lifetime     [2]int
	}
}

func readGolden(t *testing.T) (g golden) {
	t.Helper()
	if err := json.Unmarshal(shared(t, "taa-golden.json"), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func shared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "tiles", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestChunksOfThePaper(t *testing.T) {
	for _, c := range readGolden(t).Chunks {
		tile := tiles.Tile{Offset: make([]int64, len(c.Sizes)), Size: c.Sizes, Stride: c.Strides, Element: c.Element}
		got := tile.Chunks()
		if len(got) != c.Count || tile.Span() != c.Span {
			t.Errorf("%s: %d chunks with a span of %d, want %d and %d", c.Name, len(got), tile.Span(), c.Count, c.Span)
			continue
		}
		for k, a := range tile.Accesses(3, true) {
			if a != (lifetime.Access{Step: 3, Write: true, Lo: got[k].Lo, Hi: got[k].Hi}) {
				t.Errorf("%s, access %d: %v", c.Name, k, a)
			}
		}
		for k, g := range got {
			if c.Offsets != nil && (g.Lo != c.Offsets[k] || g.Hi-g.Lo != c.SizesOut[k]) {
				t.Errorf("%s, chunk %d: %v", c.Name, k, g)
			}
			if c.Offsets == nil && (g.Hi-g.Lo != c.SizeEach || k < len(c.OffsetsFirst) && g.Lo != c.OffsetsFirst[k]) {
				t.Errorf("%s, chunk %d: %v", c.Name, k, g)
			}
		}
		if last := got[len(got)-1].Lo; c.Offsets == nil && last != c.OffsetsLast {
			t.Errorf("%s: the last chunk is at %d, want %d", c.Name, last, c.OffsetsLast)
		}
	}
}

func TestCollisionSizeOfThePaper(t *testing.T) {
	tile := tiles.Tile{Offset: []int64{0, 0, 0}, Size: []int64{4, 64, 128}, Stride: []int64{16384, 128, 1}, Element: 1}
	for _, c := range readGolden(t).Collisions {
		if got := tiles.CollisionSize(tile, tile, c.Base1, c.Base2); got != c.Printed {
			t.Errorf("%s: %d, want %d", c.Name, got, c.Printed)
		}
	}
}

// tensor gives tiles lives: with simultaneous steps a tile that is written in the first step of
// its life and read in the last one lives for just that time.
func (g goldenTensor) tensor() lifetime.Tiled {
	var list []lifetime.Access
	for _, tile := range g.Tiles {
		hi := tile.Offset + tile.Size
		list = append(list, lifetime.Access{Step: tile.Lifetime[0], Write: true, Lo: tile.Offset, Hi: hi})
		if tile.Lifetime[1] > tile.Lifetime[0] {
			list = append(list, lifetime.Access{Step: tile.Lifetime[1], Lo: tile.Offset, Hi: hi})
		}
	}
	slices.SortStableFunc(list, func(a, b lifetime.Access) int { return a.Step - b.Step })
	return lifetime.Tiled{Name: g.Name, Size: g.Size, Accesses: list, Whole: &lifetime.Steps{First: g.Lifetime[0], Last: g.Lifetime[1]}}
}

func TestTensorAllocateOfThePaper(t *testing.T) {
	for _, c := range readGolden(t).Allocate {
		p := tiles.Problem{Tensors: []lifetime.Tiled{c.Placed.tensor(), c.New.tensor()}}
		plan, err := tiles.Solve(context.Background(), p, alloc.Options{Strategy: "tile-aware-by-size"})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		if plan.Offsets[0] != 0 || plan.Offsets[1] != c.Address || plan.Total != c.Peak {
			t.Errorf("%s: %v, %d bytes; want %d and %d", c.Name, plan.Offsets, plan.Total, c.Address, c.Peak)
		}
	}
}

// firstFit is [peak, offsets].
type firstFit struct {
	Peak    int64
	Offsets []int64
}

func (f *firstFit) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&f.Peak, &f.Offsets})
}

type results struct {
	Min, Bound int64
	WholeMin   int64    `json:"whole_min"`
	BySize     firstFit `json:"first_fit_size"`
	ByLength   firstFit `json:"first_fit_lifetime"`
	ByPeers    firstFit `json:"first_fit_peers"`
}

// each calls f for each case and semantics.
func each(t *testing.T, f func(t *testing.T, p tiles.Problem, want results)) {
	t.Helper()
	data := shared(t, "taa-cases.json")
	cases, err := tilejson.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	var answers struct {
		Cases []struct {
			Result map[lifetime.Semantics]results
		}
	}
	if err := json.Unmarshal(data, &answers); err != nil || len(answers.Cases) != 40 {
		t.Fatalf("%d cases: %v", len(answers.Cases), err)
	}
	for i, c := range cases {
		for _, s := range []lifetime.Semantics{lifetime.Atomic, lifetime.Simultaneous} {
			t.Run(c.Name+"/"+string(s), func(t *testing.T) {
				f(t, tiles.Problem{Tensors: c.Tensors, Semantics: s}, answers.Cases[i].Result[s])
			})
		}
	}
}

func TestExactOnAllCases(t *testing.T) {
	each(t, func(t *testing.T, p tiles.Problem, want results) {
		plan, err := tiles.Solve(t.Context(), p, alloc.Options{Strategy: alloc.Exact, SearchNodes: 1_000_000})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Total != want.Min || !plan.Optimal || plan.LowerBound != want.Min || plan.Interrupted {
			t.Errorf("%d bytes, optimal %v, bound %d; want %d", plan.Total, plan.Optimal, plan.LowerBound, want.Min)
		}
	})
}

func TestFirstFitOnAllCases(t *testing.T) {
	each(t, func(t *testing.T, p tiles.Problem, want results) {
		for name, w := range map[string]firstFit{
			"tile-aware-by-size": want.BySize, "tile-aware-by-length": want.ByLength, "tile-aware-by-peers": want.ByPeers,
		} {
			plan, err := tiles.Solve(context.Background(), p, alloc.Options{Strategy: name})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Total != w.Peak || !slices.Equal(plan.Offsets, w.Offsets) || plan.LowerBound != want.Bound {
				t.Errorf("%s: %d bytes, bound %d, %v; want %d, %d, %v", name, plan.Total, plan.LowerBound, plan.Offsets, w.Peak, want.Bound, w.Offsets)
			}
		}
		if want.WholeMin < min(want.BySize.Peak, want.ByLength.Peak, want.ByPeers.Peak) {
			t.Errorf("the best of three takes more than %d bytes, the least without tiles", want.WholeMin)
		}
	})
}
