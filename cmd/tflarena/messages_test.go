package main

import (
	"strings"
	"testing"
)

// TestMessagesArePlain: the name of a file is no command to a terminal, whatever is said of it.
func TestMessagesArePlain(t *testing.T) {
	var b strings.Builder
	p := &program{stderr: &b}
	p.interrupted("a\x1b[31m.tflite", "rest")
	if got := b.String(); strings.Contains(got, "\x1b") || !strings.HasSuffix(got, ".tflite: interrupted; rest\n") || p.code != exitInterrupted {
		t.Errorf("%q, exit code %d", got, p.code)
	}
}
