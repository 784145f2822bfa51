package firmware

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tflarena/tflarena/internal/csource"
)

// alignment is the alignment in bytes that TensorFlow Lite Micro requires for the address of a model
// and of an arena. No table of a FlatBuffers model requires more.
const alignment = 16

// arrayText is the file around the bytes. Lower and upper are the model's name.
const arrayText = `/* {{title}}, as an array for TensorFlow Lite Micro, made by tflarena.
 * Compile this file once, as C11, C++11 or GNU C. Where the model is used, define
 * {{upper}}_DECLARE_ONLY and include this file: then it declares the array and has no bytes. */
#ifndef {{upper}}_MODEL_
#define {{upper}}_MODEL_

/* The size of the model. */
#define {{upper}}_MODEL_BYTES {{size}}
{{arena}}
/* What the addresses of the model and of the arena have to be multiples of. */
#define {{upper}}_ALIGNMENT {{alignment}}

#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char {{lower}}_model[{{upper}}_MODEL_BYTES];
extern const unsigned int {{lower}}_model_bytes;
#ifdef __cplusplus
}
#endif

#ifndef {{upper}}_DECLARE_ONLY
#if defined(__cplusplus)
alignas({{upper}}_ALIGNMENT)
#elif defined(__GNUC__)
__attribute__((aligned({{upper}}_ALIGNMENT)))
#else
_Alignas({{upper}}_ALIGNMENT)
#endif
const unsigned char {{lower}}_model[{{upper}}_MODEL_BYTES] = {`

const arrayEnd = `
};
const unsigned int {{lower}}_model_bytes = {{upper}}_MODEL_BYTES;
#endif

#endif /* {{upper}}_MODEL_ */
`

// writeArray writes the model as an aligned array of C and C++, with its length and the arena's.
func writeArray(out io.Writer, p *Program) error {
	lower, upper := csource.Identifier(p.Name, strings.ToLower), csource.Identifier(p.Name, strings.ToUpper)
	text, define := "The required arena in which AllocateTensors() succeeds: "+csource.Comment(p.Target)+". Kernels other than "+p.Kernels+" may need more.", fmt.Sprintf("\n#define %s_ARENA_BYTES %d", upper, p.Required)
	if p.Required == 0 {
		text, define = "The required arena is not known: it depends on kernels of the application.", ""
	}
	fill := strings.NewReplacer(
		"{{title}}", csource.Comment(filepath.Base(p.Name)), "{{lower}}", lower, "{{upper}}", upper,
		"{{size}}", fmt.Sprint(len(p.Model.Data)), "{{alignment}}", fmt.Sprint(alignment),
		"{{arena}}", fmt.Sprintf("/*%s */%s", csource.Wrap(text, "\n *"), define),
	)
	w := bufio.NewWriter(out)
	fill.WriteString(w, arrayText)
	writeBytes(w, p.Model.Data)
	fill.WriteString(w, arrayEnd)
	return w.Flush()
}

// writeBytes writes bytes as numbers, sixteen per line, without formatting functions, since models have
// many.
func writeBytes(w *bufio.Writer, data []byte) {
	const line, digits = 16, "0123456789abcdef"
	for i, b := range data {
		if i%line == 0 {
			w.WriteString("\n  ")
		}
		w.Write([]byte{'0', 'x', digits[b>>4], digits[b&15], ','})
	}
}
