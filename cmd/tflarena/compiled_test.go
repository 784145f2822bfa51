package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A cUnit is a program of C that has plans compiled into it, and compares them with those
// that were read from the text.
type cUnit struct {
	files, body strings.Builder
	plans       int
}

// add adds both forms of a plan of a model, whose name in C is given.
func (u *cUnit) add(name string, e exports) {
	u.plans++
	var names, values []string
	for _, f := range []cFile{e.header, e.buffers} {
		u.files.Write(f.text)
		for key, value := range f.defines {
			names, values = append(names, strings.ToUpper(name)+"_"+key), append(values, fmt.Sprint(value))
		}
	}
	fmt.Fprintf(&u.files, "static const int64_t %s_names[] = {%s};\n", name, strings.Join(names, ","))
	u.same(name+"_names", "int64_t", values)
	u.same(name+"_offline_memory_allocation", "int32_t", strings.Fields(strings.Trim(fmt.Sprint(e.header.array), "[]")))
	plan := append([]int64{int64(len(e.buffers.array))}, e.buffers.array...)
	if len(plan) == 1 {
		plan = append(plan, 0) // C has no arrays of length zero
	}
	u.same(name+"_buffer_plan", "int32_t", strings.Fields(strings.Trim(fmt.Sprint(plan), "[]")))
}

// same compares an object with an array of numbers.
func (u *cUnit) same(object, kind string, values []string) {
	fmt.Fprintf(&u.files, "static const %s want_%s[] = {%s};\n", kind, object, strings.Join(values, ","))
	fmt.Fprintf(&u.body, "  if (sizeof %s != sizeof want_%s || memcmp(&%s, want_%s, sizeof want_%s)) return puts(\"%s\"), 1;\n",
		object, object, object, object, object, object)
}

// run compiles the program and runs it, if there is a compiler.
func (u *cUnit) run(t *testing.T) {
	t.Helper()
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("left out: there is no compiler here: %v", err)
	}
	dir := t.TempDir()
	source := "#include <stdio.h>\n#include <string.h>\n" + u.files.String() + "int main(void) {\n" + u.body.String() + "  return 0;\n}\n"
	write(t, filepath.Join(dir, "plans.c"), []byte(source))
	for _, args := range [][]string{
		{compiler, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O0", "-o", "plans", "plans.c"},
		{filepath.Join(dir, "plans")},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%d plans: %v\n%s", u.plans, err, out[:min(len(out), 4000)])
		}
	}
}
