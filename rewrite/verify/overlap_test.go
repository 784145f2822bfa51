package verify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A trial is a model with one overlap of two of its tensors.
type trial struct {
	view *rules.View
	lifetime.Overlap
}

// trialsOf returns the overlaps of a network of convolutions of which the two tensors still share
// bytes when they are 16 bytes nearer than they may be.
func trialsOf(t sample.TB, seed uint64) (list []trial) {
	t.Helper()
	v := sample.Micro(t, modelfile.Parse(t, network.Convolutions(seed, 1)))
	for _, o := range v.Overlaps(rules.DiagonalAlias) {
		if 16-aligned(o.Distance) < v.Records()[o.From].Size {
			list = append(list, trial{v, o})
		}
	}
	return list
}

// aligned returns the least distance that offsets of a plan can have.
func aligned(distance int64) int64 { return distance + (16-distance%16)%16 }

// planned returns the model with a plan in which the output begins by the distance before the
// input, less so many bytes, and all other tensors have bytes of their own.
func (x trial) planned(t sample.TB, nearer int64, marker *rewrite.Marker) *tflite.Model {
	t.Helper()
	offsets, end := sample.Naive(t, x.view.Model), int64(0)
	for _, r := range x.view.Records() {
		end += r.Size
	}
	from, to := x.view.Usage.Places[x.From].Tensor, x.view.Usage.Places[x.To].Tensor
	in := end + x.view.Records()[x.To].Size
	offsets[from], offsets[to] = int32(in), int32(in-aligned(x.Distance)+nearer)
	r, err := rewrite.Embed(x.view.Model, offsets, rewrite.Options{Marker: marker})
	if err != nil {
		t.Fatal(err)
	}
	return modelfile.Parse(t, r.Data)
}

// TestOverlapDistance: an output may lie over an input that dies at its operator at the distance
// that the kernel needs, on purpose; 16 bytes nearer, the plan is broken, and the finding says
// which operator and tensors it is about, and how many bytes are missing.
func TestOverlapDistance(t *testing.T) {
	tried := 0
	for seed := range uint64(20) {
		for _, x := range trialsOf(t, seed) {
			tried++
			right := verify(t, x.planned(t, 0, nil))
			if diff := cmp.Diff([]verdict{{LawTakeover, Aliasing}}, verdicts(right)); diff != "" || !right.OK() {
				t.Fatalf("%+v: %v (-want +got):\n%s", x.Overlap, right.Findings, diff)
			}
			broken := verify(t, x.planned(t, 16, rewrite.OverlapMarker("diagonal", "reference")))
			if diff := cmp.Diff([]verdict{{LawOverlap, Failure}}, verdicts(broken)); diff != "" || broken.OK() {
				t.Fatalf("%+v: %v (-want +got):\n%s", x.Overlap, broken.Findings, diff)
			}
			from, to := x.view.Records()[x.From], x.view.Records()[x.To]
			for _, want := range []string{
				x.Why, "tensor " + from.ID + " ", "tensor " + to.ID + " ", fmt.Sprintf("began at least %s before %s", units.ExactBytes(x.Distance), from.ID),
				units.ExactBytes(x.Distance-aligned(x.Distance)+16) + " are missing",
			} {
				if got := broken.Findings[0].Message; !strings.Contains(got, want) {
					t.Errorf("message %q lacks %q", got, want)
				}
			}
		}
	}
	if tried < 20 {
		t.Errorf("%d overlaps are too few to tell", tried)
	}
}

// TestOverlapUnknownKernels: a plan in which an output lies over an input is not right where the
// marker names kernels of which nothing is known.
func TestOverlapUnknownKernels(t *testing.T) {
	for _, x := range trialsOf(t, 1) {
		v := verify(t, x.planned(t, 0, rewrite.OverlapMarker("diagonal", "nobodys")))
		if diff := cmp.Diff([]verdict{{LawOverlap, Failure}}, verdicts(v)); diff != "" || v.OK() {
			t.Fatalf("%+v: %v (-want +got):\n%s", x.Overlap, v.Findings, diff)
		}
	}
}
