package split_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/tiles"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

var (
	bytewise     = flag.Int("bytewise", 100, "how many random networks with outputs over dying inputs are followed byte by byte")
	bytewiseFrom = flag.Int("bytewise-from", 0, "the first of these networks, so that they can be followed in parts")
	overlapping  = flag.Int("overlapping", 10, "how many of them run in the real runtime")
)

// slides are convolutions, pools, pads, concatenations and what joins branches.
func slides() []step {
	return []step{
		{7, every, (*cnn).conv},
		{5, every, (*cnn).depthwise},
		{4, every, (*cnn).pool},
		{3, every, (*cnn).pad},
		{6, every, (*cnn).block},
	}
}

// overlapNetwork returns a network and the plan that --alias diagonal makes for a target.
func overlapNetwork(t testing.TB, seed uint64, device rules.Device) (*tflite.Model, []rules.Request, *pin.Choice) {
	t.Helper()
	kind := every[[]int{1, 1, 0, 0, 2}[seed%5]]
	m, err := networkOfSteps(1<<33+seed, kind, slides())
	if err != nil {
		t.Fatalf("network %d: %v", seed, err)
	}
	scratch := device.Requests(m)
	choice, err := pin.Choose(t.Context(), sample.Micro(t, m), pin.Options{Alias: rules.DiagonalAlias, Scratch: scratch})
	if err != nil {
		t.Fatalf("network %d: %v", seed, err)
	}
	return m, scratch, choice
}

// TestOverlapsByteByByte follows the kernels of random networks on a map of the arena: no byte that
// is still read is written over.
func TestOverlapsByteByByte(t *testing.T) {
	many := *bytewise
	if testing.Short() {
		many = min(many, 40)
	}
	device, err := rules.DefaultDevice().WithABI("host64")
	if err != nil {
		t.Fatal(err)
	}
	plans, overlaps, spoilt := 0, 0, 0
	for k := range uint64(many) {
		seed := uint64(*bytewiseFrom) + k
		m, scratch, choice := overlapNetwork(t, seed, device)
		if len(choice.Overlaps) == 0 {
			continue
		}
		followed, err := pin.Follow(t.Context(), rules.Micro(), m, choice.Offsets, scratch)
		if err != nil {
			t.Fatalf("network %d: %v", seed, err)
		}
		if err := byteByByte(followed, followed.Offsets); err != nil {
			t.Errorf("network %d, %d overlaps: %v", seed, len(choice.Overlaps), err)
		}
		plans++
		overlaps += len(choice.Overlaps)
		if nearer := brought(choice, followed); nearer != nil && byteByByte(followed, nearer) != nil {
			spoilt++
		}
	}
	t.Logf("%d overlaps in plans of %d of %d networks; %d of them are wrong where an output is 16 bytes nearer", overlaps, plans, many, spoilt)
	if plans < many/3 || spoilt < plans/3 {
		t.Error("the test says little")
	}
}

// byteByByte checks offsets of what a plan places with a trace of the kernels.
func byteByByte(o *pin.Outcome, offsets []int64) error {
	t, err := traceOf(o.View, o.Records)
	if err != nil {
		return err
	}
	if err := t.wrongly(offsets); err != nil {
		return err
	}
	var total int64
	for i, r := range t.tensors {
		if r.Size > 0 {
			total = max(total, offsets[i]+r.Size)
		}
	}
	return tiles.Check(tiles.Problem{Tensors: t.tensors, Semantics: lifetime.Atomic}, offsets, total)
}

// brought returns the offsets with one output that lies as near to its input as may be brought 16
// bytes nearer; nil where there is none.
func brought(c *pin.Choice, o *pin.Outcome) []int64 {
	for _, p := range c.Overlaps {
		if by := o.Offsets[p.From] - o.Offsets[p.To]; by-16 < p.Distance && by > 0 {
			offsets := slices.Clone(o.Offsets)
			offsets[p.To] += 16
			return offsets
		}
	}
	return nil
}

// TestOverlapsOfNetworks runs random networks in TensorFlow Lite Micro, before and after: the
// outputs are bit-identical, and the head is the promised one.
func TestOverlapsOfNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	oracle.Require(t)
	f := &fits{trials: &trials{T: t, runtimes: oracle.Start(t), dir: t.TempDir(), refused: map[string]int{}, reasons: map[string]int{}}}
	many, compared, way := *overlapping, 0, ways[0]
	for seed := uint64(0); compared < many && seed < uint64(4*many); seed++ {
		m, _, choice := overlapNetwork(t, 1<<20+seed, oracle.Device(t))
		if len(choice.Overlaps) == 0 {
			continue
		}
		planned, err := rewrite.Embed(m, choice.Offsets, rewrite.Options{Marker: rewrite.OverlapMarker("diagonal", "reference")})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("network %d with %d overlaps", seed, len(choice.Overlaps))
		f.verify(name, planned.Data)
		before, after := f.write(seed, "before", m.Data), f.write(seed, "planned", planned.Data)
		if f.compare(m, name, way, before, after) {
			compared++
			f.head(m, name, way, after, choice.Head)
		}
		os.Remove(before)
		os.Remove(after)
	}
	t.Logf("%d networks, in %d runs the outputs changed with the inputs; refused as they were: %s", compared, f.changing, listed(f.reasons))
	if compared < many || f.changing*10 < compared*8 {
		t.Errorf("%d networks of %d, and %d with outputs that change", compared, many, f.changing)
	}
}
