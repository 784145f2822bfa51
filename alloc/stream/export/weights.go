package export

import (
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// Weights returns the storage that the tables of [C] refer to: the data of all weights in the order of their layers, each at a
// multiple of 64 bytes.
func Weights(net *network.Network, data func(network.Tensor) []byte) []byte {
	var blob []byte
	for _, w := range stored(net) {
		blob = append(append(blob, make([]byte, w.offset-int64(len(blob)))...), data(net.Tensors[w.tensor])...)
	}
	return blob
}
