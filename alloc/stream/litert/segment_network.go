package litert

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A Segment is a part of a model with the figures of its file.
type Segment struct {
	segment.Part
	// Bytes is the size of the file, and Working the memory that LiteRT needs besides the file to run
	// it, in bytes.
	Bytes, Working int64
	// Load is the time to read the file, and Compute the time to run it.
	Load, Compute time.Duration
}

// The time of a segment besides its operators: to make and drop an interpreter, and, for each byte that
// LiteRT requests, to map memory. Both were measured with ai-edge-litert 2.3.0 on x86-64.
const (
	segmentTime = 500 * time.Microsecond
	nsPerByte   = 0.4
)

// maxSegmentTime is the largest time of a segment.
const maxSegmentTime = network.MaxTime

// ErrRates is the error for rates so low that a segment takes longer than any network may.
var ErrRates = errors.New("the rates are too low")

// A segmenter makes the segments of a model, each once.
type segmenter struct {
	m        *tflite.Model
	rates    Rates
	delegate bool // LiteRT uses its default delegate
	known    map[[2]int]*Segment
}

// segments returns the segments of a model that is cut after some operators.
func (k *segmenter) segments(ctx context.Context, after []int) ([]*Segment, error) {
	parts, err := segment.Parts(k.m, after)
	if err != nil {
		return nil, err
	}
	list := make([]*Segment, len(parts))
	for i, p := range parts {
		if list[i], err = k.segment(ctx, p); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (k *segmenter) segment(ctx context.Context, p segment.Part) (*Segment, error) {
	key := [2]int{p.First, p.Last}
	if s, ok := k.known[key]; ok {
		return s, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, size, err := segment.Measure(k.m, p)
	if err != nil {
		return nil, err
	}
	bytes, err := workingBytes(ctx, m, k.delegate)
	if err != nil {
		return nil, err
	}
	s := &Segment{Part: p, Bytes: size, Working: bytes}
	load := float64(size)/k.rates.Bytes*1e9 + float64(k.rates.Read)
	compute := float64(segmentTime) + nsPerByte*float64(bytes)
	sub := &k.m.Subgraphs[0]
	for i := p.First; i <= p.Last; i++ {
		if k.rates.Compute != nil {
			compute += float64(k.rates.Compute[i])
		} else {
			compute += float64(op.MACs(k.m, sub, &sub.Operators[i]).Total()) / k.rates.MACs * 1e9
		}
	}
	if load+compute > float64(maxSegmentTime) {
		return nil, fmt.Errorf("operators %d to %d take more than %v: %w", p.First, p.Last, maxSegmentTime, ErrRates)
	}
	s.Load, s.Compute = time.Duration(load), time.Duration(compute)
	k.known[key] = s
	return s, nil
}

// runtime returns the memory that LiteRT allocates once, in bytes.
func (k *segmenter) runtime() int64 {
	if k.delegate {
		return runtimeBytes + delegateBytes
	}
	return runtimeBytes
}

// network returns a network with segment i as layer i+1.
func (k *segmenter) network(list []*Segment) *network.Network {
	n := &network.Network{Layers: make([]network.Layer, len(list)+1)}
	last := len(list)
	n.Tensors = append(n.Tensors, network.Tensor{Name: "LiteRT", Kind: network.Activation, First: 0, Last: last, Size: k.runtime()})
	for i, s := range list {
		at := i + 1
		n.Layers[at] = network.Layer{Name: fmt.Sprintf("operators %d to %d", s.First, s.Last), Load: s.Load, Compute: s.Compute}
		n.Tensors = append(n.Tensors,
			network.Tensor{Name: segmentName(at), Kind: network.Weight, First: at, Last: at, Size: s.Bytes + pageBytes},
			network.Tensor{Name: "LiteRT's memory", Kind: network.Intermediate, First: at, Last: at, Size: s.Working})
	}
	return k.addHeldTensors(n, list)
}

// addHeldTensors adds the tensors outside of interpreters, from the segment that makes them to the
// last one that reads them. Inputs and outputs of the model are held to the end, for the caller.
func (k *segmenter) addHeldTensors(n *network.Network, list []*Segment) *network.Network {
	sub := &k.m.Subgraphs[0]
	first, last := map[int]int{}, map[int]int{}
	var order []int
	add := func(t, at int) {
		if _, known := first[t]; !known {
			first[t] = at
			order = append(order, t)
		}
		last[t] = at
	}
	for i, s := range list {
		for _, t := range s.Inputs {
			if sub.Tensors[t].Producer < 0 {
				add(t, 0)
			}
			add(t, i+1)
		}
		for _, t := range s.Outputs {
			add(t, i+1)
		}
	}
	for _, t := range order {
		if sub.Tensors[t].Output || sub.Tensors[t].Producer < 0 {
			last[t] = len(list)
		}
		bytes, _ := sub.Tensors[t].PackedBytes()
		n.Tensors = append(n.Tensors, network.Tensor{Name: k.m.TensorID(0, t), Kind: network.Activation, First: first[t], Last: last[t], Size: bytes + pageBytes})
	}
	return n
}
