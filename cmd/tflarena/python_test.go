package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/checkout"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
)

// noCommand is the exit code of the Python package without a binary.
const noCommand = 127

// unshared runs setup.py with a umask that must not show in its files.
const unshared = "import os, runpy; os.umask(0o077); runpy.run_path('setup.py', run_name='__main__')"

// setup runs setup.py of the Python package with variables of the environment, and returns its output.
func setup(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(oracle.Python(t), append([]string{"-c", unshared, "--quiet"}, args...)...)
	cmd.Dir, cmd.Env = checkout.Path("python"), append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// built is the folder with the built Python package, which has no command.
var built struct {
	once   sync.Once
	folder string
}

// A packaged is the tests, after which the built Python package goes.
type packaged struct{ *testing.M }

func (m packaged) Run() int {
	defer func() { os.RemoveAll(built.folder) }()
	return m.M.Run()
}

// inPython runs Python with the built package, and returns its exit code.
func inPython(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	python := oracle.Python(t)
	built.once.Do(func() {
		var err error
		if built.folder, err = os.MkdirTemp("", "python"); err != nil {
			t.Fatal(err)
		}
		if out, err := setup(t, nil, "build", "--build-lib", built.folder); err != nil {
			t.Fatal(err, out)
		}
	})
	cmd := exec.Command(python, args...)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+built.folder, "PYTHONDONTWRITEBYTECODE=1")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), problems.String(), cmd.ProcessState.ExitCode()
}

// TestPythonPackage runs the tests of the Python package with this command, which is on PATH.
func TestPythonPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the command runs many times")
	}
	t.Setenv("TFLARENA", "")
	if _, problems, code := inPython(t, "-m", "unittest", "discover", "-s", checkout.Path("python", "tests")); code != 0 {
		t.Error(problems)
	}
}

// wheel builds a wheel by way of a folder, and returns its path.
func wheel(t *testing.T, folder string, env ...string) string {
	t.Helper()
	dist := t.TempDir()
	if out, err := setup(t, env, "egg_info", "--egg-base", folder, "build", "--build-base", folder, "bdist_wheel", "--dist-dir", dist); err != nil {
		t.Fatal(err, out)
	}
	found, err := filepath.Glob(filepath.Join(dist, "*.whl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

// modes returns the modes of the files in a wheel.
func modes(t *testing.T, wheel string) map[string]fs.FileMode {
	t.Helper()
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	modes := map[string]fs.FileMode{}
	for _, f := range archive.File {
		modes[f.Name] = f.Mode()
	}
	return modes
}

// TestPythonBuild: a wheel has the tags of its command, its own files alone, and the same bytes in any folder.
func TestPythonBuild(t *testing.T) {
	folder, binaries := t.TempDir(), t.TempDir()
	earlier, binary := filepath.Join(binaries, "tflarena"), filepath.Join(binaries, "tflarena.exe")
	for _, path := range []string{earlier, binary} {
		if err := os.WriteFile(path, []byte("binary"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wheel(t, folder, "TFLARENA_BINARY="+earlier)
	env := []string{"TFLARENA_BINARY=" + binary, "TFLARENA_NOTICES=" + binary, "TFLARENA_PLATFORM=win_amd64.win_arm64", "SOURCE_DATE_EPOCH=1700000000"}
	first, second := wheel(t, folder, env...), wheel(t, t.TempDir(), env...)
	if !bytes.Equal(read(t, first), read(t, second)) {
		t.Errorf("%s and %s differ", first, second)
	}
	without := wheel(t, folder, "TFLARENA_PLATFORM=win_amd64")
	for path, tags := range map[string]string{first: "win_amd64.win_arm64", without: "any"} {
		if !strings.HasSuffix(path, "-py3-none-"+tags+".whl") {
			t.Errorf("%s is not for %s", path, tags)
		}
	}

	got, want := modes(t, first), modes(t, without)
	for _, name := range []string{"results.py", "LICENSE", "py.typed", "stream/run.py"} {
		if want["tflarena/"+name] == 0 {
			t.Errorf("%s is missing", name)
		}
	}
	for name, mode := range want {
		if mode&^0o020 != 0o644 { // RECORD has another, but always the same
			t.Errorf("%s: mode %v", name, mode)
		}
	}
	want["tflarena/bin/tflarena.exe"], want["tflarena/bin/THIRD_PARTY_LICENSES"] = 0o755, 0o644
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-wanted +with the command): %s", diff)
	}

	if out, err := setup(t, []string{"TFLARENA_BINARY=nowhere"}, "build", "--build-base", folder); err == nil || !strings.Contains(out, "TFLARENA_BINARY is 'nowhere'") {
		t.Error(err, out)
	}
}

// TestPythonWheel builds a wheel, installs it in an empty environment and runs the command and the sessions of the documents
// there, without Go and without another command. A wheel without a command says so.
func TestPythonWheel(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it builds the command")
	}
	dir, python := t.TempDir(), oracle.Python(t)
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
	run(append(os.Environ(), "CGO_ENABLED=0"), 0, "go", "build", "-C", checkout.Path("cmd", "tflarena"), "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(dir, "tflarena"))
	run(os.Environ(), 0, python, "-m", "venv", "venv")
	bin := filepath.Join(dir, "venv", "bin")
	inVenv := func(want int, program string, args ...string) string {
		t.Helper()
		return run([]string{"PATH=" + bin, "HOME=" + dir, "PYTHONDONTWRITEBYTECODE=1"}, want, filepath.Join(bin, program), args...)
	}
	install := []string{"install", "--no-index", "--disable-pip-version-check"}
	inVenv(0, "pip", append(install, wheel(t, t.TempDir(), "TFLARENA_BINARY="+filepath.Join(dir, "tflarena")))...)

	if path := inVenv(0, "python", "-c", "import tflarena.binary; print(tflarena.binary.find())"); !strings.HasPrefix(path, dir) {
		t.Errorf("%s runs, which is not of the wheel", path)
	}
	inVenv(0, "python", checkout.Path("python", "tests", "test_examples.py"))
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
	inVenv(0, "pip", append(install, wheel(t, t.TempDir()))...)
	inVenv(noCommand, "tflarena", "version")
	inVenv(noCommand, "python", "-c", "import sys, tflarena\ntry: tflarena.check('a')\nexcept tflarena.Error as e: sys.exit(e.exit_code)")
}
