//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// sparse writes a model followed by zeros, which take no space on disk.
func sparse(t *testing.T, size int64) string {
	t.Helper()
	path := write(t, filepath.Join(t.TempDir(), "large.tflite"), small()["branch"])
	if err := os.Truncate(path, size); err != nil {
		t.Skip("left out: no sparse files here: ", err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A model larger than the memory that a process may have is analysed all the same, as a
// file or as standard input, since it is mapped; from a pipe it cannot be.
func TestLargerThanMemory(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH == "386" {
		t.Skip("left out: memory is limited this way on Linux, and there is room for the file in 64 bits")
	}
	if testing.Short() {
		t.Skip("left out: a program with the race detector takes more memory than that")
	}
	path := sparse(t, 700<<20)
	suggestion := regexp.MustCompile(`(?m)^next: .*\n`) // it names the input; standard input has none
	want := suggestion.ReplaceAllString(execute(noTerminal(), nil, "analyze", path).stdout, "")
	run := func(line string) (string, error) {
		const limit = "ulimit -d 307200 && " // in KiB, of all memory that the process has to itself
		out, err := exec.Command("sh", "-c", limit+line, path).Output()
		return string(out), err
	}
	for _, line := range []string{`exec tflarena analyze "$0"`, `exec tflarena analyze - <"$0"`} {
		if out, err := run(line); err != nil || suggestion.ReplaceAllString(strings.ReplaceAll(out, "<stdin>", path), "") != want {
			t.Errorf("%s: %v: %s", line, err, out)
		}
	}
	if _, err := run(`head -c 500000000 "$0" | tflarena analyze -`); err == nil {
		t.Error("the limit does not hold")
	}
}

// A large model that is cut short, or written to, while it is in use is an error, nothing is
// written, and nothing crashes. One that is replaced by another file is read to its end.
func TestChangedInUse(t *testing.T) {
	for what, c := range map[string]struct {
		change func(path string) error
		code   int
	}{
		"cut short": {func(path string) error { return os.Truncate(path, 0) }, exitFailure},
		"written to": {func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteAt([]byte{1}, tflite.MapSize-1)
				f.Close()
			}
			return err
		}, exitFailure},
		"replaced":   {func(path string) error { return os.WriteFile(path+".new", nil, 0o600) }, exitOK},
		"left alone": {func(string) error { return nil }, exitOK},
	} {
		for _, output := range []string{"-o", "--in-place"} {
			path := sparse(t, tflite.MapSize)
			dir := filepath.Dir(path)
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip("left out: no pipes here: ", err)
			}
			args := []string{"rewrite", path, "--scratch", pipe, output}
			if output == "-o" {
				args = append(args, filepath.Join(dir, "out.tflite"))
			}
			done := make(chan error, 1)
			go func() { // the pipe opens when the model has been read
				f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
				if err == nil {
					err = c.change(path)
				}
				if err == nil && what == "replaced" {
					err = os.Rename(path+".new", path)
				}
				if err == nil {
					_, err = f.WriteString("subgraph,operator,bytes\n")
				}
				f.Close()
				done <- err
			}()
			got := execute(noTerminal(), nil, args...)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			if got.code != c.code {
				t.Errorf("%s: %+v", what, got)
			}
			if c.code == exitOK {
				continue
			}
			if want := "tflarena: " + path + ": " + tflite.ErrChanged.Error() + "\n"; !strings.HasSuffix(got.stderr, want) || got.stdout != "" {
				t.Errorf("%s: %+v", what, got)
			}
			if left := files(t, dir); len(left) != 1 {
				t.Errorf("%s: files %v", what, left)
			}
		}
	}
}

// A copy of a mapped model is the same bytes.
func TestLargeCopy(t *testing.T) {
	path := sparse(t, tflite.MapSize)
	out := filepath.Join(filepath.Dir(path), "out.tflite")
	if got := execute(noTerminal(), nil, "rewrite", "--remove", path, "-o", out); got.code != exitOK || !strings.Contains(got.stderr, "copy") {
		t.Fatalf("%+v", got)
	}
	if !bytes.Equal(read(t, path), read(t, out)) {
		t.Error("the copy differs")
	}
}

// TestCutShortWhileSearching: a large model that is cut short while goroutines search its operators is an
// error, whichever of them reads it first.
func TestCutShortWhileSearching(t *testing.T) {
	for _, line := range []string{"analyze MODEL", "fit MODEL --allow-faults --least -o OUT", "fit MODEL --allow-faults --head 1K -o OUT", "fit MODEL --allow-faults", "plan MODEL --alias diagonal", "rewrite MODEL --allow-faults --reorder -o OUT", "check MODEL"} {
		dir := t.TempDir()
		path, pipe := write(t, filepath.Join(dir, "large.tflite"), mutate.Network(schema.TensorTypeINT8)), filepath.Join(dir, "pipe")
		if err := os.Truncate(path, tflite.MapSize); err != nil {
			t.Skip("left out: no sparse files here: ", err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Skip("left out: no pipes here: ", err)
		}
		done := make(chan error, 1)
		go func() { // the pipe opens when the model has been read
			f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
			if err == nil {
				err = os.Truncate(path, 0)
			}
			if err == nil {
				_, err = f.WriteString("subgraph,operator,bytes\n")
			}
			f.Close()
			done <- err
		}()
		args := strings.Fields(strings.NewReplacer("MODEL", path, "OUT", filepath.Join(dir, "out.tflite")).Replace(line))
		got := execute(noTerminal(), nil, append(args, "--scratch", pipe)...)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if want := "tflarena: " + path + ": " + tflite.ErrChanged.Error() + "\n"; got.code != exitFailure || !strings.HasSuffix(got.stderr, want) || got.stdout != "" {
			t.Errorf("%s: %+v", line, got)
		}
	}
}
