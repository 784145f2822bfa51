package export

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/csource"
)

// A cWriter writes one header that is valid C99 and C++.
type cWriter struct {
	bytes.Buffer
	lower, upper, guard string
}

func newCWriter(p *Plan, kind string, about ...string) *cWriter {
	w := &cWriter{lower: csource.Identifier(p.Name, strings.ToLower), upper: csource.Identifier(p.Name, strings.ToUpper)}
	w.guard = w.upper + "_" + strings.ToUpper(kind) + "_H_"
	fmt.Fprintf(w, "/* Memory plan of %s, made by tflarena.", csource.Comment(filepath.Base(p.Name)))
	for _, note := range p.Notes {
		if note != "" {
			about = append(about, strings.ToUpper(note[:1])+note[1:]+".")
		}
	}
	for _, text := range about {
		w.WriteString("\n *" + csource.Wrap(csource.Comment(text)))
	}
	w.WriteString(" */\n")
	fmt.Fprintf(w, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", w.guard, w.guard)
	return w
}

func (w *cWriter) define(name string, value int64, about string) {
	fmt.Fprintf(w, "#define %s_%s %d", w.upper, name, value)
	if about != "" {
		fmt.Fprintf(w, " /* %s */", csource.Comment(about))
	}
	w.WriteString("\n")
}

// end ends the header and writes it.
func (w *cWriter) end(out io.Writer) error {
	fmt.Fprintf(w, "\n#endif /* %s */\n", w.guard)
	_, err := w.WriteTo(out)
	return err
}

// list writes n elements, eight per line.
func list(w *cWriter, n int, element func(int) string) {
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

// suffix turns an ID into the end of a C identifier.
func suffix(id string) string {
	return strings.Map(func(r rune) rune {
		if csource.IsWord(r) {
			return r
		}
		return '_'
	}, id)
}
