package export

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// A cWriter writes one header, which is C99 and C++ alike.
type cWriter struct {
	bytes.Buffer
	lower, upper, guard string
}

func newCWriter(p *Plan, kind string, about ...string) *cWriter {
	w := &cWriter{lower: identifier(p.Name, strings.ToLower), upper: identifier(p.Name, strings.ToUpper)}
	w.guard = w.upper + "_" + strings.ToUpper(kind) + "_H_"
	fmt.Fprintf(w, "/* Memory plan of %s, made by tflarena.", comment(filepath.Base(p.Name)))
	for _, note := range p.Notes {
		if note != "" {
			about = append(about, strings.ToUpper(note[:1])+note[1:]+".")
		}
	}
	for _, text := range about {
		w.WriteString("\n *" + wrap(comment(text), "\n *"))
	}
	w.WriteString(" */\n")
	fmt.Fprintf(w, "#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", w.guard, w.guard)
	return w
}

func (w *cWriter) define(name string, value int64, about string) {
	fmt.Fprintf(w, "#define %s_%s %d", w.upper, name, value)
	if about != "" {
		fmt.Fprintf(w, " /* %s */", comment(about))
	}
	w.WriteString("\n")
}

// end ends the header and writes it.
func (w *cWriter) end(out io.Writer) error {
	fmt.Fprintf(w, "\n#endif /* %s */\n", w.guard)
	_, err := w.WriteTo(out)
	return err
}

// list writes n elements, eight a line.
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

// identifier makes a C identifier of a path's base name. None that C or C++ reserve
// come out: they begin with a letter and have no two underscores in a row.
func identifier(path string, letters func(string) string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if _, network, ok := strings.Cut(path, "builtin:"); ok {
		base = network
	}
	words := strings.FieldsFunc(base, func(r rune) bool { return !isWord(r) })
	name := strings.Join(words, "_")
	if name == "" || name == "stdin" || name[0] >= '0' && name[0] <= '9' {
		name = strings.TrimSuffix("model_"+strings.TrimPrefix(name, "stdin"), "_")
	}
	return letters(name)
}

// isWord reports whether C allows a character everywhere in a name; an underscore is left out.
func isWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// suffix makes the end of a C identifier of an ID.
func suffix(id string) string {
	return strings.Map(func(r rune) rune {
		if isWord(r) {
			return r
		}
		return '_'
	}, id)
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
