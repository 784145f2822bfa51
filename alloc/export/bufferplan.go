package export

import (
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/csource"
)

// writeBufferPlan writes the plan as a BufferPlan of TensorFlow Lite Micro, which
// NonPersistentMemoryPlannerShim reads: entry k is the offset of the k-th buffer that the runtime adds
// to its planner, tensors in the order of the model, then scratch in the order of requests. An offset
// that does not fit is an error.
func writeBufferPlan(out io.Writer, p *Plan) error {
	p, err := p.inOffsets()
	if err != nil {
		return err
	}
	f := p.Firmware
	tensors, scratch := p.buffers()
	buffers := append(slices.Clone(tensors), scratch...)
	for _, b := range buffers {
		if b.At > math.MaxInt32 {
			return planErrorf("offset %d does not fit the 32 bits of a BufferPlan", b.At)
		}
	}
	about := []string{
		fmt.Sprintf("Entry k belongs to the k-th buffer: those of tensors (%d), then those of requests for scratch (%d).", len(tensors), len(scratch)),
		fmt.Sprintf("The runtime reserves no memory for this plan: the arena's head has to have %s_HEAD_BYTES free.", csource.Identifier(p.Name, strings.ToUpper)),
	}
	if len(scratch) < f.Expected {
		about = append(about, fmt.Sprintf("The %s kernels ask for more (%d requests): with them the runtime has more buffers than this plan, "+
			"which NonPersistentMemoryPlannerShim refuses.", f.Kernels, f.Expected))
	}
	w := newCWriter(p, "buffer_plan", about...)
	w.define("HEAD_BYTES", p.Places.Total, "")
	w.define("BUFFERS", int64(len(buffers)), "")
	fmt.Fprintf(w, "\n/* The layout of tflite::BufferPlan, for\n"+
		" * reinterpret_cast<const tflite::BufferPlan*>(&%s_buffer_plan). */\n", w.lower)
	n := max(len(buffers), 1)
	fmt.Fprintf(w, "struct %s_buffer_descriptor {\n  int32_t offset;\n};\n", w.lower)
	fmt.Fprintf(w, "struct %s_buffer_plan_entries {\n  int32_t buffer_count;\n  struct %s_buffer_descriptor buffer_plan_entries[%d];\n};\n", w.lower, w.lower, n)
	fmt.Fprintf(w, "static const struct %s_buffer_plan_entries %s_buffer_plan = {\n  %d,\n  {", w.lower, w.lower, len(buffers))
	list(w, n, func(i int) string {
		if i >= len(buffers) {
			return "{0}"
		}
		return fmt.Sprintf("{%d}", buffers[i].At)
	})
	w.WriteString("\n  }\n};\n")
	return w.end(out)
}
