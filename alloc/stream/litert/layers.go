package litert

import (
	"errors"
	"fmt"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// Rates are the speeds of a machine.
type Rates struct {
	// MACs are multiply-accumulates per second, and Bytes are bytes read per second.
	MACs, Bytes float64
	// Compute has measured times of operators by index. If it is not nil, MACs is ignored.
	Compute map[int]time.Duration
	// Read is the additional time of each read of a weight.
	Read time.Duration
}

// ErrCalls is the error for models whose operators run other subgraphs.
var ErrCalls = errors.New("an operator of the model runs another subgraph: only models of one subgraph can be streamed")

// Layers returns a model as a network of operators. Layer 0 is the input, and layer i is the operator
// at position i-1 in LiteRT's order. A constant that several operators read is a weight of each.
// Without measured times, an operator computes for the time of its multiply-accumulates. It loads for
// the time of its bytes. Requests are scratch buffers of its kernels, which are alive while their operator computes.
//
// Errors are [ErrCalls], errors of [rules.Rules.View] and [network.Network.Check], and one about a rate
// that is not positive.
func Layers(m *tflite.Model, r Rates, requests []rules.Request) (*network.Network, error) {
	if !(r.MACs > 0 || r.Compute != nil) || !(r.Bytes > 0) || r.Read < 0 {
		return nil, errors.New("the rates of a machine have to be above zero")
	}
	v, err := rules.LiteRT().View(m, 0)
	if err != nil {
		return nil, err
	}
	net := &network.Network{Layers: make([]network.Layer, len(v.Usage.Steps)+1)}
	input := map[int]bool{}
	for _, i := range m.Subgraphs[0].Inputs {
		input[i] = true
	}
	for i, record := range v.Records() {
		first, last := max(record.First+1, 0), min(record.Last+1, len(net.Layers)-1)
		if input[v.Usage.Places[i].Tensor] {
			first = 0
		}
		net.Tensors = append(net.Tensors, network.Tensor{Name: record.ID, Kind: network.Activation, First: first, Last: max(first, last), Size: record.Size})
	}
	layers := map[int]int{} // by operator
	for position, step := range v.Usage.Steps {
		layers[step.Operator] = position + 1
		if err := addLayer(net, m, position+1, step.Operator, r); err != nil {
			return nil, err
		}
	}
	for _, q := range requests {
		if layer := layers[q.Operator]; q.Subgraph == 0 && layer > 0 {
			net.Tensors = append(net.Tensors, network.Tensor{Kind: network.Intermediate, First: layer, Last: layer, Size: q.Bytes})
		}
	}
	return net, net.Check()
}

// addLayer adds the times and the weights of an operator.
func addLayer(net *network.Network, m *tflite.Model, layer, operator int, r Rates) error {
	s := &m.Subgraphs[0]
	x := &s.Operators[operator]
	if len(x.Subgraphs) > 0 {
		return ErrCalls
	}
	var bytes int64
	reads := 0
	seen := map[int]bool{}
	for _, i := range x.Inputs {
		if i < 0 || seen[i] || !s.Tensors[i].Constant {
			continue
		}
		seen[i] = true
		size := stored(m, &s.Tensors[i])
		net.Tensors = append(net.Tensors, network.Tensor{Name: m.TensorID(0, i), Kind: network.Weight, First: layer, Last: layer, Size: size})
		bytes += size
		reads++
	}
	load := float64(bytes)/r.Bytes + float64(reads)*r.Read.Seconds()
	compute := r.Compute[operator].Seconds()
	if r.Compute == nil {
		compute = float64(op.MACs(m, s, x).Total()) / r.MACs
	}
	const most = 3_600_000 // seconds
	if compute+load > most {
		return fmt.Errorf("operator %d takes more than %v: the rates are too low", operator, most*time.Second)
	}
	net.Layers[layer] = network.Layer{Name: x.Name, Load: seconds(load), Compute: seconds(compute)}
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s*1e9 + 0.5) }

// stored returns the bytes of a constant: the size in the file, or the size by its shape if the data is
// elsewhere.
func stored(m *tflite.Model, t *tflite.Tensor) int64 {
	if data := m.Buffer(t).Data; len(data) > 0 {
		return int64(len(data))
	}
	bytes, _ := t.PackedBytes()
	return bytes
}
