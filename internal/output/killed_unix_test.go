//go:build unix

package output

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// childMode tells the test's own binary to be the process that is killed, and where.
const childMode = "TFLARENA_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		child(mode, os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// child writes files up to the moment that its mode names, reports it, and waits there until it is
// killed.
func child(mode string, paths []string) {
	moment, named := strings.CutPrefix(mode, "named ")
	if named {
		createUnnamed = func(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }
	}
	stay := func() {
		fmt.Println("there")
		_, _ = os.Stdin.Read(make([]byte, 1)) // which never comes
	}
	renamed := 0
	rename = func(from, to string) error {
		if moment == "rename" || moment == "second rename" && renamed == 1 {
			stay()
		}
		renamed++
		return os.Rename(from, to)
	}
	var files []File
	for _, path := range paths {
		files = append(files, File{path, []byte("new")})
	}
	if moment == "stream" {
		files = append(files, File{Stdout, []byte("there\n" + strings.Repeat(".", 1<<20))})
	}
	err := Write(context.Background(), files, Streams{os.Stdout, os.Stderr})
	fmt.Println(err) // it was not held, which no test expects
}

// hold starts a child and returns once it is at its moment.
func hold(t *testing.T, mode string, paths ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(executable, paths...)
	cmd.Env, cmd.Stderr = append(os.Environ(), childMode+"="+mode), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	if line, err := bufio.NewReaderSize(out, 16).ReadString('\n'); line != "there\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// temporaries counts the temporary files of a folder, and returns what else it has.
func temporaries(t *testing.T, dir string) (n int, others map[string]string) {
	t.Helper()
	others = contents(t, dir)
	for name := range others {
		if strings.HasPrefix(name, temporaryPrefix) {
			delete(others, name)
			n++
		}
	}
	return n, others
}

// A killed process leaves the old files or the new ones, each of them complete. With unnamed temporary
// files it leaves no others, except between two system calls; the next run removes those, but not
// before the process is dead.
func TestKilled(t *testing.T) {
	unnamed := 0 // files that a process leaves that only wrote them
	if f, err := createUnnamed(filepath.Join(t.TempDir(), "x"), 0o600); err == nil {
		f.Close()
	} else {
		unnamed = 2
	}
	for _, c := range []struct {
		mode       string
		left       int
		new1, new2 string
	}{
		{"stream", unnamed, "old", "old"},
		{"named stream", 2, "old", "old"},
		{"rename", 2 + 1, "old", "old"},
		{"named rename", 2 + 1, "old", "old"},
		{"second rename", 1 + 2, "new", "old"},
		{"named second rename", 1 + 2, "new", "old"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			dir := t.TempDir()
			one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
			write(t, one, "old")
			write(t, two, "old")
			cmd := hold(t, c.mode, one, two)
			held, others := temporaries(t, dir)
			if held != c.left || others["one"] != c.new1 || others["two"] != c.new2 || len(others) != 2 {
				t.Errorf("%d temporary files, want %d; %v", held, c.left, others)
			}
			kill(cmd)
			left, others := temporaries(t, dir)
			if left != held || others["one"] != c.new1 || others["two"] != c.new2 {
				t.Errorf("%d temporary files, want %d; %v", left, held, others)
			}
			for _, path := range []string{one, two} {
				if err := WriteFile(t.Context(), path, []byte("newer")); err != nil {
					t.Fatal(err)
				}
			}
			wantContents(t, dir, map[string]string{"one": "newer", "two": "newer"})
		})
	}
}

// Two runs may write one file at the same time: neither takes the other's for abandoned.
func TestTwoRuns(t *testing.T) {
	for _, mode := range []string{"rename", "named rename", "named stream"} {
		path := filepath.Join(t.TempDir(), "one")
		write(t, path, "old")
		cmd := hold(t, mode, path)
		for _, text := range []string{"newer", "newest"} {
			if err := WriteFile(t.Context(), path, []byte(text)); err != nil {
				t.Fatal(err)
			}
			if n, others := temporaries(t, filepath.Dir(path)); n != 1 || others["one"] != text {
				t.Errorf("%s: %d temporary files, %v", mode, n, others)
			}
		}
		kill(cmd)
	}
}

// A reader of standard output that goes away early costs the run, but leaves no file.
func TestBrokenPipe(t *testing.T) {
	for _, mode := range []string{"stream", "named stream"} {
		path := filepath.Join(t.TempDir(), "one")
		write(t, path, "old")
		executable, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		cmd := exec.Command(executable, path)
		cmd.Env, cmd.Stdout = append(os.Environ(), childMode+"="+mode), w
		_ = cmd.Run() // its error message goes into the pipe
		w.Close()
		wantContents(t, filepath.Dir(path), map[string]string{"one": "old"})
	}
}
