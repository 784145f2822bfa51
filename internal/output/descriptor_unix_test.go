//go:build unix

package output

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// openFile is a file of the test with its descriptor, which no other file has meanwhile.
func openFile(t *testing.T, path string, flag int) (f *os.File, name string) {
	t.Helper()
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, fmt.Sprintf("/dev/fd/%d", f.Fd())
}

// Every path to an open file of this process stands for that file, not for what it leads
// to on the disk.
func TestCanonical(t *testing.T) {
	if _, err := os.Stat("/dev/fd/1"); err != nil {
		t.Skip("left out: no /dev/fd here: ", err)
	}
	dir := t.TempDir()
	links(t, dir, "stdout", "/dev/stdout", "chain", "stdout", "fd", "/dev/fd", "1", "none", "loop", "loop")
	_, seven := openFile(t, filepath.Join(dir, "seven"), os.O_CREATE|os.O_WRONLY)
	want := map[string]string{
		"/dev/stdout": Stdout, "/dev/fd/1": Stdout, "/dev/../dev/fd/./1": Stdout, "/dev/stderr": Stderr, "/dev/fd/2": Stderr,
		filepath.Join(dir, "stdout"): Stdout, filepath.Join(dir, "chain"): Stdout, filepath.Join(dir, "fd", "2"): Stderr,
		seven: seven, "/dev/stdin": "/dev/fd/0", filepath.Join(dir, "fd", filepath.Base(seven)): seven,
	}
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		for _, self := range []string{"self", "thread-self", fmt.Sprint(os.Getpid())} {
			want["/proc/"+self+"/fd/1"] = Stdout
			want["/proc/"+self+"/fd/"+filepath.Base(seven)] = seven
		}
	}
	for _, other := range []string{"1", "/dev/null", "/dev/fd", "/dev/fd/x", "/dev/fd/-1", filepath.Join(dir, "1"), filepath.Join(dir, "loop"), filepath.Join(dir, "seven"), "/proc/1/fd/1"} {
		want[other] = other
	}
	for path, want := range want {
		if got := canonical(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// An open file is written at its current position: the beginning of a file that is appended to stays.
func TestOpenFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	write(t, path, "old\n")
	before, _ := os.Stat(path)
	_, appending := openFile(t, path, os.O_WRONLY|os.O_APPEND)
	f, _ := openFile(t, path, os.O_RDONLY)
	links(t, dir, "link", appending)
	for _, name := range []string{appending, filepath.Join(dir, "link")} {
		if err := WriteFile(t.Context(), name, []byte("new\n")); err != nil {
			t.Fatal(err)
		}
	}
	if data, _ := os.ReadFile(path); string(data) != "old\nnew\nnew\n" {
		t.Errorf("%q", data)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("the file was replaced")
	}
	for name, want := range map[string]string{
		fmt.Sprintf("/dev/fd/%d", f.Fd()): "is open only for reading", "/dev/fd/987654": "no such file is open",
	} {
		if err := WriteFile(t.Context(), name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A socket cannot be opened by its path, but written to.
func TestSocket(t *testing.T) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Skip("left out: no sockets here: ", err)
	}
	a, b := os.NewFile(uintptr(pair[0]), "a"), os.NewFile(uintptr(pair[1]), "b")
	defer a.Close()
	defer b.Close()
	if err := WriteFile(t.Context(), fmt.Sprintf("/dev/fd/%d", pair[0]), []byte("new")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := b.Read(got); err != nil || string(got) != "new" {
		t.Errorf("%q, %v", got, err)
	}
}

// Standard output and error are those of the caller, whatever their paths.
func TestStandardStreams(t *testing.T) {
	var stdout, stderr bytes.Buffer
	files := []File{{Stdout, []byte("1")}, {"/dev/stdout", []byte("2")}, {Stderr, []byte("3")}, {"/dev/fd/2", []byte("4")}}
	if err := Write(t.Context(), files, Streams{&stdout, &stderr}); err != nil || stdout.String() != "12" || stderr.String() != "34" {
		t.Errorf("%v: %q, %q", err, &stdout, &stderr)
	}
}

// Two ways to say one open file are one output.
func TestParseSeesOpenFiles(t *testing.T) {
	formats := []string{"tflite", "json"}
	for _, pair := range [][2]string{{"-", "json=/dev/stdout"}, {"/dev/fd/1", "json=-"}, {"/dev/stdout", "json=/proc/self/fd/1"}, {"/dev/fd/0", "json=/dev/stdin"}} {
		if _, err := ParseModel(pair[:], formats, nil, AnotherPath); err == nil || !strings.Contains(err.Error(), "two outputs to") {
			t.Errorf("%v: %v", pair, err)
		}
	}
	if _, err := ParseModel([]string{"/dev/stderr"}, formats, nil, AnotherPath); err == nil || !strings.Contains(err.Error(), "standard error is for messages") {
		t.Error(err)
	}
	if specs, err := ParseModel([]string{"/dev/stdout", "json=/dev/stderr"}, formats, nil, AnotherPath); err != nil || specs[0].Path != Stdout || specs[1].Path != Stderr {
		t.Errorf("%v, %v", specs, err)
	}
}

// The file of standard output or error cannot be another output.
func TestStandardCheck(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "log")
	log, _ := openFile(t, path, os.O_CREATE|os.O_RDWR)
	null, _ := openFile(t, os.DevNull, os.O_RDWR)
	other, _ := openFile(t, filepath.Join(dir, "other"), os.O_CREATE|os.O_RDWR)
	for _, c := range []struct {
		std  Standard
		spec Spec
		want string
	}{
		{Standard{Out: log, Err: other}, Spec{"tflite", Stdout}, ""},
		{Standard{Out: log, Err: log}, Spec{"tflite", Stdout}, "standard output and standard error are one file"},
		{Standard{Out: log, Err: log}, Spec{"json", Stdout}, ""},
		{Standard{Out: log, Err: log, Quiet: true}, Spec{"tflite", Stdout}, ""},
		{Standard{Out: null, Err: null}, Spec{"tflite", Stdout}, ""},
		{Standard{Out: null, OutIsTerminal: true}, Spec{"tflite", Stdout}, "standard output is a terminal"},
		{Standard{Out: null, OutIsTerminal: true}, Spec{"json", Stdout}, ""},
		{Standard{Out: log, Err: other}, Spec{"json", path}, "is the file that standard output goes to"},
		{Standard{Out: other, Err: log}, Spec{"json", path}, "is the file that standard error goes to"},
		{Standard{Out: other, Err: other}, Spec{"json", path}, ""},
		{Standard{Out: other, Err: other}, Spec{"json", Stderr}, ""},
		{Standard{Out: null, Err: null}, Spec{"tflite", os.DevNull}, ""},
		{Standard{In: log, Inputs: []string{"-"}}, Spec{"json", path}, "would overwrite the input"},
		{Standard{In: log, Out: log, Inputs: []string{"-"}}, Spec{"json", filepath.Join(dir, "new")}, "standard output goes to the input, -"},
		{Standard{Out: log, Inputs: []string{"m", path}}, Spec{"json", Stdout}, "standard output goes to the input, " + path},
		{Standard{In: null, Out: null, Inputs: []string{"-"}}, Spec{"json", Stdout}, ""},
		{Standard{In: log}, Spec{"json", path}, ""},
		{Standard{}, Spec{"json", filepath.Join(dir, "none")}, ""},
	} {
		err := c.std.Check([]Spec{c.spec})
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.spec, err, c.want)
		}
	}
}
