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
 * order of this table's layers, each at a multiple of 64.
`

// aboutPlans is the part of the comment about several plans.
const aboutPlans = ` * There is a plan for each budget, the smallest budget first. A run follows one plan, and
 * the next run may follow another: before it, copy the rows of that plan whose wait is STAY,
 * except rows that had the same address and the wait STAY in the plan before. Row i is the
 * same weight in all plans.
`

// record is the type of the table's rows.
const record = `struct %s_weight {
    int32_t layer;
    int32_t wait;     /* the layer that is to have computed, or STAY */
    uint64_t storage; /* bytes from the beginning of the weights */
    uint64_t address; /* bytes from the beginning of the memory */
    uint64_t size;    /* bytes */
};

`

// planRecord is the type of a plan.
const planRecord = `struct %[1]s_plan {
    uint64_t budget; /* bytes */
    uint64_t memory; /* bytes that the plan takes */
    const struct %[1]s_weight *weights;
    const uint64_t *activations;
    const uint64_t *intermediates;
};

`

// C writes a header, valid in C99 and C++, with a table of weights for each plan: the layer, the layer that the load
// waits for, the offsets in storage and in memory, and the size, all in bytes. There is at least one plan, and all are of the
// network, in ascending budgets; several also have a table of plans. Identifiers are made from the name of the input.
func C(net *network.Network, plans []*stream.Plan, name string) []byte {
	var b bytes.Buffer
	upper, lower := csource.Identifier(name, strings.ToUpper), csource.Identifier(name, strings.ToLower)
	fmt.Fprintf(&b, "/* Prefetched weights of %s, made by tflarena.\n%s", csource.Comment(filepath.Base(name)), about)
	if len(plans) > 1 {
		b.WriteString(aboutPlans)
	}
	var memory int64
	weights := 0
	for _, plan := range plans {
		memory, weights = max(memory, plan.Peak), len(rows(net, plan))
	}
	fmt.Fprintf(&b, " */\n#ifndef %s_STREAM_H_\n#define %s_STREAM_H_\n\n#include <stdint.h>\n\n", upper, upper)
	fmt.Fprintf(&b, "#define %s_MEMORY_BYTES %d\n#define %s_LAYERS %d\n", upper, memory, upper, len(net.Layers))
	fmt.Fprintf(&b, "#define %s_WEIGHTS %d\n#define %s_STAY (-1)\n\n", upper, weights, upper)
	fmt.Fprintf(&b, record, lower)
	for i, plan := range plans {
		suffix := ""
		if len(plans) > 1 {
			suffix = fmt.Sprintf("_%d", i)
		}
		weightTable(&b, net, plan, lower, suffix)
		offsets(&b, net, plan, lower, suffix)
	}
	if len(plans) > 1 {
		planTable(&b, plans, upper, lower)
	}
	fmt.Fprintf(&b, "#endif /* %s_STREAM_H_ */\n", upper)
	return b.Bytes()
}

// planTable writes the table of plans.
func planTable(b *bytes.Buffer, plans []*stream.Plan, upper, lower string) {
	fmt.Fprintf(b, "#define %s_PLANS %d\n\n", upper, len(plans))
	fmt.Fprintf(b, planRecord, lower)
	fmt.Fprintf(b, "static const struct %s_plan %s_plans[] = {\n", lower, lower)
	for i, plan := range plans {
		fmt.Fprintf(b, "    {%d, %d, %s_weights_%d, %s_activations_%d, %s_intermediates_%d},\n", plan.Budget, plan.Peak, lower, i, lower, i, lower, i)
	}
	b.WriteString("};\n\n")
}

// weightTable writes the rows of a plan.
func weightTable(b *bytes.Buffer, net *network.Network, plan *stream.Plan, lower, suffix string) {
	fmt.Fprintf(b, "static const struct %s_weight %s_weights%s[] = {\n", lower, lower, suffix)
	list := rows(net, plan)
	if len(list) == 0 {
		list = make([]row, 1)
	}
	for _, row := range list {
		fmt.Fprintf(b, "    {%d, %d, %d, %d, %d},\n", row.layer, row.wait, row.storage, row.address, row.size)
	}
	b.WriteString("};\n\n")
}

// A row is one weight of the table.
type row struct {
	layer, wait            int
	storage, address, size int64
}

// A weight is the place of a weight in storage.
type weight struct {
	tensor int   // index in the network
	offset int64 // bytes
}

// stored returns the weights in the order of their layers.
func stored(net *network.Network) []weight {
	var list []weight
	for i, t := range net.Tensors {
		if t.Kind == network.Weight {
			list = append(list, weight{tensor: i})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return net.Tensors[list[i].tensor].First < net.Tensors[list[j].tensor].First })
	var end int64
	for k := range list {
		list[k].offset = end
		end += integer.RoundUp(net.Tensors[list[k].tensor].Size, network.Alignment)
	}
	return list
}

// rows returns the weights in the order of their layers.
func rows(net *network.Network, plan *stream.Plan) []row {
	var list []row
	for _, w := range stored(net) {
		t := net.Tensors[w.tensor]
		r := row{layer: t.First, wait: plan.Waits[t.First], storage: w.offset, address: plan.Offsets[w.tensor], size: t.Size}
		if plan.Resident[w.tensor] {
			r.wait = -1
		}
		list = append(list, r)
	}
	return list
}

// offsets writes the offsets of the activations and the intermediates, in order.
func offsets(b *bytes.Buffer, net *network.Network, plan *stream.Plan, lower, suffix string) {
	for _, kind := range []network.Kind{network.Activation, network.Intermediate} {
		fmt.Fprintf(b, "static const uint64_t %s_%ss%s[] = {", lower, kind, suffix)
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
		b.WriteString("\n};\n\n")
	}
}
