package output

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// eachWay runs a test with temporary files that have no names, where the system can do
// that, and with those that have.
func eachWay(t *testing.T, test func(t *testing.T)) {
	t.Run("default", test)
	t.Run("named", func(t *testing.T) {
		withNames(t)
		test(t)
	})
}

// withNames makes temporary files with names, as where the file system has no others.
func withNames(t testing.TB) {
	before := createUnnamed
	createUnnamed = func(string, fs.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }
	t.Cleanup(func() { createUnnamed = before })
}

// WriteFile is [Write] for one file.
func WriteFile(ctx context.Context, path string, data []byte) error {
	return Write(ctx, []File{{path, data}}, Streams{os.Stdout, os.Stderr})
}

// contents returns the files of a folder, hidden ones too, each with its contents.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		all[e.Name()] = string(data)
	}
	return all
}

func wantContents(t testing.TB, dir string, want map[string]string) {
	t.Helper()
	if got := contents(t, dir); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("the folder has %v, want %v", got, want)
	}
}

// Several files are written, or none of them: whatever fails, and in whatever order new
// files, old ones and streams come.
func TestAllOrNone(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		parent := t.TempDir()
		rapid.Check(t, func(rt *rapid.T) {
			dir, err := os.MkdirTemp(parent, "")
			if err != nil {
				rt.Fatal(err)
			}
			before, after := map[string]string{}, map[string]string{}
			var files []File
			var stdout bytes.Buffer
			streams := Streams{&stdout, &stdout}
			for i := range rapid.IntRange(1, 5).Draw(rt, "files") {
				name := fmt.Sprint("file", i)
				if rapid.Bool().Draw(rt, "old") {
					before[name] = "old"
					write(t, filepath.Join(dir, name), "old")
				}
				after[name] = "new " + name
				files = append(files, File{filepath.Join(dir, name), []byte(after[name])})
			}
			trouble := rapid.SampledFrom([]string{"none", "folder", "missing", "stream", "rename"}).Draw(rt, "trouble")
			at := rapid.IntRange(0, len(files)).Draw(rt, "at")
			bad := map[string]string{"folder": dir, "missing": filepath.Join(dir, "none", "x"), "stream": Stdout}[trouble]
			if bad != "" {
				files = append(files[:at:at], append([]File{{bad, []byte("x")}}, files[at:]...)...)
			}
			if trouble == "stream" {
				streams.Stdout = broken{}
			}
			if trouble == "rename" {
				failRename(rt, at)
			}
			err = Write(t.Context(), files, streams)
			failed := trouble != "none" && (trouble != "rename" || errors.Is(err, errTest))
			if failed != (err != nil) || bad != "" && err.(*WriteError).Path != bad {
				rt.Fatalf("%s: %v", trouble, err)
			}
			if failed {
				wantContents(t, dir, before)
			} else {
				wantContents(t, dir, after)
			}
		})
	})
}

var errTest = errors.New("a test's error")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errTest }

// failRename makes the renaming fail after so many.
func failRename(t interface{ Cleanup(func()) }, after int) {
	rename = func(from, to string) error {
		if after--; after < 0 {
			return errTest
		}
		return os.Rename(from, to)
	}
	t.Cleanup(func() { rename = os.Rename })
}

// If files cannot be restored, the error names them.
func TestNotPutBack(t *testing.T) {
	dir := t.TempDir()
	var files []File
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(dir, name), "old")
		files = append(files, File{filepath.Join(dir, name), []byte("new")})
	}
	// All names for the backup of the first file are taken.
	for k := range maxTemporary {
		if k > 0 {
			write(t, temporaryPath(files[0].Path, k), "taken")
		}
	}
	defer func() {
		for k := range maxTemporary {
			os.Remove(temporaryPath(files[0].Path, k))
		}
	}()
	for k := range swept {
		keep(t, temporaryPath(files[0].Path, k))
	}
	failRename(t, 1)
	err := Write(t.Context(), files, Streams{})
	if !errors.Is(err, errTest) || !strings.HasSuffix(err.Error(), "; these files were already written, and could not be put back: "+files[0].Path) {
		t.Errorf("%v", err)
	}
}

// keep holds the lock of a temporary file as a run does.
func keep(t *testing.T, path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	_ = lock(f)
	t.Cleanup(func() { f.Close() })
}

// The longest name that a file system allows is good enough for an output.
func TestLongName(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		name := strings.Repeat("n", 255-len(".json")) + ".json"
		for _, text := range []string{"first", "second"} {
			if err := WriteFile(t.Context(), filepath.Join(dir, name), []byte(text)); err != nil {
				t.Fatal(err)
			}
			wantContents(t, dir, map[string]string{name: text})
		}
		if err := WriteFile(t.Context(), filepath.Join(dir, "n"+name), nil); err == nil {
			t.Error("no error for a name that is too long")
		}
		wantContents(t, dir, map[string]string{name: "second"})
	})
}

// Names that the file system takes for one are no two outputs.
func TestCollision(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file has no second name there")
	}
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		err := Write(t.Context(), []File{{path, []byte("1")}, {path, []byte("2")}}, Streams{})
		if err == nil || !strings.Contains(err.Error(), "is the same file as") {
			t.Error(err)
		}
		wantContents(t, dir, map[string]string{})
	})
}

// A file that appears at the output's path while it is written is replaced, and anything else is left
// alone.
func TestQuicker(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		stageOne := func() *staged {
			s, err := stage(File{path, []byte("new")}.source(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := stageOne()
		write(t, path, "other")
		if err := s.place(); err != nil {
			t.Error(err)
		}
		s.discard()
		wantContents(t, dir, map[string]string{"a": "new"})
		os.Remove(path)
		s = stageOne()
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := s.place(); err == nil {
			t.Error("a folder was replaced")
		}
		s.discard()
		wantContents(t, dir, map[string]string{"a": ""})
	})
}

// Folders that a killed run has left files in are clean after the next run, but what
// another user's program put there under such a name stays.
func TestSweep(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		for k := range swept {
			write(t, temporaryPath(path, k), "left")
		}
		if err := WriteFile(t.Context(), path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		wantContents(t, dir, map[string]string{"a": "new"})
		folder := temporaryPath(path, 0)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(t.Context(), path, []byte("newer")); err != nil {
			t.Fatal(err)
		}
		wantContents(t, dir, map[string]string{"a": "newer", filepath.Base(folder): ""})
	})
}

func TestErrorTexts(t *testing.T) {
	for want, err := range map[string]error{
		"a: x":               &WriteError{Path: "a", Err: &fs.PathError{Op: "write", Path: ".tmp", Err: errors.New("x")}},
		"standard output: x": &WriteError{Path: Stdout, Err: errors.New("x")},
		"a: x; these files were already written, and could not be put back: b, c": &WriteError{Path: "a", Err: &os.LinkError{Err: errors.New("x")}, Stayed: []string{"b", "c"}},
		"a: file does not exist; make its folder first":                           &WriteError{Path: "a", Err: fs.ErrNotExist},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

// Sources are made in order, each in its turn, and if one cannot be made, none is written.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	var made []string
	source := func(name string, err error) Source {
		return Source{filepath.Join(dir, name), func() ([]byte, error) {
			made = append(made, name)
			return []byte(name), err
		}}
	}
	broken := errors.New("broken")
	err := WriteSources(t.Context(), []Source{source("a", nil), source("b", broken), source("c", nil)}, Streams{})
	if left, _ := os.ReadDir(dir); !errors.Is(err, broken) || len(left) > 0 || len(made) != 2 {
		t.Errorf("%v, made %v, files %v", err, made, left)
	}
	made = nil
	if err := WriteSources(t.Context(), []Source{source("a", nil), source("b", nil)}, Streams{}); err != nil || len(made) != 2 {
		t.Errorf("%v, made %v", err, made)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "b")); string(data) != "b" {
		t.Errorf("%q", data)
	}
}
