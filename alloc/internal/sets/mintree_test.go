package sets

import (
	"math"
	"math/rand"
	"testing"
)

// TestMinTree compares a tree with a slice that is looked through.
func TestMinTree(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 300 {
		n := rng.Intn(40)
		values := make([]int, n)
		for i := range values {
			values[i] = rng.Intn(20) - 10
		}
		tree := NewMinTree(n, math.MaxInt)
		tree.Fill(values)
		for range 60 {
			compareTree(t, &tree, values, rng)
			if n > 0 {
				changeTree(&tree, values, rng)
			}
		}
	}
}

func compareTree(t *testing.T, tree *MinTree[int], values []int, rng *rand.Rand) {
	t.Helper()
	from, limit := rng.Intn(len(values)+1), rng.Intn(22)-11
	if rng.Intn(10) == 0 {
		limit = math.MaxInt
	}
	want := -1
	for i := len(values) - 1; i >= from; i-- {
		if values[i] <= limit && values[i] != math.MaxInt {
			want = i
		}
	}
	if got := tree.Seek(from, limit); got != want {
		t.Fatalf("the first place of %v from %d on with at most %d is %d, not %d", values, from, limit, want, got)
	}
	last, least := from+rng.Intn(len(values)-from+1)-1, math.MaxInt
	for i := from; i <= last; i++ {
		least = min(least, values[i])
	}
	if got := tree.Least(from, last); got != least {
		t.Fatalf("the least of %v from %d to %d is %d, not %d", values, from, last, least, got)
	}
}

func changeTree(tree *MinTree[int], values []int, rng *rand.Rand) {
	place := rng.Intn(len(values))
	if rng.Intn(3) == 0 {
		values[place] = math.MaxInt
		tree.Clear(place)
		return
	}
	values[place] = rng.Intn(20) - 10
	tree.Set(place, values[place])
}
