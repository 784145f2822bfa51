package venv

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Without a requirement, a test is skipped as a whole, with the reason; if it is mandatory, the test
// fails.
func TestRequire(t *testing.T) {
	if os.Getenv("TFLARENA_VENV_TEST") == "1" {
		Require(t, "the runtimes are", "import nothing")
		t.Fatal("the test went on")
	}
	for required, want := range map[string]string{"": "--- SKIP", "1": "--- FAIL"} {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestRequire$", "-test.v")
		cmd.Env = append(os.Environ(), "TFLARENA_VENV_TEST=1", "TFLARENA_REQUIRE_ORACLE="+required,
			"TFLARENA_PYTHON="+filepath.Join(t.TempDir(), "none"))
		out, err := cmd.CombinedOutput()
		text := string(out)
		if (err == nil) != (required == "") || !strings.Contains(text, want) ||
			!strings.Contains(text, "left out: the runtimes are not installed (run .ci/oracles") || strings.Contains(text, "went on") {
			t.Errorf("required %q: %v: %s", required, err, text)
		}
	}
}
