package layers

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/exp/slices"
)

const module = "github.com/tflarena/tflarena"

// allowed lists the packages of the module that each package may reach, directly or not.
var allowed = map[string][]string{
	"internal/units":       {},
	"internal/columns":     {},
	"internal/deadline":    {},
	"internal/workers":     {},
	"schema":               {},
	"tflite":               {"schema"},
	"tflite/op":            {"schema", "tflite"},
	"lifetime":             {},
	"lifetime/order":       {"lifetime"},
	"lifetime/rules":       {"schema", "tflite", "tflite/op", "lifetime"},
	"alloc/check":          {"lifetime"},
	"alloc":                {"lifetime", "alloc/check"},
	"alloc/mip":            {"lifetime", "alloc/check"},
	"alloc/cache":          {"lifetime", "alloc/check"},
	"alloc/schedule":       {"lifetime", "lifetime/order"},
	"alloc/inplace":        {"lifetime", "alloc", "alloc/check"},
	"alloc/tiles":          {"lifetime", "alloc", "alloc/check"},
	"alloc/tiles/tiling":   {"schema", "tflite", "tflite/op", "lifetime", "alloc", "alloc/check", "alloc/tiles"},
	"alloc/tiles/tilejson": {"schema", "tflite", "tflite/op", "lifetime", "alloc", "alloc/check", "alloc/tiles", "alloc/tiles/tiling"},
	"alloc/export":         {"lifetime", "alloc", "alloc/check", "alloc/mip", "internal/csource", "internal/drawing", "internal/memorymap", "internal/picture", "internal/render", "internal/tables"},
	"rewrite":              {"schema", "tflite", "tflite/op"},
	"rewrite/blocks":       {"schema", "tflite"},
	"rewrite/provenance":   {"schema", "tflite"},
	"rewrite/transform":    {"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "rewrite", "rewrite/edit", "rewrite/provenance"},
	"rewrite/pin":          {"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "alloc", "alloc/check", "alloc/inplace"},
	"rewrite/edit":         {"schema", "tflite", "tflite/op", "rewrite"},
	"rewrite/split":        {"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "rewrite", "rewrite/blocks", "rewrite/edit"},
	"rewrite/restore":      {"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "rewrite", "rewrite/blocks", "rewrite/edit", "rewrite/split"},
	"rewrite/segment":      {"schema", "tflite", "tflite/op"},
	"rewrite/slim":         {"schema", "tflite", "tflite/op", "rewrite", "rewrite/blocks", "rewrite/provenance"},
	"rewrite/verify":       {"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "alloc/check", "rewrite", "rewrite/blocks", "rewrite/provenance"},
	"alloc/stream/network": {"lifetime"},
	"alloc/stream/check":   {"lifetime", "alloc/check", "alloc/stream/network"},
	"alloc/stream":         {"lifetime", "alloc", "alloc/check", "alloc/stream/network", "alloc/stream/check"},
	"alloc/stream/export":  {"lifetime", "alloc", "alloc/check", "alloc/stream/network", "alloc/stream/check", "alloc/stream", "internal/csource"},
	"alloc/stream/flexnn":  {"lifetime", "alloc/stream/network"},
	"alloc/stream/litert": {
		"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "alloc", "alloc/check", "alloc/stream", "alloc/stream/network", "alloc/stream/check",
		"rewrite", "rewrite/blocks", "rewrite/edit", "rewrite/split", "rewrite/segment", "internal/columns",
	},
	"alloc/texture":        {"lifetime", "alloc/internal/problem", "alloc/internal/sets"},
	"alloc/late":           {"lifetime", "alloc", "alloc/check"},
	"alloc/replay":         {"lifetime", "alloc", "alloc/check", "alloc/replay/pool"},
	"alloc/replay/pool":    {"alloc/internal/sets"},
	"alloc/replay/trace":   {"lifetime", "alloc", "alloc/check", "alloc/replay", "alloc/replay/pool"},
	"alloc/replay/chainer": {"lifetime", "alloc", "alloc/check", "alloc/replay", "alloc/replay/pool"},
	"rewrite/shrink": {
		"schema", "tflite", "tflite/op", "lifetime", "lifetime/order", "lifetime/rules", "alloc", "alloc/check", "alloc/schedule", "alloc/inplace",
		"rewrite", "rewrite/blocks", "rewrite/provenance", "rewrite/edit", "rewrite/verify", "rewrite/pin", "rewrite/reorder", "rewrite/transform", "rewrite/restore", "rewrite/split",
		"internal/embedded",
	},
	"internal/improve": {
		"schema", "tflite", "tflite/op", "lifetime", "lifetime/order", "lifetime/rules", "alloc", "alloc/check", "alloc/schedule", "alloc/inplace",
		"rewrite", "rewrite/blocks", "rewrite/provenance", "rewrite/verify", "rewrite/pin", "rewrite/reorder", "internal/embedded",
	},
	"rewrite/reorder": {
		"schema", "tflite", "tflite/op", "lifetime", "lifetime/order", "lifetime/rules", "alloc", "alloc/check", "alloc/schedule", "alloc/inplace",
		"rewrite/pin",
	},
	"models": {"schema", "tflite", "internal/encode"},
	"benchmarks": {
		"schema", "tflite", "tflite/op", "lifetime", "lifetime/rules", "alloc", "alloc/check", "models",
		"internal/encode",
	},
}

// anywhere lists what every package may reach; TestLayers sees that these reach nothing themselves.
var anywhere = []string{"internal/integer", "internal/units", "internal/workers", "internal/deadline"}

// bare lists the packages that need nothing but the standard library and x/exp.
var bare = []string{"internal/integer", "internal/units", "internal/workers", "internal/deadline", "lifetime", "lifetime/order", "alloc", "alloc/check", "alloc/cache", "alloc/mip", "alloc/schedule", "alloc/inplace", "alloc/tiles", "alloc/stream", "alloc/stream/network", "alloc/stream/check", "alloc/stream/flexnn", "alloc/late", "alloc/texture", "alloc/replay", "alloc/replay/pool"}

func TestLayers(t *testing.T) {
	for name, may := range allowed {
		for _, dep := range dependencies(t, name) {
			ours, isOurs := strings.CutPrefix(dep, module+"/")
			switch {
			case isOurs && ours != name && !slices.Contains(may, ours) && !slices.Contains(anywhere, ours) && !inside(ours, append(may, name)):
				t.Errorf("package %s reaches %s, which it may not", name, ours)
			case !isOurs && slices.Contains(bare, name) && strings.Contains(dep, ".") && !strings.HasPrefix(dep, "golang.org/x/exp/"):
				t.Errorf("package %s reaches %s: it is to need the standard library alone", name, dep)
			}
		}
	}
}

// inside reports whether a package is internal to one of those listed.
func inside(name string, list []string) bool {
	owner, _, internal := strings.Cut(name, "/internal/")
	return internal && slices.Contains(list, owner)
}

// TestEveryLibraryIsListed keeps new packages from going unchecked.
func TestEveryLibraryIsListed(t *testing.T) {
	for _, path := range list(t, "list", module+"/...") {
		name := strings.TrimPrefix(path, module+"/")
		if strings.HasPrefix(name, "internal/") || strings.HasPrefix(name, "cmd/") || strings.HasPrefix(name, "examples/") || strings.Contains(name, "/internal/") {
			continue
		}
		if _, ok := allowed[name]; !ok {
			t.Errorf("package %s has no entry in the table of layers", name)
		}
	}
}

// TestRequiredPackages keeps the packages that the project promises to use in use.
func TestRequiredPackages(t *testing.T) {
	deps := dependencies(t, "cmd/tflarena")
	for _, want := range []string{
		"github.com/google/flatbuffers/go", "github.com/urfave/cli/v2", "golang.org/x/exp/slices",
	} {
		if !slices.Contains(deps, want) {
			t.Errorf("the command does not use %s", want)
		}
	}
}

// TestCommandIsStatic keeps out of the command packages that are linked with the C library if there is
// a C compiler.
func TestCommandIsStatic(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("package net needs no C library there")
	}
	deps := dependencies(t, "cmd/tflarena")
	for _, unwanted := range []string{"net", "os/user", "runtime/cgo"} {
		if slices.Contains(deps, unwanted) {
			t.Errorf("the command reaches %s", unwanted)
		}
	}
}

// TestPlannerIsSmall keeps out of the planner of the application what a browser has no use for.
func TestPlannerIsSmall(t *testing.T) {
	deps := dependencies(t, "internal/planner")
	for _, unwanted := range []string{"github.com/urfave/cli/v2", "net", "os/exec", "text/template"} {
		if slices.Contains(deps, unwanted) {
			t.Errorf("the planner reaches %s", unwanted)
		}
	}
}

func dependencies(t *testing.T, name string) []string {
	return list(t, "list", "-deps", module+"/"+name)
}

func list(t *testing.T, args ...string) []string {
	t.Helper()
	watch(t)
	return strings.Fields(run(t, args...))
}

// run runs the go command and returns what it prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// watch looks at every folder of the module: the go command runs a test again when what the test
// itself has looked at is not the same any more, and it does not know what "go list" reads.
func watch(t *testing.T) {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != root && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
