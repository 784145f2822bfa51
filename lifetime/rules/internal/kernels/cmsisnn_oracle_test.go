package kernels

import (
	"flag"
	"math/rand/v2"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/oracle/cmsisnn"
	"github.com/tflarena/tflarena/tflite"
)

var shapes = flag.Int("shapes", 5000, "compare what `N` random operators ask for with CMSIS-NN's own functions")

// A drawn is a random operator.
type drawn struct {
	row       recordedRow
	model     func(recordedRow) encode.Model
	questions []cmsisnn.Question
	// asks returns the operator's requests with a build of the library, given the answers to
	// the questions for its core.
	asks func(b armBuild, sizes []int64) demanded
}

// A demanded is the requests of an operator in Prepare, in bytes.
type demanded struct{ kept, scratch []int64 }

func (*demanded) Temporary(*tflite.Tensor) {}
func (*demanded) Reads(Part)               {}
func (a *demanded) Scratch(bytes int64)    { a.scratch = append(a.scratch, bytes) }
func (a *demanded) Keep(count, bytes int64) {
	for range count {
		a.kept = append(a.kept, bytes)
	}
}

// armCores are the builds of the library, with the core that the functions are compiled for.
var armCores = []struct {
	name  string
	build armBuild
	core  cmsisnn.Core
}{
	{"cmsis-nn-mve", armBuild{core: mve}, cmsisnn.MVE},
	{"cmsis-nn-mve-size", armBuild{core: mve, small: true}, cmsisnn.MVE},
	{"cmsis-nn-dsp", armBuild{core: dsp}, cmsisnn.DSP},
	{"cmsis-nn-dsp-size", armBuild{core: dsp, small: true}, cmsisnn.DSP},
	{"cmsis-nn-scalar", armBuild{core: scalar}, cmsisnn.Scalar},
	{"cmsis-nn-scalar-size", armBuild{core: scalar, small: true}, cmsisnn.Scalar},
}

// TestKernelSizesOfCMSISNN compares the requests of random operators with the results of
// CMSIS-NN's own functions. The runtime's use of these results is implemented here
// independently.
func TestKernelSizesOfCMSISNN(t *testing.T) {
	cmsisnn.Require(t)
	const atOnce = 50_000 // per process
	rng, seen := rand.New(rand.NewPCG(1, 1)), map[string]int{}
	for left := *shapes; left > 0 && !t.Failed(); left -= atOnce {
		operators := make([]drawn, min(left, atOnce))
		var questions []cmsisnn.Question
		for i := range operators {
			d := draws[rng.IntN(len(draws))]
			operators[i] = d.draw(rng)
			operators[i].model = recorded[d.file]
			questions = append(questions, operators[i].questions...)
			seen[d.file]++
		}
		answers := cmsisnn.Ask(t, questions)
		for _, o := range operators {
			o.compare(t, answers[:len(o.questions)])
			answers = answers[len(o.questions):]
		}
	}
	t.Logf("operators: %v", seen)
}

func (o *drawn) compare(t *testing.T, answers []cmsisnn.Sizes) {
	m, err := tflite.Parse(encode.Encode(o.model(o.row)), "drawn")
	if err != nil {
		t.Fatalf("%v: %v", o.row, err)
	}
	for _, c := range armCores {
		var sizes []int64
		for _, a := range answers {
			sizes = append(sizes, a[c.core])
		}
		want, got := o.asks(c.build, sizes), demanded{}
		Each(m, Build{named(c.name), ARM}, func(k *Kernel) { k.Prepare(&got) })
		if !slices.Equal(got.scratch, want.scratch) || !slices.Equal(got.kept, want.kept) {
			t.Errorf("%s: %v: asks for %+v, and by the library's functions for %+v", c.name, o.row, got, want)
		}
	}
}
