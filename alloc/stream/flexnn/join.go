package flexnn

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// join makes a placement of the rows of a layout and the offsets of a malloc file.
func join(net *network.Network, rows []row, offsets [3][]int64, kept []int64) (*network.Placement, error) {
	if len(rows) != len(net.Tensors) {
		return nil, &Error{File: "layout", Problem: fmt.Sprintf("there are %d tensors, but the network has %d", len(rows), len(net.Tensors))}
	}
	p := &network.Placement{
		Resident: make([]bool, len(rows)), Start: make([]int, len(rows)), Offsets: make([]int64, len(rows)),
	}
	var of [3][]int
	for i, t := range net.Tensors {
		of[t.Kind] = append(of[t.Kind], i)
	}
	for kind, list := range of {
		if len(offsets[kind]) != len(list) {
			return nil, &Error{File: "malloc file", Problem: fmt.Sprintf("there are %d offsets of type %d, but the network has %d such tensors", len(offsets[kind]), kind, len(list))}
		}
		for k, i := range list {
			p.Offsets[i] = offsets[kind][k]
			r := rows[0]
			rows = rows[1:]
			t := net.Tensors[i]
			if r.kind != t.Kind || r.needed != t.First || r.last != t.Last || r.size != t.Size || r.offset != p.Offsets[i] {
				return nil, &Error{File: "layout", Problem: fmt.Sprintf("tensor %d of type %d is not the one of the network and of the malloc file", k, kind)}
			}
			p.Start[i] = r.first
		}
	}
	return p, markResident(net, p, kept)
}

// markResident marks the resident weights: those at the offsets in kept, which has the same order.
func markResident(net *network.Network, p *network.Placement, kept []int64) error {
	for i, t := range net.Tensors {
		if t.Kind == network.Weight && len(kept) > 0 && p.Offsets[i] == kept[0] {
			p.Resident[i], p.Start[i] = true, 0
			kept = kept[1:]
		}
	}
	if len(kept) > 0 {
		return &Error{File: "malloc file", Problem: fmt.Sprintf("no weight lies at the persistent offset %d, or not in this order", kept[0])}
	}
	return nil
}

// checkDependency compares a dependency file with a placement.
func checkDependency(net *network.Network, p *network.Placement, data []byte) error {
	const file = "dependency file"
	have, numbers := lines(data)
	want, _ := lines(dependency(net, p))
	if len(have) != len(want) {
		return &Error{File: file, Problem: fmt.Sprintf("there are %d layers, but the network has %d", len(have), len(want))}
	}
	for i := range want {
		if want[i] != have[i] {
			return &Error{File: file, Line: numbers[i], Problem: fmt.Sprintf("when layer %d has computed, the loads below %s may begin: by the layout it is %s", i, have[i], want[i])}
		}
	}
	return nil
}
