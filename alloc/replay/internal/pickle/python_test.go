package pickle

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// python returns a Python 3, or leaves the test out.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1" {
			t.Fatal("no python3")
		}
		t.Skip("left out: there is no python3")
	}
	return path
}

// TestAsPython reads what Python writes of drawn objects, in all protocols.
func TestAsPython(t *testing.T) {
	count := "400"
	if testing.Short() {
		count = "150"
	}
	out, err := exec.Command(python(t), "testdata/draw.py", "1", count).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for s := bufio.NewReader(bytes.NewReader(out)); ; lines++ {
		line, err := s.ReadString('\n')
		if err != nil {
			break
		}
		form, digits, _ := strings.Cut(strings.TrimSpace(line), " ")
		data, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := Decode(data, nil)
		if err != nil {
			t.Fatalf("%x: %v", data, err)
		}
		if got := plain(tree, tree.Root, nil); got != form {
			t.Fatalf("%x:\n%s, Python has\n%s", data, got, form)
		}
		for _, cut := range []int{len(data) - 1, len(data) / 2, 1} {
			if _, err := Decode(data[:cut], nil); err == nil {
				t.Errorf("%x is cut off at byte %d, and read without an error", data, cut)
			}
		}
	}
	if lines < 900 {
		t.Errorf("only %d pickles", lines)
	}
}
