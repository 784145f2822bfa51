package kernels

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelDocument compares the tables of docs/kernels.md with the code; -update writes them.
func TestKernelDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "..", "docs", "kernels.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, part := range []struct{ name, text string }{
		{"kept", keptTable()}, {"scratch", scratchTable()}, {"words", wordsTable()},
	} {
		first, last := "<!-- "+part.name+" -->\n", "<!-- end of "+part.name+" -->\n"
		before, rest, begins := strings.Cut(text, first)
		_, after, ends := strings.Cut(rest, last)
		if !begins || !ends {
			t.Fatalf("%s has no part %s", path, part.name)
		}
		text = before + first + "\n" + part.text + "\n" + last + after
	}
	golden.File(t, path, []byte(text))
}

// keptTable lists the persistent memory of kernels in Init, for those that differ from the
// reference kernels.
func keptTable() string {
	var codes []schema.BuiltinOperator
	for _, l := range Libraries[1:] {
		for code, r := range l.kernels {
			if r.memory != nil && !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	slices.Sort(codes)
	var b strings.Builder
	b.WriteString("| operator | reference | CMSIS-NN | CMSIS-NN for size | ESP-NN |\n|---|--:|--:|--:|--:|\n")
	for _, code := range codes {
		fmt.Fprintf(&b, "| %v |", code)
		for _, name := range []string{"reference", "cmsis-nn-mve", "cmsis-nn-mve-size", "esp-nn-s3"} {
			d, _ := named(name).builtin(code)
			k := &Kernel{abi: ESP, demand: d}
			sizes := &keeps{}
			k.Init(sizes)
			fmt.Fprintf(&b, " %s |", strings.Join(sizes.sizes, " + "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// keeps records persistent memory.
type keeps struct{ sizes []string }

func (*keeps) Temporary(*tflite.Tensor) {}
func (*keeps) Reads(Part)               {}
func (*keeps) Scratch(int64)            {}
func (c *keeps) Keep(count, bytes int64) {
	for range count {
		c.sizes = append(c.sizes, fmt.Sprint(bytes))
	}
}

func scratchTable() string {
	var b strings.Builder
	b.WriteString("| operator | libraries | request | when | bytes |\n|---|---|--:|---|---|\n")
	for _, p := range pages {
		for i, r := range p.requests {
			for _, w := range r {
				bytes := "none"
				if w.bytes != "" {
					bytes = "`" + w.bytes + "`"
				}
				fmt.Fprintf(&b, "| %v | %s | %d | %s | %s |\n", p.code, buildNames(p.builds), i+1, conditionOf(w.when), bytes)
			}
		}
	}
	return b.String()
}

func conditionOf(when string) string {
	if when == "true" {
		return "always"
	}
	return "`" + strings.ReplaceAll(when, "|", "\\|") + "`"
}

// buildNames names libraries, with one name for all builds of a kind.
func buildNames(list []string) string {
	var names []string
	for _, l := range Libraries {
		if !slices.Contains(list, l.Base()) {
			continue
		}
		if plain, small := strings.CutSuffix(l.Base(), "-size"); small && slices.Contains(list, plain) {
			names[len(names)-1] = "`" + plain + "`, `-size`"
			continue
		}
		names = append(names, "`"+l.Base()+"`")
	}
	for _, name := range list {
		base, first, _ := strings.Cut(name, "@")
		for _, versions := range espGenerations {
			if oldest(versions) == first {
				names = append(names, fmt.Sprintf("`%s` %s to %s", base, first, versions[0]))
			}
		}
	}
	return strings.Join(names, ", ")
}

func wordsTable() string {
	var b strings.Builder
	b.WriteString("| word | means |\n|---|---|\n")
	for _, w := range words {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", w.name, strings.ReplaceAll(w.means, "|", "\\|"))
	}
	return b.String()
}
