package cmsisnn

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAsk asks for sizes that can be computed by hand.
func TestAsk(t *testing.T) {
	q := Question{
		Function: "convolution", Input: [4]int{1, 9, 9, 16}, Filter: [4]int{8, 3, 3, 16}, Output: [4]int{1, 9, 9, 8},
		Padding: [2]int{1, 1}, Stride: [2]int{1, 1}, Dilation: [2]int{1, 1},
	}
	wide := q
	wide.Type = Int16
	want := []Sizes{{576, 576, 576}, {1152, 576, 576}, {0, 64, 0}}
	got := Ask(t, []Question{q, wide, {Function: "average", Input: [4]int{1, 4, 4, 16}, Output: [4]int{1, 1, 1, 16}}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sizes (-want +got):\n%s", diff)
	}
}

// Without the wheel a test is skipped, with the reason; where it is required it fails.
func TestRequire(t *testing.T) {
	if os.Getenv("TFLARENA_CMSISNN_TEST") == "1" {
		Require(t)
		t.Fatal("the test went on")
	}
	for required, want := range map[string]string{"": "--- SKIP", "1": "--- FAIL"} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestRequire$", "-test.v")
		cmd.Env = append(os.Environ(), "TFLARENA_CMSISNN_TEST=1", "TFLARENA_REQUIRE_ORACLE="+required,
			"TFLARENA_PYTHON="+filepath.Join(t.TempDir(), "none"))
		out, err := cmd.CombinedOutput()
		text := string(out)
		if (err == nil) != (required == "") || !strings.Contains(text, want) || strings.Contains(text, "went on") ||
			!strings.Contains(text, "left out: the functions of CMSIS-NN are not installed (run .ci/oracles") {
			t.Errorf("required %q: %v: %s", required, err, text)
		}
	}
}
