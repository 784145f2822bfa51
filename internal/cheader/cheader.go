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

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime"
)

// nameWidth is how many characters of a tensor's name are shown.
const nameWidth = 48

// A Plan is a plan of all that TensorFlow Lite Micro places in the head of its arena.
// All sizes and offsets are in bytes.
type Plan struct {
	// Input is the model's path, from which the identifiers are made.
	Input string
	// Tensors are the planned tensors, in the order of the file, and Scratch has a buffer
	// for each request, in the order in which kernels ask: one that is empty, or that of an
	// operator that never runs, is the zero value. Total is what all of them take.
	Tensors, Scratch []lifetime.Placed
	Total            int64
	// Notes say what the plan counts on, a sentence each without its full stop. Expected
	// is how many requests for scratch the reference kernels make.
	Notes    []string
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
	// Alignment is what the address of the arena is to be a multiple of: a power of two.
	Alignment int64
}

// Header returns the sizes and offsets as constants, and the data of the metadata
// entry OfflineMemoryAllocation.
func (p *Plan) Header() []byte {
	w := newWriter(p, "memory_plan", "Offsets count from the start of the arena's head, which has to be as aligned as they are.")
	w.define("PLAN_HEAD_BYTES", p.Total, "where the last tensor or scratch buffer of this plan ends")
	w.define("ARENA_HEAD_BYTES", p.Head, "what the runtime takes for tensors and scratch with the data below")
	w.define("ARENA_BYTES", p.Arena, "the smallest arena in which AllocateTensors succeeds: "+p.Target)
	w.define("ARENA_ALIGNMENT", p.Alignment, "")
	w.WriteString("\n/* Where each tensor lies: SUBGRAPH_TENSOR. */\n")
	for _, t := range p.Tensors {
		w.define("OFFSET_"+strings.ReplaceAll(t.ID, ":", "_"), t.At, fmt.Sprintf("%s, %d B", tables.Elide(t.Name, nameWidth), t.Size))
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
	buffers := append(slices.Clone(p.Tensors), p.Scratch...)
	for _, b := range buffers {
		if b.At > math.MaxInt32 {
			return nil, fmt.Errorf("offset %d does not fit the 32 bits of a BufferPlan", b.At)
		}
	}
	about := []string{
		fmt.Sprintf("Entry k belongs to the k-th buffer: those of tensors (%d), then those of requests for scratch (%d).", len(p.Tensors), len(p.Scratch)),
		fmt.Sprintf("The runtime reserves no memory for this plan: the arena's head has to have %s_HEAD_BYTES free.", identifier(p.Input, strings.ToUpper)),
	}
	if len(p.Scratch) < p.Expected {
		about = append(about, fmt.Sprintf("The reference kernels ask for more (requests: %d): with them the runtime has more buffers than this plan, "+
			"which NonPersistentMemoryPlannerShim refuses.", p.Expected))
	}
	w := newWriter(p, "buffer_plan", about...)
	w.define("HEAD_BYTES", p.Total, "")
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
	return w.end(), nil
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
	for _, note := range p.Notes {
		about = append(about, strings.ToUpper(note[:1])+note[1:]+".")
	}
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
