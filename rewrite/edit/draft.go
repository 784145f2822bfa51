package edit

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// draft is a list of parts to be written before the old file, in layers. References point
// forward: to a later layer or into the old file.
type draft struct {
	patch.Front
	layers [layerCount][]*part
	// byContent maps content to the part that holds it, so that parts can be shared.
	byContent map[string]*part
}

// The layers of a draft, from front to back.
const (
	layerHeader = iota
	layerVtables
	layerRoot
	layerLists
	layerSubgraph
	layerElements
	layerTables
	layerOptions
	layerVectors
	layerData
	layerCount
)

// part is the target of a reference: new data, or a position in the old file.
type part struct {
	size, lead, align int64
	write             func(out patch.Output, at int64)
	at                int64
	old               bool
}

// oldPart returns the part at a position in the old file.
func oldPart(at int64) *part { return &part{at: at, old: true} }

// place returns a part's position in the new file.
func (d *draft) place(p *part) int64 {
	if p.old {
		return p.at + d.Shift()
	}
	return p.at
}

func (d *draft) add(layer int, p *part) *part {
	d.layers[layer] = append(d.layers[layer], p)
	return p
}

// layOut assigns every part its position. No part may be added afterwards.
func (d *draft) layOut() {
	for _, parts := range d.layers {
		for _, p := range parts {
			p.at = d.Reserve(p.size, p.lead, p.align)
		}
	}
}

// fill writes all parts.
func (d *draft) fill(out patch.Output) {
	for _, parts := range d.layers {
		for _, p := range parts {
			p.write(out, p.at)
		}
	}
}

// shared returns the existing part with the same key, or adds p.
func (d *draft) shared(layer int, key string, p *part) *part {
	if same, ok := d.byContent[key]; ok {
		return same
	}
	d.byContent[key] = d.add(layer, p)
	return p
}

// vector adds a packed vector of n elements of at most align bytes each.
func (d *draft) vector(layer, n int, align int64, packed []byte) *part {
	key := fmt.Sprintf("%d %d %d %s", layer, n, align, packed)
	return d.shared(layer, key, &part{
		size: 4 + int64(len(packed)), lead: 4, align: max(align, 4),
		write: func(out patch.Output, at int64) {
			out.U32(at, int64(n))
			copy(out[at+4:], packed)
		},
	})
}

func (d *draft) text(s string) *part {
	return d.vector(layerVectors, len(s), 1, append([]byte(s), 0))
}

func (d *draft) ints(list []int32) *part {
	var packed []byte
	for _, v := range list {
		packed = le.AppendUint32(packed, uint32(v))
	}
	return d.vector(layerVectors, len(list), 4, packed)
}

// indexes is ints for numbers known to fit into int32.
func (d *draft) indexes(list []int) *part {
	narrow := make([]int32, len(list))
	for i, v := range list {
		narrow[i] = int32(v)
	}
	return d.ints(narrow)
}

// list adds a vector of references.
func (d *draft) list(layer int, targets []*part) *part {
	return d.add(layer, &part{
		size: 4 + 4*int64(len(targets)), align: 4,
		write: func(out patch.Output, at int64) {
			places := make([]int64, len(targets))
			for i, p := range targets {
				places[i] = d.place(p)
			}
			out.Vector(at, places)
		},
	})
}

// fits reports whether the draft alone leaves all references below 2 GiB.
func (d *draft) fits() bool { return d.Shift() <= math.MaxInt32 }
