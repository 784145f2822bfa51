package export

import (
	"fmt"
	"io"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// nameWidth is the number of characters shown of a tensor's name.
const nameWidth = 48

// writeHeader writes the sizes and offsets as C constants, and the data of the metadata entry
// OfflineMemoryAllocation.
func writeHeader(out io.Writer, p *Plan) error {
	p, err := p.inOffsets()
	if err != nil {
		return err
	}
	f := p.Firmware
	tensors, _ := p.buffers()
	w := newCWriter(p, "memory_plan", "Offsets count from the start of the arena's head, which has to be as aligned as they are.")
	w.define("PLAN_HEAD_BYTES", p.Places.Total, "where the last tensor or scratch buffer of this plan ends")
	w.define("ARENA_HEAD_BYTES", f.Head, "what the runtime takes for tensors and scratch with the data below")
	w.define("ARENA_BYTES", f.Required, "the required arena in which AllocateTensors succeeds: "+f.Target)
	w.define("ARENA_ALIGNMENT", f.Alignment, "")
	w.WriteString("\n/* Where each tensor lies: SUBGRAPH_TENSOR. */\n")
	for _, t := range tensors {
		w.define("OFFSET_"+suffix(t.ID), t.At, fmt.Sprintf("%s, %s", tables.Elide(t.Name, nameWidth), units.ExactBytes(t.Size)))
	}
	w.WriteString("\n/* The data of the metadata entry OfflineMemoryAllocation: version, subgraphs,\n" +
		" * tensors, and an offset for each; -1 leaves the tensor to the runtime. */\n")
	data := append([]int32{1, int32(f.Subgraphs), int32(len(f.Metadata))}, f.Metadata...)
	fmt.Fprintf(w, "static const int32_t %s_offline_memory_allocation[%d] = {", w.lower, len(data))
	list(w, len(data), func(i int) string { return fmt.Sprint(data[i]) })
	w.WriteString("\n};\n")
	return w.end(out)
}
