package export

import (
	"fmt"
	"io"
	"math"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/csource"
)

// tableRow is the type of the rows of a C table.
const tableRow = `struct %s_row {
    uint64_t %s; /* %s */
    uint64_t size; /* bytes */
    int64_t first, last; /* positions of operators or events, both inclusive */
    int64_t known_at; /* position at which the size is known; INT64_MIN: from the start */
};

`

// writeTable writes a C table with a row for each record: its offset or object, its size and its positions.
func writeTable(out io.Writer, p *Plan) error {
	w := newCWriter(p, "plan")
	field, about := "offset", "bytes from the start of the memory"
	if p.Places.Approach == alloc.Shared {
		field, about = "object", "index of the shared object"
	}
	w.define("MEMORY_BYTES", p.Places.Total, "")
	w.define("ROWS", int64(len(p.Records)), "")
	w.WriteString("\n")
	fmt.Fprintf(w, tableRow, w.lower, field, about)
	if sizes := p.Places.ObjectSizes; len(sizes) > 0 {
		fmt.Fprintf(w, "/* The size of each shared object, in bytes. */\nstatic const uint64_t %s_object_sizes[%d] = {", w.lower, len(sizes))
		list(w, len(sizes), func(i int) string { return fmt.Sprint(sizes[i]) })
		w.WriteString("\n};\n\n")
	}
	fmt.Fprintf(w, "static const struct %s_row %s_rows[] = {\n", w.lower, w.lower)
	for i, r := range p.Records {
		known := "INT64_MIN"
		if p.KnownAt != nil && p.KnownAt[i] != math.MinInt {
			known = fmt.Sprint(p.KnownAt[i])
		}
		fmt.Fprintf(w, "    {%d, %d, %d, %d, %s}, /* %s */\n", p.place(i), r.Size, r.First, r.Last, known, csource.Comment(r.ID))
	}
	if len(p.Records) == 0 {
		w.WriteString("    {0, 0, 0, 0, 0},\n")
	}
	w.WriteString("};\n")
	return w.end(out)
}
