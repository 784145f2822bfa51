//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A full folder is a message and exit code 1; existing files stay, and no temporary files are left.
func checkTrouble(t *testing.T, dir, message string) {
	t.Helper()
	input := filepath.Join(dir, "in.tflite")
	before, names := read(t, input), strings.Join(files(t, dir), " ")
	old := filepath.Join(dir, "out.tflite")
	oldData := read(t, old)
	for _, args := range [][]string{
		{"rewrite", "--scratch", "none", input, "--in-place"},
		{"rewrite", "--scratch", "none", input, "-o", old},
		{"rewrite", "--scratch", "none", input, "-o", filepath.Join(dir, "new.tflite")},
	} {
		got := execute(noTerminal(), nil, args...)
		if got.code != exitFailure || !strings.Contains(got.stderr, message) || got.stdout != "" {
			t.Errorf("%v: %+v, want %q", args, got, message)
		}
		if !bytes.Equal(read(t, input), before) || !bytes.Equal(read(t, old), oldData) {
			t.Fatalf("%v: a file was harmed", args)
		}
		if now := strings.Join(files(t, dir), " "); now != names {
			t.Fatalf("%v: files %s, before %s", args, now, names)
		}
	}
}

func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in.tflite"), small()["branch"])
	write(t, filepath.Join(dir, "out.tflite"), []byte("old"))
	message := "permission denied"
	if os.Geteuid() == 0 { // whom no permission stops
		dir, message = readOnlyMount(t, dir), "read-only file system"
	} else if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	} else {
		t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	}
	checkTrouble(t, dir, message)
}

func TestFullDisk(t *testing.T) {
	const size = 64 << 10
	dir := smallMount(t, size)
	write(t, filepath.Join(dir, "in.tflite"), large(size/2))
	write(t, filepath.Join(dir, "out.tflite"), []byte("old"))
	checkTrouble(t, dir, "no space left on device")
}

func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("left out: there is no /dev/full here: ", err)
	}
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), small()["branch"])
	got := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", "/dev/full")
	if got.code != exitFailure || got.stderr != "tflarena: /dev/full: no space left on device\n" {
		t.Errorf("%+v", got)
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode().IsRegular() {
		t.Error("the device was replaced")
	}
}

func TestFolderAsOutput(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "m.tflite"), small()["branch"])
	got := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", dir)
	if got.code != exitFailure || !strings.Contains(got.stderr, "directory") || len(files(t, dir)) != 1 {
		t.Errorf("%+v, files %v", got, files(t, dir))
	}
	got = execute(noTerminal(), nil, "rewrite", "--scratch", "none", dir, "--in-place")
	if got.code != exitFailure || !strings.Contains(got.stderr, "directory") {
		t.Errorf("%+v", got)
	}
}

// A symbolic link stays, and its target keeps its mode.
func TestLink(t *testing.T) {
	for _, c := range []struct {
		flags []string
		place string // the flag before the link
	}{{[]string{"rewrite"}, "--in-place"}, {[]string{"rewrite"}, "-o"}, {[]string{"fit", "--least"}, "-o"}} {
		way := strings.Join(c.flags, " ") + " " + c.place
		dir := t.TempDir()
		model := write(t, filepath.Join(dir, "m.tflite"), small()["branch"])
		flags := append(c.flags, "--scratch", "none")
		want := execute(noTerminal(), nil, append(flags, model, "-o", "-")...).stdout
		target := write(t, filepath.Join(dir, "target.tflite"), small()["branch"])
		link := filepath.Join(dir, "link.tflite")
		if err := os.Chmod(target, 0o640); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("target.tflite", link); err != nil {
			t.Fatal(err)
		}
		args := append(flags, link, c.place)
		if c.place == "-o" {
			args = append(flags, model, c.place, link)
		}
		got := execute(noTerminal(), nil, args...)
		if got.code != exitOK || !strings.Contains(got.stderr, target) {
			t.Errorf("%s: %+v", way, got)
		}
		info, err := os.Lstat(target)
		if err != nil || info.Mode() != 0o640 || !isLink(link) || string(read(t, target)) != want {
			t.Errorf("%s: mode %v, %v; link %v", way, info.Mode(), err, isLink(link))
		}
	}
}

// However the output names the input, it is refused.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "m.tflite"), small()["branch"])
	symbolic, hard := filepath.Join(dir, "symbolic"), filepath.Join(dir, "hard")
	if err := os.Symlink(model, symbolic); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(model, hard); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{model, filepath.Join(dir, ".", "x", "..", "m.tflite"), symbolic, hard} {
		got := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", path)
		if got.code != exitUsage || !strings.Contains(got.stderr, "--in-place") || !bytes.Equal(read(t, model), small()["branch"]) {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

// A pipe is read and written directly, and never replaced.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	for _, path := range []string{in, out} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("left out: no pipes here: ", err)
		}
	}
	want := execute(noTerminal(), small()["branch"], "rewrite", "--scratch", "none", "-", "-o", "-").stdout
	go func() { _ = os.WriteFile(in, small()["branch"], 0o600) }()
	got := make(chan []byte)
	go func() {
		data, _ := os.ReadFile(out)
		got <- data
	}()
	if o := execute(noTerminal(), nil, "rewrite", "--scratch", "none", in, "-o", out); o.code != exitOK {
		t.Fatalf("%+v", o)
	}
	if data := <-got; string(data) != want {
		t.Errorf("%d bytes came through, want %d", len(data), len(want))
	}
	if o := execute(noTerminal(), nil, "rewrite", "--scratch", "none", in, "--in-place"); o.code != exitFailure || !strings.Contains(o.stderr, "not a regular file") {
		t.Errorf("%+v", o)
	}
}

// A pipe without a writer does not delay an interrupt.
func TestInterruptedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("left out: no pipes here: ", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := executeIn(ctx, noTerminal(), nil, "plan", path); got.code != exitInterrupted || got.stdout != "" {
		t.Errorf("%+v", got)
	}
}

// Names as long as a file system takes them are names as all others.
func TestLongestName(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, strings.Repeat("n", 255)), small()["branch"])
	report := filepath.Join(dir, strings.Repeat("r", 255))
	for _, args := range [][]string{
		{"rewrite", "--scratch", "none", path, "--in-place", "-o", "json=" + report},
		{"analyze", path, "-o", "json=" + report},
	} {
		if got := execute(noTerminal(), nil, args...); got.code != exitOK || len(files(t, dir)) != 2 {
			t.Errorf("%+v, files %d", got, len(files(t, dir)))
		}
	}
}

// A disk that takes the first of two files, and not the second, keeps neither.
func TestDiskFullOfOne(t *testing.T) {
	const size = 256 << 10
	dir := smallMount(t, size)
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), large(size/2))
	write(t, filepath.Join(dir, "b.tflite"), []byte("old"))
	got := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", filepath.Join(dir, "a.tflite"), "-o", filepath.Join(dir, "b.tflite"))
	if got.code != exitFailure || !strings.Contains(got.stderr, "b.tflite: no space left on device") || got.stdout != "" {
		t.Errorf("%+v", got)
	}
	if left := files(t, dir); len(left) != 1 || string(read(t, filepath.Join(dir, "b.tflite"))) != "old" {
		t.Errorf("files %v", left)
	}
}
