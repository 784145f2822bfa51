package split_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A network whose channels are made in pieces gives the same output as the network, bit by
// bit, with the same multiply-accumulates.
func TestChannels(t *testing.T) { manyCuts(t, checkChannels) }

func checkChannels(t *rapid.T, c *cuttings) {
	kinds := []schema.TensorType{schema.TensorTypeFLOAT32, schema.TensorTypeINT8}
	m, zeros := wideNetwork(t, rapid.SampledFrom(kinds).Draw(t, "type"))
	s := randomChannels(t, m)
	f, want, got := c.run(t, m, zeros, s)
	if f == nil {
		return
	}
	if f.MACs != f.OwnMACs || got.macs != want.macs {
		t.Fatalf("%d multiply-accumulates instead of %d, %d were counted for %d", got.macs, want.macs, f.MACs, f.OwnMACs)
	}
	checkShares(t, m, f, got)
	checkSizes(t, m, s, f)
}

func randomChannels(t *rapid.T, m *tflite.Model) split.Stage {
	s := split.Stage{Rows: 1, Columns: 1}
	list := channelRuns(m)
	if len(list) > 0 && rapid.IntRange(0, 9).Draw(t, "known") > 0 {
		r := rapid.SampledFrom(list).Draw(t, "run")
		s.First, s.Last, s.Channels = r.First, r.Last, rapid.IntRange(2, r.Most).Draw(t, "pieces")
		return s
	}
	n := len(m.Subgraphs[0].Operators)
	s.First = rapid.IntRange(0, n-1).Draw(t, "first")
	s.Last, s.Channels = rapid.IntRange(s.First, n-1).Draw(t, "last"), rapid.IntRange(2, 12).Draw(t, "pieces")
	return s
}

// checkSizes asks that what each operator makes is cut into as many pieces as there are, all
// at the same places, and that a file grows by what was counted.
func checkSizes(t *rapid.T, m *tflite.Model, s split.Stage, f *split.Fragment) {
	sub := &m.Subgraphs[0]
	checkGrowth(t, m, s, f)
	sizes := map[int][]int{}
	for _, o := range f.Operators {
		if o.Kind == edit.Piece {
			shape := f.Tensors[o.Outputs[0]-len(sub.Tensors)].Shape
			sizes[o.Of] = append(sizes[o.Of], int(shape[len(shape)-1]))
		}
	}
	last := sub.Operators[s.Last].Outputs[0]
	channels := int(sub.Tensors[last].Shape[len(sub.Tensors[last].Shape)-1])
	shares := sizes[s.Last]
	for of, list := range sizes {
		shape := sub.Tensors[sub.Operators[of].Outputs[0]].Shape
		all, sum := int(shape[len(shape)-1]), 0
		for _, n := range list {
			sum += n
		}
		// A slice has the same share of every tensor.
		share := make([]int, len(list))
		for i, n := range list {
			share[i] = n * channels / all
		}
		if unit := channels / most(m, s); slices.Max(shares)-slices.Min(shares) > unit {
			t.Fatalf("%+v: pieces of %v in units of %d", s, shares, unit)
		}
		if len(list) != s.Channels || sum != all || !slices.Equal(share, shares) {
			t.Fatalf("%+v: operator %d makes %v of %d channels", s, of, list, all)
		}
	}
}

// most returns how many pieces a stage can have at most.
func most(m *tflite.Model, s split.Stage) int {
	list := channelRuns(m)
	i := slices.IndexFunc(list, func(r split.ChannelRun) bool { return r.First == s.First && r.Last == s.Last })
	return list[i].Most
}

func channelRuns(m *tflite.Model) (list []split.ChannelRun) {
	for r := range split.ChannelRuns(m, 0) {
		list = append(list, r)
	}
	return list
}

// Runs are exactly the pairs of operators between which a stage can be cut along the
// channels, into as many pieces as they say and no more.
func TestChannelRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _ := wideNetwork(t, schema.TensorTypeINT8)
		sub := &m.Subgraphs[0]
		cut := func(first, last, n int) bool {
			_, err := split.Cut(m, split.Stage{First: first, Last: last, Rows: 1, Columns: 1, Channels: n}, len(sub.Tensors))
			return err == nil
		}
		var want []split.ChannelRun
		for first := range sub.Operators {
			for last := first; last < len(sub.Operators); last++ {
				most := 1
				for cut(first, last, most+1) {
					most++
				}
				if most > 1 {
					want = append(want, split.ChannelRun{First: first, Last: last, Out: sub.Operators[last].Outputs[0], Most: most})
				}
			}
		}
		if diff := cmp.Diff(want, channelRuns(m)); diff != "" {
			t.Fatal(diff)
		}
		for i, err := range split.ChannelCuttable(m) {
			if err != nil && cut(i, i, 2) {
				t.Fatalf("operator %d: %v", i, err)
			}
		}
	})
}
