package output

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var formats = []string{"json", "csv", "markdown"}

func TestParse(t *testing.T) {
	for text, want := range map[string]Spec{
		"json=-":       {"json", "-"},
		"csv=a.json":   {"csv", "a.json"},
		"json=a=b":     {"json", "a=b"},
		"out.JSON":     {"json", "out.JSON"},
		"dir.x/a.md":   {"markdown", "dir.x/a.md"},
		"A=b/out.csv":  {"csv", "A=b/out.csv"},
		"./json=x.csv": {"csv", "./json=x.csv"},
	} {
		got, err := Parse([]string{text}, formats, nil)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff([]Spec{want}, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"-"}, "say the format, as in -o json=-"},
		{[]string{"xml=a.json"}, `unknown format "xml": use json, csv or markdown`},
		{[]string{"json="}, "no path"},
		{[]string{"out"}, "the extension is not a format"},
		{[]string{"out.svg"}, "the extension is not a format"},
		{[]string{"json=-", "csv=-"}, "two outputs to standard output"},
		{[]string{"a.json", "csv=./a.json"}, "two outputs to ./a.json"},
		{[]string{"json=input.tflite"}, "would overwrite the input"},
		{[]string{"json=./input.tflite"}, "would overwrite the input"},
	} {
		_, err := Parse(c.texts, formats, []string{"input.tflite", "-"})
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.texts, err, c.want)
		}
	}
}

func TestParseSeesLinksToTheInput(t *testing.T) {
	dir := t.TempDir()
	input, link := filepath.Join(dir, "a.tflite"), filepath.Join(dir, "b.json")
	write(t, input, "x")
	if err := os.Symlink(input, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if _, err := Parse([]string{link}, formats, []string{input}); !errors.Is(err, ErrUsage) {
		t.Errorf("got %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(t.Context(), path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%d files left, want 1", len(entries))
	}
}

func TestWriteFileKeepsLinkAndPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links differ there")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	write(t, path, "old")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(t.Context(), link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if target, err := os.Readlink(link); err != nil || target != path {
		t.Errorf("the link is gone: %q, %v", target, err)
	}
}

func TestWriteFileBehindLinkToNothing(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink("none", link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := WriteFile(t.Context(), link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "none")); string(got) != "new" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Readlink(link); err != nil {
		t.Error("the link is gone: ", err)
	}
}

func TestParseModel(t *testing.T) {
	formats := []string{"tflite", "json"}
	for text, want := range map[string]Spec{
		"-": {"tflite", "-"}, "out": {"tflite", "out"}, "out.bin": {"tflite", "out.bin"}, "out.tflite": {"tflite", "out.tflite"},
		"json=-": {"json", "-"}, "r.json": {"json", "r.json"}, "tflite=x.json": {"tflite", "x.json"},
	} {
		got, err := ParseModel([]string{text}, formats, nil, AnotherPath)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff([]Spec{want}, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"": "no path given", "csv=x": "unknown format", "in.tflite": "would overwrite the input: choose another path, or replace it with --in-place",
	} {
		if _, err := ParseModel([]string{text}, formats, []string{"in.tflite"}, AnotherPath+", or replace it with --in-place"); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestWriteFileFails(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "no", "such", "folder")} {
		if err := WriteFile(t.Context(), path, nil); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if runtime.GOOS != "windows" {
		if err := WriteFile(t.Context(), os.DevNull, []byte("x")); err != nil {
			t.Errorf("a device: %v", err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// links makes symbolic links in a folder, given as pairs of name and target.
func links(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if err := os.Symlink(pairs[i+1], filepath.Join(dir, pairs[i])); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
}

// A chain of links is followed to its end, whether that exists or not; one without
// end is an error, and nothing is written.
func TestChainOfLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	links(t, dir, "a", "b", "b", filepath.Join("sub", "c"), filepath.Join("sub", "c"), filepath.Join("..", "end"), "x", "y", "y", "x",
		"door", "sub")
	for text, name := range map[string]string{"first": "a", "second": filepath.Join("door", "c")} {
		if err := WriteFile(t.Context(), filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "end")); string(got) != text || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	for _, name := range []string{"a", "b", filepath.Join("sub", "c"), "x", "y"} {
		if _, err := os.Readlink(filepath.Join(dir, name)); err != nil {
			t.Errorf("the link %s is gone: %v", name, err)
		}
	}
	loop := filepath.Join(dir, "x")
	if err := WriteFile(t.Context(), loop, nil); !errors.Is(err, errLinks) {
		t.Errorf("a circle: %v", err)
	}
	if _, err := Parse([]string{"json=" + loop}, []string{"json"}, nil); !errors.Is(err, errLinks) {
		t.Errorf("a circle as output: %v", err)
	}
}

// Two outputs that are one file through links are refused, whether it exists or not.
func TestTwoOutputsToOneFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, at("real"), "x")
	links(t, dir, "link", "real", "dangling", "none", "chain", "dangling", "door", "sub")
	formats := []string{"json", "csv"}
	for _, pair := range [][2]string{
		{"real", "link"},
		{"dangling", "none"},
		{"chain", "dangling"},
		{"chain", "none"},
		{filepath.Join("sub", "new"), filepath.Join("door", "new")},
	} {
		_, err := Parse([]string{"json=" + at(pair[0]), "csv=" + at(pair[1])}, formats, nil)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), "two outputs to one file") {
			t.Errorf("%v: %v", pair, err)
		}
		if _, err := Parse([]string{"json=" + at(pair[0])}, formats, []string{at(pair[1])}); !errors.Is(err, ErrUsage) {
			t.Errorf("output %s, input %s: %v", pair[0], pair[1], err)
		}
	}
	if _, err := Parse([]string{"json=" + at("real"), "csv=" + at("none")}, formats, nil); err != nil {
		t.Error(err)
	}
}
