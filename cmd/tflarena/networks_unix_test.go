//go:build unix

package main

import (
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// Half a gigabyte of weights takes no memory in commands that look at the lengths of constants
// alone, and none where they are written. Trying pieces is something else.
func TestLargeWeightsTakeNoMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("left out: elsewhere memory is counted in other units")
	}
	if testing.Short() {
		t.Skip("left out: a program with the race detector takes more memory than that")
	}
	const most = 100 << 10 // KiB
	for _, args := range [][]string{
		{"plan", "builtin:vgg19"},
		{"plan", "builtin:vgg19-int8", "--runtime", "litert"},
		{"check", "builtin:seq2seq"},
		{"models", "build", "vgg19", "-o", "/dev/null"},
	} {
		cmd := exec.Command(name, args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if used := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; used > most {
			t.Errorf("%v takes %d KiB", args, used)
		}
	}
}
