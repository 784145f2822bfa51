// Package cheader writes memory plans as C, for programs that cannot take one from
// the metadata of a model: constants, the data of a metadata entry, and the struct
// that TensorFlow Lite Micro's NonPersistentMemoryPlannerShim reads. What it writes
// is C99 and C++ alike.
package cheader

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// nameWidth is how many characters of a tensor's name are shown.
const nameWidth = 48

// A Plan is a plan of all that TensorFlow Lite Micro places in the head of its arena.
// All sizes and offsets are in bytes.
type Plan struct {
	// Input is the model's path, from which the identifiers are made.
	Input string
	// Records are the planned tensors, in the order of the file, then the scratch;
	// Offsets is where each lies, Total what all of them take.
	Records []lifetime.Record
	Offsets []int64
	Total   int64
	// Tensors is how many of the records are tensors.
	Tensors int
	// Requests is the scratch that was asked for; some of it may have no record.
	Requests []rules.Request
	// Scratch says which scratch that is, and Expected is how many requests the
	// reference kernels make.
	Scratch  string
	Expected int
	// Metadata is the plan as a model file has it, one offset for each tensor of its
	// subgraphs, and Subgraphs how many there are; Head is what the runtime takes
	// with it.
	Metadata  []int32
	Subgraphs int
	Head      int64
	// Arena is the smallest arena in which allocation succeeds, Target what it is counted for.
	Arena  int64
	Target string
	// Alignment is what every offset is a multiple of.
	Alignment int64
}

// Header returns the sizes and offsets as constants, and the data of the metadata
// entry OfflineMemoryAllocation.
func (p *Plan) Header() []byte {
	w := newWriter(p, "memory_plan", "Offsets count from the start of the arena's head, which has to be as aligned as they are.", p.Scratch+".")
	w.define("ARENA_HEAD_BYTES", p.Head, "what the runtime takes for tensors and scratch with the data below")
	w.define("ARENA_BYTES", p.Arena, "the smallest arena in which AllocateTensors succeeds: "+p.Target)
	w.define("ARENA_ALIGNMENT", p.Alignment, "")
	w.WriteString("\n/* Where each tensor lies: SUBGRAPH_TENSOR. */\n")
	for i, r := range p.Records[:p.Tensors] {
		w.define("OFFSET_"+strings.ReplaceAll(r.ID, ":", "_"), p.Offsets[i], fmt.Sprintf("%s, %d B", tables.Elide(r.Name, nameWidth), r.Size))
	}
	w.WriteString("\n/* The data of the metadata entry OfflineMemoryAllocation: version, subgraphs,\n" +
		" * tensors, and an offset for each; -1 leaves the tensor to the runtime. */\n")
	data := append([]int32{1, int32(p.Subgraphs), int32(len(p.Metadata))}, p.Metadata...)
	fmt.Fprintf(w, "static const int32_t %s_offline_memory_allocation[%d] = {", w.lower, len(data))
	list(w, len(data), func(i int) string { return fmt.Sprint(data[i]) })
	w.WriteString("\n};\n")
	return w.end()
}

// BufferPlan returns the plan in the form of TensorFlow Lite Micro's BufferPlan: entry
// k is where the k-th buffer goes that the runtime adds to its planner, tensors in the
// order of the file and then scratch in the order of the requests. It is an error when
// an offset does not fit.
func (p *Plan) BufferPlan() ([]byte, error) {
	offsets := p.buffers()
	for _, offset := range offsets {
		if offset > math.MaxInt32 {
			return nil, fmt.Errorf("offset %d does not fit the 32 bits of a BufferPlan", offset)
		}
	}
	about := []string{
		fmt.Sprintf("Entry k belongs to the k-th buffer: those of tensors (%d), then those of requests for scratch (%d).", p.Tensors, len(p.Requests)),
		fmt.Sprintf("The runtime reserves no memory for this plan: the arena's head has to have %s_HEAD_BYTES free.", identifier(p.Input, strings.ToUpper)),
		p.Scratch + ".",
	}
	if len(p.Requests) < p.Expected {
		about = append(about, fmt.Sprintf("The reference kernels ask for more (requests: %d): with them the runtime has more buffers than this plan, "+
			"which NonPersistentMemoryPlannerShim refuses.", p.Expected))
	}
	w := newWriter(p, "buffer_plan", about...)
	w.define("HEAD_BYTES", p.Total, "")
	w.define("BUFFERS", int64(len(offsets)), "")
	fmt.Fprintf(w, "\n/* The layout of tflite::BufferPlan, for\n"+
		" * reinterpret_cast<const tflite::BufferPlan*>(&%s_buffer_plan). */\n", w.lower)
	n := max(len(offsets), 1)
	fmt.Fprintf(w, "struct %s_buffer_descriptor {\n  int32_t offset;\n};\n", w.lower)
	fmt.Fprintf(w, "struct %s_buffer_plan_entries {\n  int32_t buffer_count;\n  struct %s_buffer_descriptor buffer_plan_entries[%d];\n};\n", w.lower, w.lower, n)
	fmt.Fprintf(w, "static const struct %s_buffer_plan_entries %s_buffer_plan = {\n  %d,\n  {", w.lower, w.lower, len(offsets))
	list(w, n, func(i int) string {
		if i >= len(offsets) {
			return "{0}"
		}
		return fmt.Sprintf("{%d}", offsets[i])
	})
	w.WriteString("\n  }\n};\n")
	return w.end(), nil
}

// buffers returns the offsets in the order of buffers. A request without a record is
// empty, or is that of an operator that never runs.
func (p *Plan) buffers() []int64 {
	offsets := make([]int64, p.Tensors+len(p.Requests))
	copy(offsets, p.Offsets[:p.Tensors])
	of := map[string]int64{}
	for i, r := range p.Records[p.Tensors:] {
		of[r.ID] = p.Offsets[p.Tensors+i]
	}
	for k := range p.Requests {
		offsets[p.Tensors+k] = of[fmt.Sprintf("scratch:%d", k)]
	}
	return offsets
}

// A writer writes one header.
type writer struct {
	bytes.Buffer
	lower, upper, guard string
}

func newWriter(p *Plan, kind string, about ...string) *writer {
	w := &writer{lower: identifier(p.Input, strings.ToLower), upper: identifier(p.Input, strings.ToUpper)}
	w.guard = w.upper + "_" + strings.ToUpper(kind) + "_H_"
	fmt.Fprintf(w, "/* Memory plan of %s, made by tflarena.", comment(filepath.Base(p.Input)))
	for _, text := range about {
		w.WriteString("\n *" + wrap(comment(text), "\n *"))
	}
	w.WriteString(" */\n")
	fmt.Fprintf(w, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", w.guard, w.guard)
	return w
}

func (w *writer) define(name string, value int64, about string) {
	fmt.Fprintf(w, "#define %s_%s %d", w.upper, name, value)
	if about != "" {
		fmt.Fprintf(w, " /* %s */", comment(about))
	}
	w.WriteString("\n")
}

func (w *writer) end() []byte {
	fmt.Fprintf(w, "\n#endif /* %s */\n", w.guard)
	return w.Bytes()
}

// list writes n elements, eight a line.
func list(w *writer, n int, element func(int) string) {
	for i := range n {
		switch {
		case i%8 == 0:
			w.WriteString("\n    ")
		default:
			w.WriteString(" ")
		}
		w.WriteString(element(i) + ",")
	}
}

// identifier makes a C identifier of a path's base name. None that C or C++ reserve
// come out: they begin with a letter and have no two underscores in a row.
func identifier(path string, letters func(string) string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if _, network, ok := strings.Cut(path, "builtin:"); ok {
		base = network
	}
	words := strings.FieldsFunc(base, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "_")
	if name == "" || name == "stdin" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("model_"+strings.TrimPrefix(name, "stdin"), "_")
	}
	return letters(name)
}

// wrap breaks a text into lines of no more than 90 characters where it has blanks,
// each word after a blank or the line break.
func wrap(text, lineBreak string) string {
	const width = 90
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		if column += 1 + len(word); i > 0 && column > width {
			b.WriteString(lineBreak)
			column = 1 + len(word)
		}
		b.WriteString(" " + word)
	}
	return b.String()
}

// comment makes a name fit for a comment, which nothing in it may end or continue.
func comment(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`*\?`, r) {
			return '_'
		}
		return r
	}, s)
}
