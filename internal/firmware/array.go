package firmware

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tflarena/tflarena/internal/csource"
)

// alignment is the alignment in bytes that TensorFlow Lite Micro requires for the address of a model
// and of an arena. No table of a FlatBuffers model requires more.
const alignment = 16

// The parts of the files around the bytes. Lower and upper are the model's name.
const (
	arrayTitle = `/* {{title}}, as an array for TensorFlow Lite Micro, made by tflarena.`

	arrayUse = `
 * Compile this file once, as C11, C++11 or GNU C. Where the model is used, define
 * {{upper}}_DECLARE_ONLY and include this file: then it declares the array and has no bytes.`

	arrayDeclaration = ` */
#ifndef {{upper}}_MODEL_
#define {{upper}}_MODEL_

/* The size of the model. */
#define {{upper}}_MODEL_BYTES {{size}}
{{arena}}/* The alignment of the addresses of the model and of the arena, in bytes. */
#define {{upper}}_ALIGNMENT {{alignment}}

#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char {{lower}}_model[{{upper}}_MODEL_BYTES];
extern const unsigned int {{lower}}_model_bytes;
#ifdef __cplusplus
}
#endif
`

	arrayBegin = `
#if defined(__cplusplus)
alignas({{upper}}_ALIGNMENT)
#elif defined(__GNUC__)
__attribute__((aligned({{upper}}_ALIGNMENT)))
#else
_Alignas({{upper}}_ALIGNMENT)
#endif
const unsigned char {{lower}}_model[{{upper}}_MODEL_BYTES] = {`

	arrayEnd = `
};
const unsigned int {{lower}}_model_bytes = {{upper}}_MODEL_BYTES;
`

	arrayGuardEnd = `
#endif /* {{upper}}_MODEL_ */
`
)

// writeArray writes the model as an aligned array of C and C++, with its length and the size of the arena, in
// a file that is also its own header.
func writeArray(out io.Writer, p *Program) error {
	return writeBytes(out, p, arrayTitle+arrayUse+arrayDeclaration+"\n#ifndef {{upper}}_DECLARE_ONLY"+arrayBegin, arrayEnd+"#endif\n"+arrayGuardEnd)
}

// writeArrayHeader writes only the declarations, and writeArraySource the array, which includes them.
func writeArrayHeader(out io.Writer, p *Program) error {
	_, err := io.WriteString(out, p.fill(arrayTitle+arrayDeclaration+arrayGuardEnd))
	return err
}

func writeArraySource(out io.Writer, p *Program) error {
	return writeBytes(out, p, arrayTitle+" */\n#include \"{{lower}}_model.h\"\n"+arrayBegin, arrayEnd)
}

// arena returns the definition of the required arena.
func (p *Program) arena() string {
	if p.Required == 0 {
		return csource.Block("The required arena is not known: it depends on kernels of the application.")
	}
	return csource.Block("The required arena in which AllocateTensors() succeeds: "+p.Target+". Kernels other than "+p.Kernels+" may need more.") +
		fmt.Sprintf("#define %s_ARENA_BYTES %d\n", p.upper(), p.Required)
}

// writeBytes writes the model as numbers, sixteen per line, between two texts. Formatting functions would be
// slow, since models have many bytes.
func writeBytes(out io.Writer, p *Program, before, after string) error {
	const line, digits = 16, "0123456789abcdef"
	w := bufio.NewWriter(out)
	w.WriteString(p.fill(before))
	for i, b := range p.Model.Data {
		if i%line == 0 {
			w.WriteString("\n  ")
		}
		w.Write([]byte{'0', 'x', digits[b>>4], digits[b&15], ','})
	}
	w.WriteString(p.fill(after))
	return w.Flush()
}
