package app

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Weights returns the weights of the planned model as [export.Weights] lays them out. The error is an [*InputError].
func (s *Streamed) Weights() ([]byte, error) {
	data := map[string][]byte{}
	for i := range s.Model.Subgraphs[0].Tensors {
		data[s.Model.TensorID(0, i)] = s.Model.Buffer(&s.Model.Subgraphs[0].Tensors[i]).Data
	}
	for _, t := range s.Network.Tensors {
		if t.Kind == network.Weight && int64(len(data[t.Name])) != t.Size {
			return nil, &InputError{fmt.Errorf("tensor %s has %d bytes of data in the file, not %d: its weights are elsewhere", t.Name, len(data[t.Name]), t.Size)}
		}
	}
	return export.Weights(s.Network, func(t network.Tensor) []byte { return data[t.Name] }), nil
}
