package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestOverlapsInTheRuntime overlaps outputs and inputs in TensorFlow Lite Micro. At the
// computed distance and above, the outputs are the same, bit for bit; 16 bytes nearer, where a
// byte is overwritten that is still read, they differ.
func TestOverlapsInTheRuntime(t *testing.T) {
	trials := 60
	if *golden.Audit {
		trials = 1000
	}
	var c sharpness
	dir := t.TempDir()
	oracle.Each(t, trials, func(t *testing.T, r *oracle.Runtimes, i int) {
		c.try(t, &plannedRun{runtimes: r, trial: draw(t, i), path: filepath.Join(dir, fmt.Sprint(i, ".tflite")), known: map[uint64]oracle.Answer{}}, i)
	})
	c.check(t, trials)
}

// sharpness counts the trials.
type sharpness struct {
	mu sync.Mutex
	// same counts trials with equal outputs, spoilt those with other outputs if the two are
	// nearer. The runtime does not run those refused, and those apart have no overlap.
	same, spoilt, refused, apart map[schema.BuiltinOperator]int
}

func (c *sharpness) check(t *testing.T, trials int) {
	sum := func(m map[schema.BuiltinOperator]int) (n int) {
		for _, k := range m {
			n += k
		}
		return n
	}
	for _, code := range codesOf(c.same) {
		t.Logf("%-24v %4d the same, %4d of them spoilt 16 bytes nearer", code, c.same[code], c.spoilt[code])
	}
	t.Logf("%d trials: %d the same, %d of them spoilt 16 bytes nearer, %d without an overlap, refused: %v", trials, sum(c.same), sum(c.spoilt), sum(c.apart), c.refused)
	if !t.Failed() && (sum(c.same) < trials*2/3 || sum(c.spoilt) < trials/2) {
		t.Error("the test says little")
	}
}

// count counts a trial of an operator in one of the numbers.
func (c *sharpness) count(in *map[schema.BuiltinOperator]int, x *trial) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *in == nil {
		*in = map[schema.BuiltinOperator]int{}
	}
	(*in)[x.code]++
}

func (c *sharpness) try(t *testing.T, p *plannedRun, number int) {
	x := p.trial
	o, ok := x.overlapOf(view(t, x.model(0), "tflm"))
	switch answer := p.run(t, 0, apart); {
	case answer.Error != "":
		c.count(&c.refused, x)
		return
	case !ok:
		c.count(&c.apart, x)
		return
	}
	near := rounded(o.Distance)
	for seed, distance := range []int64{near, near, near + 16*int64(1+number%5)} {
		if got := p.run(t, uint64(seed), distance); got.Error != "" || !cmp.Equal(got.Outputs, p.run(t, uint64(seed), apart).Outputs) {
			t.Errorf("trial %d, %v: outputs differ at %d bytes, where %d are right: %s: %+v", number, x.code, distance, o.Distance, got.Error, x.in)
			return
		}
	}
	c.count(&c.same, x)
	if !x.spoils(near - 16) {
		return
	}
	for seed := range uint64(20) {
		if !cmp.Equal(p.run(t, seed, apart).Outputs, p.run(t, seed, near-16).Outputs) {
			c.count(&c.spoilt, x)
			return
		}
	}
	if x.faint {
		return
	}
	t.Errorf("trial %d, %v: outputs are the same at %d bytes, where %d are right: %+v", number, x.code, near-16, o.Distance, x.in)
}

// apart means that the tensors do not overlap: the runtime chooses the distance.
const apart = -1 << 40

// A plannedRun runs a trial in the real runtime.
type plannedRun struct {
	runtimes *oracle.Runtimes
	trial    *trial
	path     string
	// known holds the answers to runs of seeds with no overlap.
	known map[uint64]oracle.Answer
}

// run runs the trial with weights and inputs of a seed, and the output at a distance before the
// input.
func (p *plannedRun) run(t *testing.T, seed uint64, distance int64) oracle.Answer {
	t.Helper()
	if answer, ok := p.known[seed]; ok && distance == apart {
		return answer
	}
	x := p.trial
	m, err := tflite.Parse(encode.Encode(x.model(seed)), p.path)
	if err != nil {
		t.Fatal(err)
	}
	data := m.Data
	if distance != apart {
		result, err := rewrite.Embed(m, x.offsets(distance), rewrite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		data = result.Data
	}
	if err := os.WriteFile(p.path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	answer := p.runtimes.Run(t, oracle.Request{
		Runtime: "tflm", Model: p.path, Arena: 1 << 20, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(x.out), Seed: int64(seed), Invokes: 3,
	})
	if distance == apart {
		p.known[seed] = answer
	}
	return answer
}

// offsets returns a plan with the output at a distance before the input, and other tensors
// after both.
func (x *trial) offsets(distance int64) (list []int32) {
	from, to := max(distance, 0), max(-distance, 0)
	end := max(from+x.in[x.from].bytes(), to+x.out[x.to].bytes())
	for i, o := range append(append([]operand{}, x.in...), x.out...) {
		switch {
		case i == x.from:
			list = append(list, int32(from))
		case i == len(x.in)+x.to:
			list = append(list, int32(to))
		case o.constant():
			list = append(list, rewrite.Online)
		default:
			end = rounded(end)
			list = append(list, int32(end))
			end += o.bytes()
		}
	}
	return list
}
