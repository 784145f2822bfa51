package firmware

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// customHook is the function with which the application adds its kernels.
const customHook = "TfLiteStatus {{lower}}_add_custom({{lower}}_op_resolver& resolver)"

// writeRunner writes the functions that set up and run the model.
func writeRunner(w io.Writer, p *Program) error {
	include, unknown, declare, call, interpreter := "", "", "", "", runnerArena
	if p.Variables > 0 {
		include, interpreter = "#include \"tensorflow/lite/micro/micro_resource_variable.h\"\n", runnerVariables
	}
	if p.Required == 0 {
		unknown = "#ifndef {{upper}}_ARENA_BYTES\n#error \"define {{upper}}_ARENA_BYTES: the required arena depends on kernels of the application\"\n#endif\n\n"
	}
	if len(Of(p.Model).Custom) > 0 {
		declare = "/* Adds the custom operators: defined by the application. */\n" + customHook + ";\n\n"
		call = "  if ({{lower}}_add_custom(resolver) != kTfLiteOk) return false;\n"
	}
	var accessors strings.Builder
	for _, t := range p.tensors() {
		fmt.Fprintf(&accessors, "\n%s {\n  return static_cast<%s *>(interpreter->%s(%d)->data.data);\n}\n", t.signature(p), t.pointer, t.direction, t.index)
	}
	_, err := io.WriteString(w, p.fill(runner, "{{include}}", include, "{{unknown}}", p.fill(unknown), "{{declare}}", p.fill(declare), "{{call}}", p.fill(call),
		"{{interpreter}}", p.fill(interpreter, "{{variables}}", fmt.Sprint(p.Variables)), "{{accessors}}", accessors.String()))
	return err
}

const runner = `/* {{title}} in TensorFlow Lite Micro, made by tflarena. */
#include "{{lower}}_tflm.h"

#include "{{lower}}_model.h"
#include "{{lower}}_ops.h"
#include "tensorflow/lite/micro/micro_interpreter.h"
{{include}}#include "tensorflow/lite/schema/schema_generated.h"

{{unknown}}{{declare}}namespace {
alignas({{upper}}_ALIGNMENT) uint8_t arena[{{upper}}_ARENA_BYTES];
tflite::MicroInterpreter *interpreter;
}  // namespace

bool {{lower}}_setup(void) {
  if (interpreter != nullptr) return true;
  static {{lower}}_op_resolver resolver;
  if ({{lower}}_add_operators(resolver) != kTfLiteOk) return false;
{{call}}{{interpreter}}  if (made.AllocateTensors() != kTfLiteOk) return false;
  interpreter = &made;
  return true;
}

int {{lower}}_invoke(void) { return interpreter->Invoke(); }
{{accessors}}`

const runnerArena = `  static tflite::MicroInterpreter made(tflite::GetModel({{lower}}_model), resolver, arena, sizeof arena);
`

const runnerVariables = `  tflite::MicroAllocator *allocator = tflite::MicroAllocator::Create(arena, sizeof arena);
  tflite::MicroResourceVariables *variables = tflite::MicroResourceVariables::Create(allocator, {{variables}});
  static tflite::MicroInterpreter made(tflite::GetModel({{lower}}_model), resolver, allocator, variables);
`

// writeRunnerHeader writes the declarations of these functions for C and C++.
func writeRunnerHeader(w io.Writer, p *Program) error {
	var accessors strings.Builder
	for _, t := range p.tensors() {
		accessors.WriteString("\n" + csource.Block(t.text()))
		if n, ok := t.PackedBytes(); ok && tflite.ElementBits(t.Type) >= 8 {
			fmt.Fprintf(&accessors, "#define %s_%s_%d_BYTES %d\n", p.upper(), strings.ToUpper(t.direction), t.index, n)
		}
		fmt.Fprintf(&accessors, "%s;\n", t.signature(p))
	}
	_, err := io.WriteString(w, p.fill(runnerHeader, "{{accessors}}", accessors.String()))
	return err
}

const runnerHeader = `/* {{title}} in TensorFlow Lite Micro, made by tflarena. */
#ifndef {{upper}}_TFLM_H_
#define {{upper}}_TFLM_H_

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates the tensors in an arena of its own. Call it first. Returns false on failure. */
bool {{lower}}_setup(void);

/* Runs the model, and returns the TfLiteStatus: 0 (kTfLiteOk), kTfLiteAbort while a streaming model
 * waits for more input, or an error. A run may overwrite the inputs: write all of them before each
 * run. The outputs are valid until the inputs are written for the next one. */
int {{lower}}_invoke(void);
{{accessors}}
#ifdef __cplusplus
}
#endif

#endif /* {{upper}}_TFLM_H_ */
`

// An ioTensor is an input or output of the model.
type ioTensor struct {
	*tflite.Tensor
	// direction is "input" or "output", and pointer the C type of the elements.
	direction, pointer string
	index              int
}

// tensors returns the inputs and outputs of the main subgraph.
func (p *Program) tensors() (list []ioTensor) {
	for i := range p.Model.Subgraphs[:min(len(p.Model.Subgraphs), 1)] {
		s := &p.Model.Subgraphs[i]
		for _, side := range []struct {
			direction string
			tensors   []int
		}{{"input", s.Inputs}, {"output", s.Outputs}} {
			for k := range side.tensors {
				if t := s.Operand(side.tensors, k); t != nil {
					list = append(list, ioTensor{Tensor: t, direction: side.direction, pointer: cmp.Or(elements[t.Type], "void"), index: k})
				}
			}
		}
	}
	return list
}

// elements are the C types of elements.
var elements = map[schema.TensorType]string{
	schema.TensorTypeFLOAT32: "float", schema.TensorTypeFLOAT64: "double", schema.TensorTypeBOOL: "bool",
	schema.TensorTypeINT8: "int8_t", schema.TensorTypeINT16: "int16_t", schema.TensorTypeINT32: "int32_t", schema.TensorTypeINT64: "int64_t",
	schema.TensorTypeUINT8: "uint8_t", schema.TensorTypeUINT16: "uint16_t", schema.TensorTypeUINT32: "uint32_t", schema.TensorTypeUINT64: "uint64_t",
}

// signature returns the signature of the C function that returns the address of the elements.
func (t ioTensor) signature(p *Program) string {
	return fmt.Sprintf("%s *%s_%s_%d(void)", t.pointer, p.lower(), t.direction, t.index)
}

// text describes the tensor: name, type, shape, and quantisation.
func (t ioTensor) text() string {
	text := fmt.Sprintf("%s %d: %s %v, %q", t.direction, t.index, t.Type, t.Shape, t.Name)
	var q schema.QuantizationParameters
	table := t.Table()
	if table.Quantization(&q) != nil && q.ScaleLength() == 1 && q.ZeroPointLength() == 1 {
		text += fmt.Sprintf(", scale %v, zero point %d", q.Scale(0), q.ZeroPoint(0))
	}
	return text
}
