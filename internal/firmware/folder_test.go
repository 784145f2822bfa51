package firmware

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// stub returns the folder with the part of TensorFlow Lite Micro's API that written files use.
func stub(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "tflm"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// tool returns the path of a program. Without it, the test is skipped, or fails if TFLARENA_REQUIRE_ORACLE is
// 1.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1":
		t.Fatal(err)
	default:
		t.Skipf("left out: there is no %s here: %v", name, err)
	}
	return path
}

// run runs a program in a folder and returns what it prints.
func run(t *testing.T, dir string, words ...string) string {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", words, err, out)
	}
	return string(out)
}

// plain is a quantised model with two inputs and an output.
func plain(t *testing.T) *tflite.Model {
	q := encode.Quantization{Scales: []float32{0.5}, Zeros: []int64{-3}}
	data := encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{{
		Tensors: []encode.Tensor{
			{Name: "left {{arena}} */", Type: schema.TensorTypeINT8, Shape: []int32{1, 2, 3}, Quantization: q},
			{Name: "right", Type: schema.TensorTypeFLOAT32, Shape: []int32{7}},
			{Name: "four bits", Type: schema.TensorTypeINT4, Shape: []int32{1, 2, 3}},
		},
		Inputs: []int{0, 1}, Outputs: []int{2, 0},
		Operators: []encode.Operator{{Builtin: schema.BuiltinOperatorADD, Inputs: []int{0, 1}, Outputs: []int{2}}},
	}}})
	m, err := tflite.Parse(data, "/models/string.tflite")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A library is a program whose folder is compiled.
type library struct {
	*Program
	// want is what the stub of the interpreter prints, custom the source of the application's operators.
	want, custom string
}

func libraries(t *testing.T) map[string]library {
	stateful := model(t, network.VarHandle("", "a"), encode.Operator{Builtin: schema.BuiltinOperatorASSIGN_VARIABLE}, encode.Operator{Builtin: schema.BuiltinOperatorREAD_VARIABLE})
	on := func(m *tflite.Model, required int64, variables int) *Program {
		return &Program{Name: m.Name, Model: m, Required: required, Target: "esp, 32-bit pointers */", Kernels: "the reference kernels", Variables: variables, Check: "tflarena check " + ModelSource(m.Name)}
	}
	title := *mixed(t)
	title.Name = "{{lower}} {{accessors}} #\n*/ int.tflite"
	const format = "model TFL3, %d of %[1]d operators, arena %d at 0, %d variables\n"
	return map[string]library{
		"plain":     {Program: on(plain(t), 1200, 0), want: fmt.Sprintf(format, 1, 1200, 0)},
		"variables": {Program: on(stateful, 800, 5), want: fmt.Sprintf(format, 3, 800, 5)},
		"custom": {Program: on(&title, 0, 0), want: fmt.Sprintf(format, 4, 4096, 0), custom: `
#include "{{lower}}_ops.h"
TfLiteStatus {{lower}}_add_custom({{lower}}_op_resolver& resolver) {
  static TFLMRegistration registration;
  return resolver.AddCustom("evil", &registration);
}
`},
	}
}

// writeFolder writes the files of a folder.
func writeFolder(t *testing.T, dir string, p *Program) {
	t.Helper()
	for _, name := range Files(p.Name) {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), text(t, name, p))
	}
}

func put(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

// application is a program in C that runs a model twice: each output is one more than its input.
const application = `#include "{{lower}}_tflm.h"
int main(void) {
  if (!{{lower}}_setup() || !{{lower}}_setup()) return 2;
  for (int8_t value = 40; value < 42; value++) {
    *(int8_t *){{lower}}_input_0() = value;
    if ({{lower}}_invoke() != 0) return 3;
    if (*(int8_t *){{lower}}_output_0() != value + 1) return 4;
  }
  return 0;
}
`

// TestFolderCompiles compiles and runs each library with a stub of TensorFlow Lite Micro, without and with CMake.
func TestFolderCompiles(t *testing.T) {
	cc, cxx := tool(t, "cc"), tool(t, "c++")
	for name, l := range libraries(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFolder(t, filepath.Join(dir, "lib"), l.Program)
			put(t, filepath.Join(dir, "main.c"), l.fill(application))
			put(t, filepath.Join(dir, "custom.cc"), l.fill(l.custom))
			flags := []string{"-Wall", "-Wextra", "-Werror", "-pedantic", "-I", "lib/src", "-isystem", stub(t)}
			if l.Required == 0 {
				flags = append(flags, "-D"+l.fill("{{upper}}_ARENA_BYTES=4096"))
			}
			run(t, dir, append([]string{cc, "-std=c11", "-c", "main.c"}, flags...)...)
			run(t, dir, append([]string{cxx, "-std=c++17", "-o", "program", "main.o", "custom.cc", l.fill("lib/src/{{lower}}_tflm.cpp"), l.fill("lib/src/{{lower}}_model.cpp")}, flags...)...)
			if got := run(t, dir, "./program"); got != l.want {
				t.Errorf("%q, want %q", got, l.want)
			}
		})
		t.Run(name+"/cmake", func(t *testing.T) {
			cmake, dir := tool(t, "cmake"), t.TempDir()
			writeFolder(t, filepath.Join(dir, "lib"), l.Program)
			put(t, filepath.Join(dir, "main.c"), l.fill(application))
			put(t, filepath.Join(dir, "custom.cc"), l.fill(l.custom))
			put(t, filepath.Join(dir, "CMakeLists.txt"), l.fill(`cmake_minimum_required(VERSION 3.10)
project(app)
add_library(tflite-micro INTERFACE)
target_include_directories(tflite-micro INTERFACE `+stub(t)+`)
add_subdirectory(lib)
if(`+fmt.Sprint(l.Required == 0)+`)
  target_compile_definitions({{lower}}_tflm PUBLIC {{upper}}_ARENA_BYTES=4096)
endif()
add_executable(program main.c custom.cc)
target_link_libraries(program PRIVATE {{lower}}_tflm)
`))
			run(t, dir, cmake, "-S", ".", "-B", "build")
			run(t, dir, cmake, "--build", "build")
			if got := run(t, dir, filepath.Join("build", "program")); got != l.want {
				t.Errorf("%q, want %q", got, l.want)
			}
		})
	}
}

// TestArenaIsAsked: a model whose arena is not known does not compile without a definition.
func TestArenaIsAsked(t *testing.T) {
	cxx, l, dir := tool(t, "c++"), libraries(t)["custom"], t.TempDir()
	writeFolder(t, dir, l.Program)
	cmd := exec.Command(cxx, "-std=c++17", "-fsyntax-only", "-I", "src", "-isystem", stub(t), l.fill("src/{{lower}}_tflm.cpp"))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), l.fill("define {{upper}}_ARENA_BYTES")) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestFolder compares a folder with the expected one.
func TestFolder(t *testing.T) {
	p := libraries(t)["plain"].Program
	var all strings.Builder
	for _, name := range Files(p.Name) {
		fmt.Fprintf(&all, "-- %s --\n%s", name, text(t, name, p))
	}
	golden.File(t, filepath.Join("testdata", "folder.txt"), []byte(all.String()))
}
