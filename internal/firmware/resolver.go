package firmware

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Operators are the kinds of operators in all subgraphs of a model, each once and sorted by name.
type Operators struct {
	// Adds are the methods of MicroMutableOpResolver for kernels of TensorFlow Lite Micro.
	Adds []string
	// Custom are the custom operators whose kernels the application has to provide, and Lacking the
	// unavailable operators.
	Custom, Lacking []string
}

// Of returns the kinds of operators of a model.
func Of(m *tflite.Model) Operators {
	var o Operators
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			op := &m.Subgraphs[s].Operators[i]
			code := m.OperatorCodes[op.Code]
			add, list := adds[code.Builtin], &o.Lacking
			if code.Builtin == schema.BuiltinOperatorCUSTOM {
				add, list = customAdds[code.Custom], &o.Custom
			}
			if add != "" {
				o.Adds = append(o.Adds, add)
			} else {
				*list = append(*list, op.Name)
			}
		}
	}
	for _, list := range []*[]string{&o.Adds, &o.Custom, &o.Lacking} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return o
}

// writeResolver writes a C++ header with a resolver for exactly the model's operators, and the function
// that adds them.
func writeResolver(out io.Writer, p *Program) error {
	o := Of(p.Model)
	lower, guard := p.lower(), p.upper()+"_OP_RESOLVER_H_"
	var b bytes.Buffer
	note := func(text string) { b.WriteString(csource.Block(text)) }
	note(fmt.Sprintf("The operators of %s for TensorFlow Lite Micro, made by tflarena.", filepath.Base(p.Name)))
	fmt.Fprintf(&b, "#ifndef %s\n#define %s\n\n#include \"tensorflow/lite/micro/micro_mutable_op_resolver.h\"\n\n", guard, guard)
	if len(o.Lacking) > 0 {
		note("TensorFlow Lite Micro has no kernel for these operators of the model, and would not run it: " + strings.Join(o.Lacking, ", ") + ".")
	}
	if len(o.Custom) > 0 {
		note("There is room for these custom operators, whose kernels the application adds with AddCustom(name, registration): " + strings.Join(o.Custom, ", ") + ".")
	}
	// C++ has no arrays without elements.
	fmt.Fprintf(&b, "using %s_op_resolver = tflite::MicroMutableOpResolver<%d>;\n\n", lower, max(len(o.Adds)+len(o.Custom), 1))
	parameter := "resolver"
	if len(o.Adds) == 0 {
		parameter = "" // compilers warn of an unused one
	}
	fmt.Fprintf(&b, "inline TfLiteStatus %s_add_operators(%s_op_resolver& %s) {\n", lower, lower, parameter)
	for _, add := range o.Adds {
		fmt.Fprintf(&b, "  if (resolver.%s() != kTfLiteOk) return kTfLiteError;\n", add)
	}
	fmt.Fprintf(&b, "  return kTfLiteOk;\n}\n\n#endif /* %s */\n", guard)
	_, err := b.WriteTo(out)
	return err
}
