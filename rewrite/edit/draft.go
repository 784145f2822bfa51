package edit

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// A draft is a front in the making, of parts that say themselves how they are written.
// They lie in layers, and a reference leads from one layer to a later one, or into the
// old file.
type draft struct {
	patch.Front
	layers [layerCount][]*part
	// known are the parts that several others may share, by what they hold.
	known map[string]*part
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

// A part is what a reference leads to: something in the front, or a place in the old file.
type part struct {
	size, lead, align int64
	write             func(out patch.Output, at int64)
	at                int64
	old               bool
}

// was returns a place in the old file.
func was(at int64) *part { return &part{at: at, old: true} }

// place returns where a part is in the new file.
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

// layOut gives every part its place. Nothing is added after it.
func (d *draft) layOut() {
	for _, parts := range d.layers {
		for _, p := range parts {
			p.at = d.Reserve(p.size, p.lead, p.align)
		}
	}
}

// fill writes the front.
func (d *draft) fill(out patch.Output) {
	for _, parts := range d.layers {
		for _, p := range parts {
			p.write(out, p.at)
		}
	}
}

// shared returns the part that holds the same, if there is one.
func (d *draft) shared(layer int, key string, p *part) *part {
	if same, ok := d.known[key]; ok {
		return same
	}
	d.known[key] = d.add(layer, p)
	return p
}

// vector adds a vector of n elements of up to align bytes each, packed.
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

// indexes is ints for numbers that are known to fit.
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

// fits reports whether the draft's references stay below 2 GiB, as far as its own size
// tells.
func (d *draft) fits() bool { return d.Shift() <= math.MaxInt32 }
