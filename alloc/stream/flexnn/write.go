package flexnn

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Files are the three files of a plan.
type Files struct {
	Malloc, Dependency, Layout []byte
}

// Write writes the three files of a placement, which must be right. Tensors are in the order of their mallocs, as in [Profiles].
func Write(net *network.Network, place *network.Placement) *Files {
	net, place = inOrder(net, place)
	return &Files{malloc(net, place), dependency(net, place), layout(net, place)}
}

func malloc(net *network.Network, place *network.Placement) []byte {
	var offsets [3][]int64
	var kept []int64
	for i, t := range net.Tensors {
		offsets[t.Kind] = append(offsets[t.Kind], place.Offsets[i])
		if place.Resident[i] {
			kept = append(kept, place.Offsets[i])
		}
	}
	var b bytes.Buffer
	b.WriteString("# weight_count blob_count intermediate_count (persistent_count)\n")
	fmt.Fprintf(&b, "%d %d %d", len(offsets[0]), len(offsets[1]), len(offsets[2]))
	if len(kept) > 0 {
		fmt.Fprintf(&b, " %d", len(kept))
	}
	b.WriteByte('\n')
	for k, list := range [][]int64{offsets[0], offsets[1], offsets[2], kept} {
		fmt.Fprintf(&b, "# %s_offsets\n", sections[k])
		for _, offset := range list {
			fmt.Fprintln(&b, offset)
		}
	}
	return b.Bytes()
}

// sections are the parts of a malloc file, in order.
var sections = [4]string{"weight", "blob", "intermediate", "persistent"}

// dependency writes for each layer the number of loads that may begin once it has computed. The
// runtime begins load 1 by itself, and every other load after layer 1 at the earliest.
func dependency(net *network.Network, place *network.Placement) []byte {
	var b bytes.Buffer
	released := 2
	waits := Waits(net, place)
	for layer := range net.Layers {
		for layer > 0 && released < len(net.Layers) && waits[released] <= layer {
			released++
		}
		fmt.Fprintln(&b, released)
	}
	return b.Bytes()
}

// Waits returns the layer that FlexNN's runtime computes before the load of each layer: the waits of
// the placement, but at least 1 for layers after layer 1.
func Waits(net *network.Network, place *network.Placement) []int {
	waits := place.Waits(net)
	for i := 2; i < len(waits); i++ {
		waits[i] = max(waits[i], 1)
	}
	return waits
}

// A row is one line of a layout.
type row struct {
	first, last  int
	offset, size int64
	needed       int
	kind         network.Kind
}

// layout writes rows sorted by first step. A resident weight has the first step of the weight before
// it, so that the steps of weights never fall.
func layout(net *network.Network, place *network.Placement) []byte {
	rows := make([]row, len(net.Tensors))
	before := 0
	for i, t := range net.Tensors {
		first := place.Start[i]
		if place.Resident[i] {
			first = before
		}
		if t.Kind == network.Weight {
			before = first
		}
		rows[i] = row{first: first, last: t.Last, offset: place.Offsets[i], size: t.Size, needed: t.First, kind: t.Kind}
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		return a.first < b.first || a.first == b.first && a.kind < b.kind
	})
	var b bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d\n", r.first, r.last, r.offset, r.size, r.needed, r.kind)
	}
	return b.Bytes()
}
