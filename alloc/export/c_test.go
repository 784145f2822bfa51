package export

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/lifetime"
)

// plan returns a plan of tensors with names out of hostile files, and of requests for scratch
// that need nothing.
func plan(name string, tensors, requests int) *Plan {
	p := &Plan{
		Name: name, Notes: []string{"a note */ on what it counts on", ""},
		Places:   &alloc.Plan{Approach: alloc.Offsets, Total: int64(16 * tensors)},
		Firmware: &Firmware{Tensors: tensors, Subgraphs: 1, Target: "4-byte pointers", Alignment: 16},
	}
	for i := range tensors {
		p.Records = append(p.Records, lifetime.Record{ID: fmt.Sprintf("0:%d", i), Name: "/* ??/ \\\n*/ \x1b é", Size: 16})
		p.Places.Offsets = append(p.Places.Offsets, int64(16*i))
		p.Firmware.Metadata = append(p.Firmware.Metadata, int32(16*i))
	}
	for range requests {
		p.Firmware.Requests = append(p.Firmware.Requests, -1)
	}
	return p
}

// written returns a plan in a form.
func written(t *testing.T, format string, p *Plan) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, format, p); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
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
	name := csource.Identifier(p.Name, strings.ToLower)
	n := len(p.Records) + len(p.Firmware.Requests)
	user := fmt.Sprintf(`#include "plan.h"
#include "plan.h"
#include "buffers.h"
#include "buffers.h"
#include "table.h"
#include "table.h"
typedef char size_of_table[sizeof(%s_rows) == 40 * %d ? 1 : -1];
typedef char size_of_plan[sizeof(%s_buffer_plan) == 4 + 4 * %d ? 1 : -1];
typedef char size_of_data[sizeof(%s_offline_memory_allocation) == 4 * (3 + %d) ? 1 : -1];
int32_t use(int i);
int32_t use(int i) { return %s_buffer_plan.buffer_plan_entries[i].offset + %s_offline_memory_allocation[i] + (int32_t)%s_rows[i].size; }
`, name, max(len(p.Records), 1), name, max(n, 1), name, len(p.Records), name, name, name)
	for file, text := range map[string]string{"plan.h": written(t, "header", p), "buffers.h": written(t, "bufferplan", p), "table.h": written(t, "c", p), "user.c": user} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append(flags[:len(flags):len(flags)], "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "user.c")
	cmd := exec.Command(compiler, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%q: %v\n%s", p.Name, err, out)
	}
}

// A table has each record's place, sizes of shared objects, and the position at which a size becomes known.
func TestTable(t *testing.T) {
	p := &Plan{
		Name: "late.csv", Records: []lifetime.Record{{ID: "a", First: 0, Last: 1, Size: 64}, {ID: "b", First: 1, Last: 2, Size: 32}}, KnownAt: []int{math.MinInt, 1},
		Places: &alloc.Plan{Approach: alloc.Offsets, Offsets: []int64{0, 64}, Total: 96},
	}
	if text := written(t, "c", p); !strings.Contains(text, "    {0, 64, 0, 1, INT64_MIN}, /* a */\n    {64, 32, 1, 2, 1}, /* b */\n") || !strings.Contains(text, "LATE_MEMORY_BYTES 96") {
		t.Error(text)
	}
	p.Places = &alloc.Plan{Approach: alloc.Shared, Objects: []int{1, 0}, ObjectSizes: []int64{32, 64}, Total: 96}
	if text := written(t, "c", p); !strings.Contains(text, "    {1, 64, 0, 1, INT64_MIN}, /* a */\n    {0, 32, 1, 2, 1}, /* b */\n") || !strings.Contains(text, "late_object_sizes[2] = {\n    32, 64,\n}") {
		t.Error(text)
	}
}

// Entry k of a BufferPlan is that of the k-th buffer, also where scratch has no place
// because it is empty or its operator never runs.
func TestBufferOrder(t *testing.T) {
	p := plan("a", 2, 3)
	p.Records = append(p.Records, lifetime.Record{ID: "scratch:2", Size: 16})
	p.Places.Offsets, p.Firmware.Requests[2] = append(p.Places.Offsets, 64), 2
	if text := written(t, "bufferplan", p); !strings.Contains(text, "{0}, {16}, {0}, {0}, {64},") {
		t.Error(text)
	}
	p.Places.Offsets[1] = math.MaxInt32 + 1
	if err := Write(io.Discard, "bufferplan", p); !errors.Is(err, ErrPlan) {
		t.Errorf("an offset beyond 32 bits was written: %v", err)
	}
}
