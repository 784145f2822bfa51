package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// A guide is the instructions of a section of CONTRIBUTING.md: files by their paths in the module, with
// their contents, and commands with their output.
type guide struct {
	files    map[string]string
	commands []command
}

type command struct{ line, want string }

// step finds the blocks of a guide: a new file, a change, or commands to run.
var step = regexp.MustCompile("(?ms)^(?:(New file|In) `([^`]+)`:\n\n)?```(go|diff|console)\n(.*?)^```$")

// followed are the guides whose code is complete, each with the tests that hold what it adds to
// the laws of its kind.
var followed = []struct {
	title, pkg string
	tests      []string
}{
	{"Add a strategy", "./alloc", []string{"TestLaws/offsets/longest-first", "TestOffsetsMatchDefinitions/longest-first"}},
	{"Add an operator", "./tflite/op", []string{"TestMACsOfAnything"}},
	{"Add a kernel library", "./lifetime/rules", []string{"TestKernelLibraries/vendor"}},
	{"Add a command", "", nil},
	{"Add an output format", "./alloc/export", []string{"TestWriterFails"}},
}

// TestGuides follows guides of CONTRIBUTING.md to the letter: the module is built with their
// files, and their commands print what the guides show.
func TestGuides(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: it builds the module several times; -audit does")
	}
	watch(t)
	for _, f := range followed {
		t.Run(f.title, func(t *testing.T) {
			g := read(t, f.title)
			overlay := g.overlay(t)
			if len(f.tests)+len(g.commands) == 0 {
				t.Error("nothing shows that it works")
			}
			if len(g.commands) > 0 {
				binary := filepath.Join(t.TempDir(), "tflarena")
				run(t, "go", "build", "-buildvcs=false", "-overlay", overlay, "-o", binary, "./cmd/tflarena")
				for _, c := range g.commands {
					c.check(t, binary)
				}
			}
			if len(f.tests) == 0 {
				return
			}
			out := run(t, "go", "test", "-overlay", overlay, "-short", "-v", f.pkg, "-run", strings.Join(f.tests, "|"))
			for _, name := range f.tests {
				if !strings.Contains(out, "--- PASS: "+name+" ") {
					t.Errorf("%s did not run:\n%s", name, out)
				}
			}
		})
	}
}

// check runs a command of ours; a line "..." stands for the rest of what it prints.
func (c command) check(t *testing.T, binary string) {
	t.Helper()
	words := strings.Fields(c.line)
	if words[0] != "tflarena" {
		t.Fatalf("%s: this is no command of ours", c.line)
	}
	got := run(t, binary, words[1:]...)
	want, cut := strings.CutSuffix(c.want, "...\n")
	if cut {
		got = got[:min(len(got), len(want))]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-guide +printed):\n%s", c.line, diff)
	}
}

// read reads the guide with a title.
func read(t *testing.T, title string) guide {
	t.Helper()
	_, text, ok := strings.Cut(document(t, "CONTRIBUTING.md"), "\n### "+title+"\n")
	if !ok {
		t.Fatalf("CONTRIBUTING.md has no guide %q", title)
	}
	text, _, _ = strings.Cut(text, "\n### ")
	g := guide{files: map[string]string{}}
	for _, m := range step.FindAllStringSubmatch(text, -1) {
		kind, path, language, body := m[1], m[2], m[3], m[4]
		switch {
		case language == "console":
			g.commands = append(g.commands, commands(body)...)
		case kind == "New file" && language == "go":
			g.files[path] = body
		case kind == "In" && language == "diff":
			g.files[path] = patched(t, path, body)
		default:
			t.Errorf("%s: the guide does not say what to do with this block:\n%s", title, body)
		}
	}
	if len(g.files) < 2 {
		t.Fatalf("%s: the guide has %d files", title, len(g.files))
	}
	return g
}

// commands returns the commands of a console block.
func commands(block string) (list []command) {
	for line := range strings.Lines(block) {
		if words, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, command{line: strings.TrimSpace(words)})
		} else if len(list) > 0 {
			list[len(list)-1].want += line
		}
	}
	return list
}

// patched returns a file of the module with lines added. In the change, added lines begin with "+", and
// precede a line of the file, which begins with a space; "..." at its end stands for the rest of that
// line.
func patched(t *testing.T, path, change string) string {
	t.Helper()
	var added, anchor string
	for line := range strings.Lines(change) {
		switch {
		case strings.HasPrefix(line, "+") && anchor == "":
			added += line[1:]
		case strings.HasPrefix(line, " ") && anchor == "":
			anchor = strings.TrimRight(strings.TrimSuffix(line[1:], "...\n"), "\n")
		default:
			t.Fatalf("%s: the change has a line that is neither added nor the one behind:\n%s", path, line)
		}
	}
	text := document(t, path)
	if n := strings.Count(text, "\n"+anchor); n != 1 || added == "" {
		t.Fatalf("%s: the guide adds lines in front of one that begins with %q, of which there are %d", path, anchor, n)
	}
	return strings.Replace(text, "\n"+anchor, "\n"+added+anchor, 1)
}

// overlay writes the files of a guide, and for the go command where they belong.
func (g guide) overlay(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range g.files {
		at, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		replace[at] = write(t, filepath.Join(dir, strings.ReplaceAll(path, "/", "_")), []byte(text))
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, filepath.Join(dir, "overlay.json"), list)
}

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program in the folder of the module and returns what it prints.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}
