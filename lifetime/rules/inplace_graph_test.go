package rules

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// inPlaceModels returns random networks, and the corpus where it is.
func inPlaceModels(t *testing.T) (list []*tflite.Model) {
	for seed := range uint64(60) {
		for _, draw := range []func(uint64) []byte{network.Draw, func(seed uint64) []byte { return network.Convolutions(seed, 1) }} {
			m, err := tflite.Parse(draw(seed), "network")
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, m)
		}
	}
	if corpus.Find() == "" {
		return list
	}
	for _, f := range corpus.Accepted(t) {
		if m, err := tflite.Open(f.Path); err == nil {
			list = append(list, m)
		}
	}
	return list
}

// TestInPlaceGraph: operators depend on each other as in the view's own graph, the parts of a tensor are as large as it,
// and only an alias level that permits overlaps lets a convolution share.
func TestInPlaceGraph(t *testing.T) {
	shared, divided := 0, 0
	for _, m := range inPlaceModels(t) {
		v, err := Micro().View(m, -1)
		if err != nil {
			continue
		}
		for _, a := range AllAliases() {
			g := v.InPlace(a)
			for s := range g.Subgraphs {
				own, sub := &v.Graph.Subgraphs[s], &g.Subgraphs[s]
				if len(sub.Operators) != len(own.Operators) || sizeOf(sub) != sizeOf(own) {
					t.Fatalf("%s, %s: %d operators and %d B, want %d and %d B", m.Name, a, len(sub.Operators), sizeOf(sub), len(own.Operators), sizeOf(own))
				}
				if len(sub.Tensors) > len(own.Tensors) {
					divided++
				}
				keepsDependencies(t, own, sub)
				for _, x := range sub.Shares {
					shared++
					o := &sub.Operators[x.Operator]
					if x.Bytes < 1 || x.Bytes > sub.Tensors[x.Tensor].Size || !slices.Contains(o.Inputs, x.Tensor) {
						t.Errorf("%s, %s: %+v of %+v", m.Name, a, x, o)
					}
					code := m.OperatorCodes[m.Subgraphs[s].Operators[o.Index].Code].Builtin
					if code == schema.BuiltinOperatorCONV_2D && !a.Overlaps() {
						t.Errorf("%s, %s: CONV_2D %d shares %d B", m.Name, a, o.Index, x.Bytes)
					}
				}
			}
		}
	}
	if shared < 1000 || divided < 10 && corpus.Find() != "" {
		t.Errorf("%d shares, %d subgraphs with divided tensors", shared, divided)
	}
}

func sizeOf(s *lifetime.Subgraph) (bytes int64) {
	for i := range s.Tensors {
		bytes += s.Tensors[i].Size
	}
	return bytes
}

// keepsDependencies wants an operator to read something of each operator whose output it reads in the other graph. Reads of no byte
// depend on nothing.
func keepsDependencies(t *testing.T, own, sub *lifetime.Subgraph) {
	t.Helper()
	maker := func(s *lifetime.Subgraph) map[int]int {
		made := map[int]int{}
		for i, o := range s.Operators {
			for _, x := range o.Outputs {
				made[x] = i
			}
		}
		return made
	}
	before, after := maker(own), maker(sub)
	for i := range own.Operators {
		for _, x := range own.Operators[i].Inputs {
			j, ok := before[x]
			if ok && x >= 0 && !slices.ContainsFunc(sub.Operators[i].Inputs, func(y int) bool { k, ok := after[y]; return ok && k == j }) {
				t.Fatalf("operator %d no longer reads what %d makes", i, j)
			}
		}
	}
}

// TestRuns: runs are the whole tensor, and each has the readers of all of its bytes.
func TestRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 60).Draw(t, "size")
		var reads []lifetime.Read
		valid := true
		for i := range rapid.IntRange(0, 6).Draw(t, "reads") {
			r := lifetime.Read{Position: i, Lo: rapid.Int64Range(-1, size).Draw(t, "lo"), Hi: rapid.Int64Range(0, size+1).Draw(t, "hi")}
			valid = valid && 0 <= r.Lo && r.Lo < r.Hi && r.Hi <= size
			reads = append(reads, r)
		}
		runs := runsOf(size, reads)
		if !valid {
			if runs != nil {
				t.Fatalf("%v: %v", reads, runs)
			}
			return
		}
		at := int64(0)
		for _, r := range runs {
			if r.from != at || r.to <= r.from {
				t.Fatalf("%v: %v", reads, runs)
			}
			at = r.to
			for b := r.from; b < r.to; b++ {
				var readers []int
				for _, x := range reads {
					if x.Lo <= b && b < x.Hi {
						readers = append(readers, x.Position)
					}
				}
				if len(readers) > 0 && !slices.Equal(readers, r.readers) {
					t.Fatalf("byte %d has the readers %v, not %v: %v", b, readers, r.readers, runs)
				}
			}
		}
		if at != size {
			t.Fatalf("%v: %v", reads, runs)
		}
	})
}
