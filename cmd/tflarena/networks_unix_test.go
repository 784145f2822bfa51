//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// measuring is the variable of the environment with the command line whose memory is measured.
// Linux counts for a process what the one that started it had: the test, which may have had
// much, starts itself anew, and that process starts the command.
const measuring = "TFLARENA_TEST_MEASURING"

func init() {
	line := os.Getenv(measuring)
	if line == "" {
		return
	}
	os.Unsetenv(measuring)
	cmd := exec.Command(name, strings.Fields(line)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Printf("%v: %s", err, out)
		os.Exit(1)
	}
	fmt.Print(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	os.Exit(0)
}

// Half a gigabyte of weights takes no memory in commands that look at the lengths of constants
// alone, and none where they are written. Garbage is collected as if they were not there.
func TestLargeWeightsTakeNoMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: elsewhere memory is counted in other units")
	}
	if testing.Short() {
		t.Skip("left out: a program with the race detector takes more memory than that")
	}
	// The command itself takes 80 to 100 MiB, as the collector happens to run, and the smallest weights are
	// 137 MiB.
	const most = 130 << 10 // KiB
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"plan builtin:vgg19",
		"analyze builtin:vgg19",
		"plan builtin:vgg19-int8 --runtime litert",
		"check builtin:seq2seq",
		"models build vgg19 -o /dev/null",
	} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), measuring+"="+line)
		out, err := cmd.Output()
		var used int
		if _, scanned := fmt.Sscan(string(out), &used); err != nil || scanned != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
		if used > most {
			t.Errorf("%s takes %d KiB", line, used)
		}
	}
}
