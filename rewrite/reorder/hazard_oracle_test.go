package reorder

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

var (
	networks     = flag.Int("networks", 60, "how many random networks run in the real runtimes in orders at random")
	firstNetwork = flag.Uint64("network", 0, "the number of the first of them")
)

// kernels are LiteRT's ways to run a model in which its own planner places all tensors.
var kernels = []string{"BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"}

// A tally counts runs in LiteRT: by whether they were said to be right, and were. A run may
// be right by chance: what was overwritten may have been the same.
type tally struct{ right, chance, wrong int }

// In orders at random LiteRT computes what it does when tensors share no memory, unless
// that is denied; and where it is denied it does indeed compute something else. Outputs lie
// where they are said to lie. TensorFlow Lite Micro computes the same in every order.
func TestLiteRTInAnyOrder(t *testing.T) {
	runtimes, dir := oracle.Start(t), t.TempDir()
	var count tally
	shared := 0
	for i := range *networks {
		seed := *firstNetwork + uint64(i)
		m := drawn(t, seed)
		r := rand.New(rand.NewPCG(seed, 2))
		apart := runOf(t, runtimes, dir, m, oracle.Request{Runtime: "litert", Linear: true})
		micro := runOf(t, runtimes, dir, m, oracle.Request{Runtime: "tflm"})
		if apart.Error != "" || micro.Error != "" {
			t.Fatalf("%s: %s%s", m.Name, apart.Error, micro.Error)
		}
		for try := range 4 {
			moved := m
			if try > 0 {
				moved = inOrder(t, m, network.Order(m, r))
			}
			if try == 1 {
				if again := runOf(t, runtimes, dir, moved, oracle.Request{Runtime: "tflm"}); !cmp.Equal(again.Outputs, micro.Outputs) {
					t.Errorf("%s: other outputs in TensorFlow Lite Micro", m.Name)
				}
			}
			denied := rules.Overwritten(moved)
			for _, k := range kernels {
				got := runOf(t, runtimes, dir, moved, oracle.Request{Runtime: "litert", Kernels: k, InPlace: true})
				shared += checkInPlace(t, moved, got)
				// Optimised kernels need not round as the reference kernels do.
				want := apart
				if k != kernels[0] {
					want = runOf(t, runtimes, dir, moved, oracle.Request{Runtime: "litert", Kernels: k, Linear: true})
				}
				count.add(t, moved, k, denied, cmp.Equal(want.Outputs, got.Outputs))
			}
		}
	}
	t.Logf("%d networks, in %d runs LiteRT is right, in %d it is said to be wrong and is, in %d it is right by chance; %d outputs share memory",
		*networks, count.right, count.wrong, count.chance, shared)
	if *networks >= 50 && (count.wrong < 10 || count.wrong < 5*count.chance) {
		t.Errorf("too few runs are wrong as they are said to be")
	}
}

func (c *tally) add(t *testing.T, m *tflite.Model, kernels string, denied []rules.Hazard, right bool) {
	t.Helper()
	switch {
	case right && len(denied) == 0:
		c.right++
	case right:
		c.chance++
	case len(denied) > 0:
		c.wrong++
	default:
		t.Errorf("%s with %s: LiteRT computes something else when tensors share memory, which is said to do no harm", m.Name, kernels)
	}
}

// checkInPlace compares which outputs share memory with an input, and returns how many do.
func checkInPlace(t *testing.T, m *tflite.Model, a oracle.Answer) int {
	t.Helper()
	r := rules.LiteRT()
	r.InPlace = true
	v, err := r.View(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &m.Subgraphs[0]
	said, is := map[int]bool{}, map[int]bool{}
	for _, l := range v.LeftOut {
		if l.Reason == rules.Aliased && len(s.Tensors[l.Tensor].Shape) > 0 {
			said[l.Tensor] = true
		}
	}
	for _, pair := range a.InPlace {
		is[s.Operators[pair[0]].Outputs[0]] = true
	}
	if diff := cmp.Diff(said, is); diff != "" {
		t.Errorf("%s: tensors that share memory with an input (-said +in LiteRT):\n%s", m.Name, diff)
	}
	return len(is)
}

// runOf runs a model once.
func runOf(t *testing.T, runtimes *oracle.Runtimes, dir string, m *tflite.Model, request oracle.Request) oracle.Answer {
	t.Helper()
	request.Invokes = 1
	return runFor(t, runtimes, dir, m, request)
}

// repeatedly runs a model so often that its state shows.
func repeatedly(t *testing.T, runtimes *oracle.Runtimes, dir string, m *tflite.Model, request oracle.Request) oracle.Answer {
	t.Helper()
	request.Invokes = 5
	return runFor(t, runtimes, dir, m, request)
}

func runFor(t *testing.T, runtimes *oracle.Runtimes, dir string, m *tflite.Model, request oracle.Request) oracle.Answer {
	t.Helper()
	request.Model = filepath.Join(dir, "model.tflite")
	if err := os.WriteFile(request.Model, m.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	request.Arena, request.Seed = 1<<20, 1
	request.Inputs, request.Outputs = len(m.Subgraphs[0].Inputs), len(m.Subgraphs[0].Outputs)
	return runtimes.Run(t, request)
}

// The models of the corpus, and those that were found to go wrong, have outputs in the place
// of inputs where they are said to.
func TestInPlaceInLiteRT(t *testing.T) {
	runtimes := oracle.Start(t)
	var paths []string
	for _, f := range corpus.Accepted(t) {
		paths = append(paths, f.Path)
	}
	found, err := filepath.Glob(filepath.Join(corpus.Dir(t), "found", "*litert*.tflite"))
	if err != nil || len(found) == 0 {
		t.Fatalf("%d models: %v", len(found), err)
	}
	models, outputs := 0, 0
	for _, path := range append(paths, found...) {
		m, err := tflite.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		a := runtimes.Run(t, oracle.Request{Runtime: "litert", Model: path, InPlace: true})
		if a.Error != "" || a.InPlace == nil {
			continue // it does not run there, or not all places are known before it does
		}
		models++
		outputs += checkInPlace(t, m, a)
	}
	t.Logf("%d outputs of %d models share memory", outputs, models)
	if models < 80 || outputs < 1000 {
		t.Errorf("%d outputs of %d models share memory: too few to tell", outputs, models)
	}
}
