package export

import (
	"bytes"
	"fmt"
	"path/filepath"
	"sort"
	"strings"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/integer"
)

// about is the comment at the start of the file.
const about = ` * Copy the rows whose wait is STAY before the first run, and leave them in memory.
 * In a run, copy the other rows in their order: a row may be copied when the layer in
 * its column "wait" has computed, or from the start of the run where that is 0. Layer i may
 * compute when layer i-1 has, and when all rows of layer i are in memory.
 * Storage offsets count from the beginning of the weights, which lie in the
 * order of this table's layers, each at a multiple of 64. */
`

// record is the type of the table's rows.
const record = `static const struct {
    int32_t layer;
    int32_t wait;     /* the layer that is to have computed, or STAY */
    uint64_t storage; /* bytes from the beginning of the weights */
    uint64_t address; /* bytes from the beginning of the memory */
    uint64_t size;    /* bytes */
} %s_weights[] = {
`

// C writes a header, valid in C99 and C++, with a table of weights: the layer, the layer that the load
// waits for, the offsets in storage and in memory, and the size, all in bytes. Identifiers are made
// from the name of the input.
func C(net *network.Network, plan *stream.Plan, name string) []byte {
	var b bytes.Buffer
	upper, lower := csource.Identifier(name, strings.ToUpper), csource.Identifier(name, strings.ToLower)
	fmt.Fprintf(&b, "/* Weights of %s, loaded ahead, made by tflarena.\n%s", csource.Comment(filepath.Base(name)), about)
	fmt.Fprintf(&b, "#ifndef %s_STREAM_H_\n#define %s_STREAM_H_\n\n#include <stdint.h>\n\n", upper, upper)
	fmt.Fprintf(&b, "#define %s_MEMORY_BYTES %d\n#define %s_LAYERS %d\n#define %s_STAY (-1)\n\n", upper, plan.Peak, upper, len(net.Layers), upper)
	fmt.Fprintf(&b, record, lower)
	weights := 0
	for _, row := range rows(net, plan) {
		fmt.Fprintf(&b, "    {%d, %d, %d, %d, %d},\n", row.layer, row.wait, row.storage, row.address, row.size)
		weights++
	}
	if weights == 0 {
		b.WriteString("    {0, 0, 0, 0, 0},\n")
	}
	fmt.Fprintf(&b, "};\n\n#define %s_WEIGHTS %d\n\n", upper, weights)
	activations(&b, net, plan, lower)
	fmt.Fprintf(&b, "\n#endif /* %s_STREAM_H_ */\n", upper)
	return b.Bytes()
}

// A row is one weight of the table.
type row struct {
	layer, wait            int
	storage, address, size int64
}

// rows returns the weights in the order of their layers.
func rows(net *network.Network, plan *stream.Plan) []row {
	var list []row
	for i, t := range net.Tensors {
		if t.Kind != network.Weight {
			continue
		}
		r := row{layer: t.First, wait: plan.Waits[t.First], address: plan.Offsets[i], size: t.Size}
		if plan.Resident[i] {
			r.wait = -1
		}
		list = append(list, r)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].layer < list[j].layer })
	var storage int64
	for k := range list {
		list[k].storage = storage
		storage += integer.RoundUp(list[k].size, network.Alignment)
	}
	return list
}

// activations writes the offsets of the activations and the intermediates, in order.
func activations(b *bytes.Buffer, net *network.Network, plan *stream.Plan, lower string) {
	for _, kind := range []network.Kind{network.Activation, network.Intermediate} {
		fmt.Fprintf(b, "static const uint64_t %s_%ss[] = {", lower, kind)
		count := 0
		for i, t := range net.Tensors {
			if t.Kind != kind {
				continue
			}
			if count%6 == 0 {
				b.WriteString("\n    ")
			} else {
				b.WriteByte(' ')
			}
			fmt.Fprintf(b, "%d,", plan.Offsets[i])
			count++
		}
		if count == 0 {
			b.WriteString("\n    0,")
		}
		b.WriteString("\n};\n")
	}
}
