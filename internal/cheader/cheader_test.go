package cheader

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/lifetime"
)

func plan(input string, tensors, requests int) *Plan {
	p := &Plan{Input: input, Subgraphs: 1, Target: "4-byte pointers", Alignment: 16, Notes: []string{"a note */ on what it counts on"}}
	for i := range tensors {
		r := lifetime.Record{ID: fmt.Sprintf("0:%d", i), Name: "/* ??/ \\\n*/ \x1b é", Size: 16}
		p.Tensors = append(p.Tensors, lifetime.Placed{Record: r, At: int64(16 * i)})
		p.Metadata = append(p.Metadata, int32(16*i))
	}
	p.Scratch = make([]lifetime.Placed, requests)
	p.Total = int64(16 * tensors)
	return p
}

// Nothing that a file is called makes a header that a compiler would not take.
func TestCompiles(t *testing.T) {
	for _, tool := range []struct {
		name  string
		flags []string
	}{
		{"cc", []string{"-x", "c", "-std=c99"}},
		{"c++", []string{"-x", "c++", "-std=c++11"}},
	} {
		t.Run(tool.name, func(t *testing.T) {
			path, err := exec.LookPath(tool.name)
			if err != nil {
				t.Skipf("left out: there is no %s here: %v", tool.name, err)
			}
			for i, input := range []string{"a.tflite", "int.tflite", "3.tflite", "__x--y__.tflite", "*/ evil \\.tflite", "builtin:mobilenet-v2", "<stdin>", "é.tflite", ""} {
				compile(t, path, tool.flags, plan(input, i, 2*i))
			}
		})
	}
}

func compile(t *testing.T, compiler string, flags []string, p *Plan) {
	t.Helper()
	dir := t.TempDir()
	buffers, err := p.BufferPlan()
	if err != nil {
		t.Fatal(err)
	}
	name := identifier(p.Input, strings.ToLower)
	n := len(p.Tensors) + len(p.Scratch)
	user := fmt.Sprintf(`#include "plan.h"
#include "plan.h"
#include "buffers.h"
#include "buffers.h"
typedef char size_of_plan[sizeof(%s_buffer_plan) == 4 + 4 * %d ? 1 : -1];
typedef char size_of_data[sizeof(%s_offline_memory_allocation) == 4 * (3 + %d) ? 1 : -1];
int32_t use(int i);
int32_t use(int i) { return %s_buffer_plan.buffer_plan_entries[i].offset + %s_offline_memory_allocation[i]; }
`, name, max(n, 1), name, len(p.Tensors), name, name)
	for file, text := range map[string][]byte{"plan.h": p.Header(), "buffers.h": buffers, "user.c": []byte(user)} {
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append(flags[:len(flags):len(flags)], "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "user.c")
	cmd := exec.Command(compiler, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%q: %v\n%s", p.Input, err, out)
	}
}

// Entry k of a BufferPlan is that of the k-th buffer, also where scratch has no place
// because it is empty or its operator never runs.
func TestBufferOrder(t *testing.T) {
	p := plan("a", 2, 3)
	p.Scratch[2] = lifetime.Placed{Record: lifetime.Record{Size: 16}, At: 64}
	data, err := p.BufferPlan()
	if err != nil || !strings.Contains(string(data), "{0}, {16}, {0}, {0}, {64},") {
		t.Errorf("%v\n%s", err, data)
	}
	p.Tensors[1].At = math.MaxInt32 + 1
	if _, err := p.BufferPlan(); err == nil {
		t.Error("an offset beyond 32 bits was written")
	}
}

func TestIdentifier(t *testing.T) {
	allowed := regexp.MustCompile(`^[a-z]([a-z0-9]|_[a-z0-9])*$`)
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.String().Draw(t, "path")
		if got := identifier(path, strings.ToLower); !allowed.MatchString(got) {
			t.Fatalf("%q: %q", path, got)
		}
	})
	for path, want := range map[string]string{
		"/x/vww_96-int8.tflite": "vww_96_int8", "builtin:mobilenet-v2": "mobilenet_v2", "<stdin>": "model", "8.tflite": "model_8", "é": "model", "a.b.tflite": "a_b",
	} {
		if got := identifier(path, strings.ToLower); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
