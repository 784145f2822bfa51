package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// noCommand is the exit code of the Python package without a binary.
const noCommand = 127

// repository returns the path of the repository.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// inPython runs Python with the packages of the repository, and returns its exit code.
func inPython(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(oracle.Python(t), args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join(repository(t), "python"), "PYTHONDONTWRITEBYTECODE=1")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), cmd.ProcessState.ExitCode()
}

// TestPythonPackage runs the tests of the Python package with this command, which is on PATH; -update writes its dataclasses.
func TestPythonPackage(t *testing.T) {
	if *golden.Update {
		if _, problems, code := inPython(t, filepath.Join(repository(t), "python", "generate.py")); code != 0 {
			t.Fatal(problems)
		}
	}
	if testing.Short() {
		t.Skip("left out by -short: the command runs many times")
	}
	t.Setenv("TFLARENA", "")
	if _, problems, code := inPython(t, "-m", "unittest", "discover", "-s", filepath.Join(repository(t), "python", "tests")); code != 0 {
		t.Error(problems)
	}
}

// TestPythonWheel builds a wheel, installs it in an empty environment and runs the command and the sessions of the documents
// there, without Go and without another command. Sources install as well, and then have no command.
func TestPythonWheel(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it builds the command")
	}
	dir, root, python := t.TempDir(), repository(t), oracle.Python(t)
	run := func(env []string, want int, program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, env
		var out, problems bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &problems
		if err := cmd.Run(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Fatalf("%s %v: %v, and not exit code %d\n%s%s", program, args, err, want, &out, &problems)
		}
		return out.String()
	}
	run(append(os.Environ(), "CGO_ENABLED=0"), 0, "go", "build", "-C", filepath.Join(root, "cmd", "tflarena"), "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "built"))
	built := strings.Fields(run(os.Environ(), 0, python, filepath.Join(root, "python", "wheels.py"), "-o", "dist", "built"))
	wheel, sources := built[0], built[1]
	run(os.Environ(), 0, python, "-m", "venv", "venv")
	bin := filepath.Join(dir, "venv", "bin")
	inVenv := func(want int, program string, args ...string) string {
		t.Helper()
		return run([]string{"PATH=" + bin, "HOME=" + dir, "PYTHONDONTWRITEBYTECODE=1"}, want, filepath.Join(bin, program), args...)
	}
	install := []string{"install", "--no-index", "--disable-pip-version-check"}
	inVenv(0, "pip", append(install, wheel)...)

	if path := inVenv(0, "python", "-c", "import tflarena.binary; print(tflarena.binary.find())"); !strings.HasPrefix(path, dir) {
		t.Errorf("%s runs, which is not of the wheel", path)
	}
	inVenv(0, "python", filepath.Join(root, "python", "tests", "test_examples.py"))
	for _, args := range [][]string{{"help"}, {"check", "builtin:blazeface", "--max-arena", "1M"}, {"check", "builtin:blazeface", "--max-arena", "1K"}} {
		got := execute(noTerminal(), nil, args...)
		if diff := cmp.Diff(got.stdout, inVenv(got.code, "tflarena", args...)); diff != "" {
			t.Errorf("%v (-command +wheel): %s", args, diff)
		}
	}

	if out := inVenv(0, "python", "-c", "try: import tflarena.stream\nexcept ModuleNotFoundError as e: print(e)"); !strings.Contains(out, "tflarena[stream]") {
		t.Errorf("without LiteRT, tflarena.stream says %q", out)
	}

	inVenv(0, "pip", "uninstall", "--yes", "tflarena")
	inVenv(0, "pip", append(install, sources)...)
	inVenv(noCommand, "tflarena", "version")
	inVenv(noCommand, "python", "-c", "import sys, tflarena\ntry: tflarena.check('a')\nexcept tflarena.Error as e: sys.exit(e.exit_code)")
}
