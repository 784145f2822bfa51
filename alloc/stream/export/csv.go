package export

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/alloc/stream"
)

// CSV writes a row for each tensor: its type, its index among those of the type, its layer, the
// first and the last step in which it holds memory, both inclusive, its offset and its size in
// bytes, and whether it is resident. The last column is the layer after whose computing a weight may
// be loaded, and empty for all others.
func CSV(net *stream.Network, plan *stream.Plan) []byte {
	var b bytes.Buffer
	b.WriteString("type,index,layer,first_step,last_step,offset,size,resident,waits_for\n")
	var count [3]int
	for i, t := range net.Tensors {
		first, last, waits := plan.Start[i], t.Last, ""
		if plan.Resident[i] {
			first, last = 0, len(net.Layers)-1
		} else if t.Kind == stream.Weight {
			waits = fmt.Sprint(plan.Waits[t.First])
		}
		fmt.Fprintf(&b, "%v,%d,%d,%d,%d,%d,%d,%v,%s\n", t.Kind, count[t.Kind], t.First, first, last, plan.Offsets[i], t.Size, plan.Resident[i], waits)
		count[t.Kind]++
	}
	return b.Bytes()
}
