package flexnn

import (
	"bytes"
	"fmt"
	"sort"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Profiles writes a network as a memory profile and a time profile, which [ReadProfiles] reads. Names of layers and tensors
// are lost. A run in the time profile begins each load when the one before has ended.
func Profiles(net *network.Network) (memory, times []byte) {
	net, _ = inOrder(net, network.NewPlacement(net))
	return memoryProfile(net), timeProfile(net)
}

// inOrder returns a network and its placement with the tensors in the order of their mallocs.
func inOrder(net *network.Network, place *network.Placement) (*network.Network, *network.Placement) {
	order := make([]int, len(net.Tensors))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return net.Tensors[order[i]].First < net.Tensors[order[j]].First })
	sorted, placed := &network.Network{Layers: net.Layers}, &network.Placement{}
	for _, i := range order {
		sorted.Tensors = append(sorted.Tensors, net.Tensors[i])
		placed.Resident, placed.Start, placed.Offsets = append(placed.Resident, place.Resident[i]), append(placed.Start, place.Start[i]), append(placed.Offsets, place.Offsets[i])
	}
	return sorted, placed
}

// memoryProfile writes the mallocs of each layer, and then its frees. Each tensor has a pointer of its own, and the time is the
// number of the event.
func memoryProfile(net *network.Network) []byte {
	frees := make([][]int, len(net.Layers))
	for i, t := range net.Tensors {
		frees[t.Last] = append(frees[t.Last], i)
	}
	var b bytes.Buffer
	b.WriteString("layer_index,memory_type,event_type,ptr,size,time\n")
	event, next := 0, 0
	write := func(layer, tensor, malloc int, size int64) {
		fmt.Fprintf(&b, "%d,%d,%d,0x%x,%d,%d\n", layer, net.Tensors[tensor].Kind, malloc, tensor+1, size, event)
		event++
	}
	for layer := range net.Layers {
		for ; next < len(net.Tensors) && net.Tensors[next].First == layer; next++ {
			write(layer, next, 1, net.Tensors[next].Size)
		}
		for _, i := range frees[layer] {
			write(layer, i, 0, 0)
		}
	}
	return b.Bytes()
}

func timeProfile(net *network.Network) []byte {
	loads, waits := make([]time.Duration, len(net.Layers)), make([]int, len(net.Layers))
	for i, l := range net.Layers {
		loads[i] = l.Load
	}
	run := network.Simulate(net, loads, waits)
	var b bytes.Buffer
	b.WriteString("layer_index,loading_begin,loading_end,loading_duration,computing_begin,computing_end,computing_duration\n")
	ms := func(d time.Duration) string { return fmt.Sprintf("%d.%06d", d/time.Millisecond, d%time.Millisecond) }
	for i, l := range net.Layers {
		load, compute := run.Load[i], run.Compute[i]
		fmt.Fprintf(&b, "%d,%s,%s,%s,%s,%s,%s\n", i, ms(load.Begin), ms(load.End), ms(l.Load), ms(compute.Begin), ms(compute.End), ms(l.Compute))
	}
	return b.Bytes()
}
