package shell

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct{ want, verb, file, flag string }{
		{"tflarena check m.tflite --wide", "check", "m.tflite", "--wide"},
		{"tflarena check 'my model.tflite' 'a'\\''b'", "check", "my model.tflite", "a'b"},
		{"", "check", "-", "--wide"},
		{"", "check", "/dev/stdin", "--wide"},
		{"", "check", "/dev/fd/63", "--wide"},
		{"", "check", t.TempDir(), "--wide"},
		{"tflarena check '$(x)' '`y`;'", "check", "$(x)", "`y`;"},
		{"tflarena check '=m' --flag=x", "check", "=m", "--flag=x"}, // zsh looks for a command m
		{"tflarena check ./-m --wide", "check", "-m", "--wide"},
	} {
		if got := Command(c.verb, c.file, c.flag); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
}

func TestSmaller(t *testing.T) {
	for file, want := range map[string]string{
		"a/m.tflite": "m-smaller.tflite", "builtin:alexnet": "alexnet.tflite", "m": "m-smaller.tflite",
	} {
		if got, want := Smaller("fit", file, "--least"), Command("fit", file, "--least", "-o", want); got != want {
			t.Errorf("%s: %s, not %s", file, got, want)
		}
	}
}

// TestCommandIsReadBack: a shell reads the words of a command line as they were.
func TestCommandIsReadBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("left out: there is no sh")
	}
	for _, word := range []string{`a\b.tflite`, `\\n`, "a b", "a'b", `"`, "$HOME", "`x`", "*", "~", "!", "a\nb", "{a,b}", "#", "=x", "%PATH%", "\x1b[31m"} {
		line := Command("check", "m", word)
		got, err := exec.CommandContext(t.Context(), sh, "-c", "printf '%s' "+strings.TrimPrefix(line, "tflarena check m ")).Output()
		if err != nil || string(got) != word {
			t.Errorf("%q: %s is read as %q: %v", word, line, got, err)
		}
	}
}
