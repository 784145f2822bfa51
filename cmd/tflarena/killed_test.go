//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process that is killed at any moment leaves the old file or the new one.
func TestKilled(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	old := large(1 << 20)
	want := []byte(execute(noTerminal(), old, "rewrite", "--scratch", "none", "-", "-o", "-").stdout)
	dir := t.TempDir()
	path := filepath.Join(dir, "m.tflite")
	start := time.Now()
	write(t, path, old)
	if err := exec.Command(name, "rewrite", "--scratch", "none", path, "--in-place").Run(); err != nil || !bytes.Equal(read(t, path), want) {
		t.Fatalf("%v; new file: %v", err, bytes.Equal(read(t, path), want))
	}
	whole := time.Since(start)
	for i := range rounds {
		write(t, path, old)
		cmd := exec.Command(name, "rewrite", "--scratch", "none", path, "--in-place")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole * time.Duration(i) / time.Duration(rounds)) // from beginning to end
		_ = cmd.Process.Kill()                                       // it may have ended
		_ = cmd.Wait()
		if data := read(t, path); !bytes.Equal(data, old) && !bytes.Equal(data, want) {
			t.Fatalf("%d bytes that are neither the old file nor the new one", len(data))
		}
		// Between the last two system calls there may be another one.
		for _, left := range files(t, dir) {
			if left != "m.tflite" && !strings.HasPrefix(left, ".tflarena-") {
				t.Errorf("file %s was left", left)
			}
		}
	}
	write(t, path, old)
	if err := exec.Command(name, "rewrite", "--scratch", "none", path, "--in-place").Run(); err != nil || len(files(t, dir)) != 1 {
		t.Errorf("%v, files %v were left", err, files(t, dir))
	}
}

// A process that is killed when all files are written, and none is in its place yet, leaves
// everything as it was. It is held there by a pipe that takes no more.
func TestKilledAtPipe(t *testing.T) {
	dir, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("left out: no pipes here: ", err)
	}
	model := write(t, filepath.Join(dir, "m.tflite"), large(1<<20))
	old := write(t, filepath.Join(dir, "old.tflite"), []byte("old"))
	fresh := filepath.Join(dir, "new.tflite")
	args := []string{"rewrite", "--scratch", "none", model, "-o", old, "-o", pipe, "-o", fresh}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(pipe)
	if err == nil {
		_, err = f.Read(make([]byte, 1))
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got := string(read(t, old)); got != "old" {
		t.Errorf("%d bytes that are not the old file", len(got))
	}
	left := strings.Join(files(t, dir), " ")
	if runtime.GOOS == "linux" && left != "m.tflite old.tflite" {
		t.Errorf("files %s", left)
	}
	want := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", "-").stdout
	if got := execute(noTerminal(), nil, "rewrite", "--scratch", "none", model, "-o", old, "-o", fresh); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if left := strings.Join(files(t, dir), " "); left != "m.tflite new.tflite old.tflite" || string(read(t, old)) != want || string(read(t, fresh)) != want {
		t.Errorf("files %s", left)
	}
}

// A process that is asked to end leaves the old file or the new one, and nothing else.
func TestTerminated(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	old := large(1 << 20)
	want := []byte(execute(noTerminal(), old, "rewrite", "--scratch", "none", "-", "-o", "-").stdout)
	dir := t.TempDir()
	path := filepath.Join(dir, "m.tflite")
	for i := range rounds {
		write(t, path, old)
		cmd := exec.Command(name, "rewrite", "--scratch", "none", path, "--in-place")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// It takes a while until signals are heard at all.
		time.Sleep(30*time.Millisecond + 60*time.Millisecond*time.Duration(i)/time.Duration(rounds))
		_ = cmd.Process.Signal([]os.Signal{syscall.SIGTERM, syscall.SIGHUP, os.Interrupt}[i%3]) // it may have ended
		_ = cmd.Wait()
		if data := read(t, path); !bytes.Equal(data, old) && !bytes.Equal(data, want) {
			t.Fatalf("%d bytes that are neither the old file nor the new one", len(data))
		}
		if !cmd.ProcessState.Exited() { // the signal came too early to be heard
			continue
		}
		if left := files(t, dir); len(left) != 1 {
			t.Errorf("files %v were left", left)
		}
	}
}

func ignored(s os.Signal) bool { return signal.Ignored(s) }

// A pipe without a reader delays no signal.
func TestTerminatedAtPipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("left out: no pipes here: ", err)
	}
	model := write(t, filepath.Join(dir, "m.tflite"), small()["branch"])
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if ignored(signal) {
			continue // as under nohup, and children ignore it too
		}
		// A signal may come before the handler is installed, or before the pipe is reached: then try
		// again later.
		var state *os.ProcessState
		var stderr string
		for wait := 300 * time.Millisecond; wait < time.Minute && !strings.Contains(stderr, "pipe: interrupted"); wait *= 3 {
			state, stderr = signalled(t, signal, wait, "rewrite", model, "-o", pipe, "--json", "-q")
		}
		if code := state.ExitCode(); code != exitInterrupted || !strings.Contains(stderr, "pipe: interrupted") {
			t.Errorf("%v: exit %d: %s", signal, code, stderr)
		}
	}
}

// signalled runs the command, sends it a signal after a while, and returns how it ended
// and what it said.
func signalled(t *testing.T, signal os.Signal, wait time.Duration, args ...string) (*os.ProcessState, string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	time.Sleep(wait)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Logf("%v after %v does not end it", signal, wait)
		_ = cmd.Process.Kill()
		<-ended
	}
	return cmd.ProcessState, stderr.String()
}

// A process that is killed while it cuts a model into segments leaves a manifest with its files: the old one or the
// new one.
func TestKilledAtSegments(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	dir := filepath.Join(t.TempDir(), "parts")
	start := func(budget string) *exec.Cmd {
		cmd := exec.Command(name, "stream", "builtin:blazeface", "--macs-per-second", "1e9", "--bandwidth", "1MiB", "--budget", budget, "--segments", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	// Two budgets with other segments, so that each run changes all files.
	budgets := []string{"64MiB", "7500KiB"}
	before := 0
	var whole time.Duration
	for _, budget := range budgets {
		began := time.Now()
		if err := start(budget).Wait(); err != nil {
			t.Fatal(err)
		}
		whole = time.Since(began)
		if names := listed(t, dir); len(names) == before {
			t.Fatalf("%s: the segments are those of the other budget: %v", budget, names)
		} else {
			before = len(names)
		}
	}
	for i := range rounds {
		cmd := start(budgets[i%2])
		time.Sleep(whole * time.Duration(i) / time.Duration(rounds))
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		listed(t, dir)
	}
}
