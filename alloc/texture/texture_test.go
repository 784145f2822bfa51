package texture

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"testing"
)

var lives = [][2]int{{0, 1}, {1, 2}, {2, 4}, {3, 5}, {4, 5}, {5, 7}, {6, 8}, {7, 8}, {8, 9}}

// TestDelegate has the vectors of the delegate's own tests.
func TestDelegate(t *testing.T) {
	two := []Shape{{2, 8}, {2, 8}, {1, 12}, {2, 8}, {8, 2}, {2, 8}, {1, 8}, {2, 8}, {4, 1}}
	three := []Shape{{1, 2, 8}, {4, 3, 2}, {1, 1, 1}, {2, 4, 1}, {2, 2, 2}, {8, 1, 2}, {1, 2, 1}, {1, 1, 1}, {2, 2, 2}}
	four := []Shape{{1, 1, 2, 8}, {1, 1, 2, 8}, {1, 1, 1, 16}, {1, 1, 2, 8}, {1, 1, 8, 2}, {1, 1, 2, 8}, {1, 16, 1, 1}, {16, 1, 1, 1}, {1, 1, 1, 16}}
	for _, c := range []struct {
		shapes         []Shape
		strategy, want string
	}{
		{four, Equality, "[0 1 2 1 3 0 4 5 2] [[1 1 2 8] [1 1 2 8] [1 1 1 16] [1 1 8 2] [1 16 1 1] [16 1 1 1]]"},
		{two, Equality, "[0 1 2 0 3 1 4 0 5] [[2 8] [2 8] [1 12] [8 2] [1 8] [4 1]]"},
		{two, GreedyInOrder, "[0 1 2 0 3 1 2 0 3] [[2 8] [2 8] [1 12] [8 2]]"},
		{three, Equality, "[0 1 2 3 4 5 6 2 4] [[1 2 8] [4 3 2] [1 1 1] [2 4 1] [2 2 2] [8 1 2] [1 2 1]]"},
		{three, GreedyInOrder, "[0 1 0 2 1 3 2 0 1] [[1 2 8] [4 3 2] [2 4 1] [8 1 2]]"},
	} {
		records := make([]Record, len(lives))
		for i, l := range lives {
			records[i] = Record{First: l[0], Last: l[1], Shape: c.shapes[i]}
		}
		p, err := Solve(context.Background(), records, c.strategy)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(p.Objects, " ", p.Shapes); got != c.want {
			t.Errorf("%s: %s, want %s", c.strategy, got, c.want)
		}
	}
}

func draw(r *rand.Rand, n, dimensions int) []Record {
	var records []Record
	for range n {
		rec := Record{First: r.Intn(6)}
		rec.Last = rec.First + r.Intn(3)
		for range dimensions {
			rec.Shape = append(rec.Shape, 1+r.Int63n(6))
		}
		records = append(records, rec)
	}
	return records
}

// least tries every way to share.
func least(records []Record, at int, objects [][]int) int64 {
	if at == len(records) {
		var sum int64
		for _, held := range objects {
			shape := records[held[0]].Shape
			for _, k := range held {
				shape = shape.grown(records[k].Shape)
			}
			sum += shape.Elements()
		}
		return sum
	}
	best := least(records, at+1, append(objects[:len(objects):len(objects)], []int{at}))
	for o := range objects {
		if !disjoint(records, objects[o], records[at]) {
			continue
		}
		more := append([][]int{}, objects...)
		more[o] = append(append([]int{}, objects[o]...), at)
		best = min(best, least(records, at+1, more))
	}
	return best
}

// TestExact compares with every way to share, and all strategies with the bound.
func TestExact(t *testing.T) {
	grew, smaller := 0, 0
	for seed := range 400 {
		r := rand.New(rand.NewSource(int64(seed)))
		records := draw(r, 1+r.Intn(7), 2+seed%3)
		want := least(records, 0, nil)
		for _, strategy := range Strategies() {
			p, err := Solve(context.Background(), records, strategy)
			if err != nil {
				t.Fatal(err)
			}
			if p.Total < want || p.LowerBound > want || p.Optimal && p.Total != want || (strategy == Exact || strategy == Auto) && !p.Optimal {
				t.Fatalf("seed %d, %s: %d elements, bound %d, optimal %v: the least is %d", seed, strategy, p.Total, p.LowerBound, p.Optimal, want)
			}
			inOrder, _ := Solve(context.Background(), records, GreedyInOrder)
			if strategy == Growing && p.Total < inOrder.Total {
				grew++
			}
			if strategy == Exact && p.Total < inOrder.Total {
				smaller++
			}
		}
	}
	if grew < 30 || smaller < grew {
		t.Errorf("growing was better %d times, exact %d times", grew, smaller)
	}
}

// TestLargeEnds has a problem that no search completes.
func TestLargeEnds(t *testing.T) {
	records := draw(rand.New(rand.NewSource(1)), 60, 3)
	p, err := Solve(context.Background(), records, Exact)
	if err != nil || p.Optimal || p.Nodes < maxNodes {
		t.Errorf("%+v, %v", p, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if p, err := Solve(ctx, records, Auto); err != nil || p.Nodes > 2048 {
		t.Error(p, err)
	}
}

func TestErrors(t *testing.T) {
	ok := Record{Shape: Shape{1, 2}}
	for _, records := range [][]Record{
		{{Shape: Shape{1}}},
		{ok, {Shape: Shape{1, 2, 3}}},
		{{Shape: Shape{0, 1}}},
		{{First: 1, Shape: Shape{1, 1}}},
		{{Shape: Shape{1 << 40, 1 << 40}}},
		{{Shape: Shape{1 << 49, 2}}, {Shape: Shape{1 << 49, 2}}},
	} {
		if _, err := Solve(context.Background(), records, Auto); !errors.Is(err, ErrShape) {
			t.Errorf("%v: %v", records, err)
		}
	}
	if _, err := Solve(context.Background(), []Record{ok}, "other"); !errors.Is(err, ErrStrategy) {
		t.Error(err)
	}
	if p, err := Solve(context.Background(), nil, Auto); err != nil || p.Total != 0 || !p.Optimal {
		t.Error(p, err)
	}
}

func Example() {
	p, err := Solve(context.Background(), []Record{
		{First: 0, Last: 1, Shape: Shape{100, 40}},
		{First: 2, Last: 3, Shape: Shape{90, 44}}, // which the first one does not cover
	}, Auto)
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Shapes, p.Total, p.Proof)
	// Output: [[100 44]] 4400 the search for a smaller total is complete, after 4 nodes
}
