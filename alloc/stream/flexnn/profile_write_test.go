package flexnn_test

import (
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/streaming"
)

// A network is read back from its profiles, with its tensors in the order of their first layers.
func TestProfiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := streaming.Network(t, 12)
		want.Tensors = rapid.Permutation(want.Tensors).Draw(t, "tensors")
		got, err := flexnn.ReadProfiles(flexnn.Profiles(want))
		if err != nil {
			t.Fatal(err)
		}
		want.Tensors = slices.Clone(want.Tensors)
		sort.SliceStable(want.Tensors, func(i, j int) bool { return want.Tensors[i].First < want.Tensors[j].First })
		unnamed := cmp.Options{cmpopts.IgnoreFields(network.Layer{}, "Name"), cmpopts.IgnoreFields(network.Tensor{}, "Name"), cmpopts.EquateEmpty()}
		if diff := cmp.Diff(want, got, unnamed); diff != "" {
			t.Fatal(diff)
		}
	})
}
