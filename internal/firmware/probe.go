package firmware

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// The files of a probe.
const (
	ProbeSource  = "probe.c"    // the program
	ProbeCompile = "compile.sh" // the command that compiles and links it
)

// A Probe is a C program that measures the scratch requests of a model's operators in a copy of a
// kernel library. It prints a file for --scratch.
type Probe struct {
	// Name is the path of the model.
	Name string
	// Family and Variant identify the library, and Library is its display name.
	Family, Variant, Library string
	Requests                 []rules.SizeRequest
}

// A probeFamily is the differences between families of libraries.
type probeFamily struct {
	// root is the shell variable of the library's folder.
	root, header string
	// functions are the C functions that wrap the library's, by the function of a call.
	functions map[string]string
	// arguments are the arguments of such a function besides the operator.
	arguments func(c *rules.SizeCall) []int64
	// compile returns the command for a variant.
	compile func(variant string) string
}

// families are the libraries whose size functions are plain C.
var families = map[string]*probeFamily{"esp-nn": &espProbe, "cmsis-nn": &armProbe}

// HasProbe reports whether there is a probe for a family of libraries.
func HasProbe(family string) bool { return families[family] != nil }

// Source returns the program. A family without a probe is a programming error.
func (p *Probe) Source() []byte {
	f := families[p.Family]
	var b bytes.Buffer
	fmt.Fprintf(&b, "/* Prints how much scratch the operators of %s request with a copy of\n * %s, as CSV for 'tflarena --scratch'. Made by tflarena.\n *\n * %s\n */\n",
		csource.Comment(p.Name), csource.Comment(p.Library), csource.Comment(strings.TrimSpace(f.usage())))
	fmt.Fprintf(&b, "#include <stdint.h>\n#include <stdio.h>\n\n#include \"%s\"\n\n%s", f.header, probeRequest)
	written := map[string]bool{}
	for _, r := range p.Requests {
		if r.Call != nil && !written[r.Call.Function] {
			written[r.Call.Function] = true
			b.WriteString("\n" + p.functionOf(r.Call.Function))
		}
	}
	b.WriteString("\nint main(void)\n{\n    puts(\"subgraph,operator,bytes\");\n")
	for _, r := range p.Requests {
		if r.Call == nil {
			fmt.Fprintf(&b, "    request(%d, %d, 1, %dLL);\n", r.Subgraph, r.Operator, r.Bytes)
			continue
		}
		fmt.Fprintf(&b, "    %s(%d, %d, %d, %dLL", r.Call.Function, r.Subgraph, r.Operator, number(r.Call.Always), r.Call.More)
		for _, n := range f.arguments(r.Call) {
			fmt.Fprintf(&b, ", %d", n)
		}
		b.WriteString(");\n")
	}
	b.WriteString("    return 0;\n}\n")
	return b.Bytes()
}

// functionOf returns the C function that wraps a function of the library, with the suffix of the
// variant's core.
func (p *Probe) functionOf(name string) string {
	core, _, _ := strings.Cut(p.Variant, "-")
	suffix := map[string]string{"mve": "_mve", "dsp": "_dsp"}[core]
	text := strings.ReplaceAll(families[p.Family].functions[name], "{{core}}", suffix)
	return strings.ReplaceAll(text, "{{vectors}}", strings.TrimSuffix(suffix, "_dsp"))
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Compile returns the shell script that compiles the program.
func (p *Probe) Compile() []byte {
	f := families[p.Family]
	return fmt.Appendf(nil, "#!/bin/sh\n# %s\n%s\n", strings.TrimSpace(f.usage()), f.compile(p.Variant))
}

func (f *probeFamily) usage() string {
	return f.root + " names the folder of the library: " + f.root + "=... sh " + ProbeCompile + " && ./probe > scratch.csv"
}

// probeRequest prints a request. A function of the library may return a negative number.
const probeRequest = `static void request(int subgraph, int op, int always, long long bytes)
{
    if (bytes > 0 || always)
        printf("%d,%d,%lld\n", subgraph, op, bytes > 0 ? bytes : 0);
}
`

// linkerFlags are the flags that drop target code that the program does not call.
const linkerFlags = "-O2 -w -ffunction-sections -fdata-sections -Wl,--gc-sections"
