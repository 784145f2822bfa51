//go:build unix

package output

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// New files have the permissions of the user's mask; old ones keep theirs, without the bits
// that let a program run as another user.
func TestPermissions(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		defer syscall.Umask(syscall.Umask(0o027))
		path := filepath.Join(t.TempDir(), "a")
		check := func(want os.FileMode) {
			t.Helper()
			if err := WriteFile(t.Context(), path, []byte("x")); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Mode() != want {
				t.Errorf("mode %v, want %v (%v)", info.Mode(), want, err)
			}
		}
		check(0o640)
		for set, want := range map[os.FileMode]os.FileMode{
			0o666: 0o666, 0o600: 0o600, 0o755: 0o755, 0o755 | os.ModeSetuid: 0o755, 0o755 | os.ModeSetgid: 0o755, 0o700 | os.ModeSticky: 0o700,
		} {
			if err := os.Chmod(path, set); err != nil {
				t.Fatal(err)
			}
			check(want)
		}
	})
}

// The other names of a file keep its old contents.
func TestHardLink(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
		write(t, path, "old")
		if n := OtherNames(path); n != 0 {
			t.Errorf("%d other names", n)
		}
		if err := os.Link(path, other); err != nil {
			t.Skip("left out: no hard links here: ", err)
		}
		if n := OtherNames(path); n != 1 {
			t.Errorf("%d other names", n)
		}
		if err := WriteFile(t.Context(), path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		wantContents(t, dir, map[string]string{"a": "new", "b": "old"})
	})
}

// A pipe, and a link to one, is written to and never replaced.
func TestPipeStays(t *testing.T) {
	dir := t.TempDir()
	pipe, link := filepath.Join(dir, "pipe"), filepath.Join(dir, "link")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("left out: no pipes here: ", err)
	}
	links(t, dir, "link", "pipe")
	for _, path := range []string{pipe, link} {
		got := make(chan string)
		go func() {
			data, _ := os.ReadFile(pipe)
			got <- string(data)
		}()
		if err := WriteFile(t.Context(), path, []byte(path)); err != nil || <-got != path {
			t.Errorf("%s: %v", path, err)
		}
		info, err := os.Lstat(pipe)
		if err != nil || info.Mode().Type() != os.ModeNamedPipe {
			t.Fatalf("%v, %v", info.Mode(), err)
		}
	}
}

// Nothing is replaced that became a pipe after it was looked at.
func TestBecomesPipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	s, err := stage(File{path, []byte("new")}.source(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.discard()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("left out: no pipes here: ", err)
	}
	if err := s.place(); err == nil || !strings.Contains(err.Error(), "is no longer a regular file") {
		t.Error(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
