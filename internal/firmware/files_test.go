package firmware

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// model returns a model with the given operators, each of one input and one output.
func model(t *testing.T, operators ...encode.Operator) *tflite.Model {
	t.Helper()
	s := encode.Subgraph{Tensors: []encode.Tensor{{Name: "in", Shape: []int32{4}}}, Inputs: []int{0}}
	for i, o := range operators {
		o.Inputs, o.Outputs = []int{i}, []int{i + 1}
		s.Tensors = append(s.Tensors, encode.Tensor{Name: "t", Shape: []int32{4}})
		s.Operators = append(s.Operators, o)
	}
	s.Outputs = []int{len(operators)}
	m, err := tflite.Parse(encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s}}), "small.tflite")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAddsAreTheKernels compares the tables with what is known of the runtime: an operator has a
// method exactly where the reference kernels have a kernel for it.
func TestAddsAreTheKernels(t *testing.T) {
	missing := func(o encode.Operator) bool {
		for _, fault := range rules.Micro().Faults(model(t, o)) {
			if fault.Phase == rules.NoKernel {
				return true
			}
		}
		return false
	}
	methods := map[string]bool{}
	for code, text := range schema.EnumNamesBuiltinOperator {
		if code == schema.BuiltinOperatorCUSTOM {
			continue
		}
		add, has := adds[code]
		if none := missing(encode.Operator{Builtin: code}); none == has {
			t.Errorf("%s: a method: %v, no kernel: %v", text, has, none)
		}
		// Names differ in case and underscores alone.
		plain := "add" + strings.ToLower(strings.ReplaceAll(text, "_", ""))
		if has && (strings.ToLower(add) != plain || methods[add]) {
			t.Errorf("%s: %s", text, add)
		}
		methods[add] = has
	}
	// Kernels that are added are also counted: their requests are not those of an application.
	foreign := func(custom string) bool {
		load := rules.Load{Kept: model(t, encode.Operator{Custom: custom})}
		arena := load.Arena(rules.DefaultDevice())
		return !arena.Known() && strings.Contains(arena.Unknown.Operators[0].Reason, "of the application")
	}
	for custom, add := range customAdds {
		if missing(encode.Operator{Custom: custom}) || methods[add] || foreign(custom) {
			t.Errorf("%s: %s", custom, add)
		}
	}
	if !missing(encode.Operator{Custom: "npu"}) || !foreign("npu") {
		t.Error("a custom operator of nobody has a kernel")
	}
}

func mixed(t *testing.T) *tflite.Model {
	return model(t, encode.Operator{Builtin: schema.BuiltinOperatorRELU}, encode.Operator{Builtin: schema.BuiltinOperatorCONV_2D},
		encode.Operator{Builtin: schema.BuiltinOperatorRELU}, encode.Operator{Custom: "SignalWindow"}, encode.Operator{Custom: "evil*/ \\"},
		encode.Operator{Builtin: schema.BuiltinOperatorLSTM})
}

func TestOf(t *testing.T) {
	want := Operators{Adds: []string{"AddConv2D", "AddRelu", "AddWindow"}, Custom: []string{"evil*/ \\"}, Lacking: []string{"LSTM"}}
	if diff := cmp.Diff(want, Of(mixed(t))); diff != "" {
		t.Error(diff)
	}
}

// TestCompiles compiles the files under several standards, and compares the array with the bytes.
func TestCompiles(t *testing.T) {
	m := mixed(t)
	for _, tool := range []struct {
		name string
		args []string
	}{
		{"gcc", []string{"-std=c99"}},
		{"gcc", []string{"-std=c11"}},
		{"g++", []string{"-std=c++11"}},
		{"g++", []string{"-std=c++20"}},
		{"clang", []string{"-std=c11"}},
		{"clang++", []string{"-std=c++17"}},
	} {
		t.Run(tool.name+strings.Join(tool.args, ""), func(t *testing.T) {
			path, err := exec.LookPath(tool.name)
			if err != nil {
				t.Skipf("left out: there is no %s here: %v", tool.name, err)
			}
			for _, name := range []string{"small.tflite", "int.tflite", "*/ evil \\.tflite", "builtin:mobilenet-v2", "<stdin>"} {
				compile(t, path, tool.args, &Program{Name: name, Model: m, Required: 1234, Target: "esp, 32 bits */", Kernels: "the reference kernels"})
			}
		})
	}
}

func compile(t *testing.T, compiler string, args []string, p *Program) {
	t.Helper()
	dir := t.TempDir()
	id := csource.Identifier(p.Name, strings.ToLower)
	user := fmt.Sprintf(`#define %[2]s_DECLARE_ONLY
#include "model.cc"
#include "model.cc"
#include <stdio.h>
#include <stdint.h>
static unsigned char arena[%[2]s_ARENA_BYTES];
int main(void) {
  if ((uintptr_t)%[1]s_model %% %[2]s_ALIGNMENT || sizeof arena != 1234 || %[1]s_model_bytes != sizeof %[1]s_model) return 2;
  return fwrite(%[1]s_model, 1, %[1]s_model_bytes, stdout) != %[2]s_MODEL_BYTES;
}
`, id, strings.ToUpper(id))
	files := map[string]string{"model.cc": text(t, "cc", p), "user.cc": user}
	language, cpp := "c", strings.HasSuffix(compiler, "++")
	if cpp {
		language = "c++"
		files["ops.h"] = text(t, "resolver", p)
		args = append(args[:len(args):len(args)], "-I"+stub(t))
		files["user.cc"] = "#include \"ops.h\"\n#include \"ops.h\"\n" + strings.Replace(user, "return fwrite", fmt.Sprintf(
			"%[1]s_op_resolver r;\n  if (%[1]s_add_operators(r) != kTfLiteOk || r.length != 3 || r.add() != kTfLiteOk || r.add() == kTfLiteOk) return 3;\n  return fwrite", id), 1)
	}
	for name, data := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args = append(args[:len(args):len(args)], "-Wall", "-Wextra", "-pedantic", "-Werror", "-I.", "-o", "program", "-x", language, "model.cc", "user.cc")
	for _, line := range [][]string{append([]string{compiler}, args...), {"./program"}} {
		cmd := exec.CommandContext(context.Background(), line[0], line[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s\n%s", p.Name, err, out, files["ops.h"])
		}
		if line[0] == "./program" && !bytes.Equal(out, p.Model.Data) {
			t.Errorf("%q: the array has other bytes than the model", p.Name)
		}
	}
}

func text(t *testing.T, format string, p *Program) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEmptyAndUnknown(t *testing.T) {
	p := &Program{Name: "empty.tflite", Model: model(t)}
	if got := text(t, "resolver", p); !strings.Contains(got, "MicroMutableOpResolver<1>") || !strings.Contains(got, "add_operators(empty_op_resolver& )") {
		t.Error(got)
	}
	if err := Write(&bytes.Buffer{}, "xml", p); err == nil {
		t.Error("there is no format xml")
	}
}
