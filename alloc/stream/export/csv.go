package export

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
)

// CSV writes a row for each tensor: its type, its index among tensors of the type, its layer, the
// first and last step in which it holds memory, both inclusive, its offset and size in bytes, and
// whether it is resident. The last column is the layer that the load of a streamed weight waits for.
func CSV(net *network.Network, plan *stream.Plan) []byte {
	var b bytes.Buffer
	b.WriteString("type,index,layer,first_step,last_step,offset,size,resident,waits_for\n")
	var count [3]int
	for i, t := range net.Tensors {
		first, last, waits := plan.Start[i], t.Last, ""
		if plan.Resident[i] {
			first, last = 0, len(net.Layers)-1
		} else if t.Kind == network.Weight {
			waits = fmt.Sprint(plan.Waits[t.First])
		}
		fmt.Fprintf(&b, "%v,%d,%d,%d,%d,%d,%d,%v,%s\n", t.Kind, count[t.Kind], t.First, first, last, plan.Offsets[i], t.Size, plan.Resident[i], waits)
		count[t.Kind]++
	}
	return b.Bytes()
}
