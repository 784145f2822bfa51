package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// flagNamed finds flags in sentences, with the preceding word.
var flagNamed = regexp.MustCompile(`(?:([\w-]+) )?(--[a-z][a-z-]*)`)

// commandLine finds whole command lines, with the text after the command.
var commandLine = regexp.MustCompile(`tflarena ([a-z]+)\b([^'|\n]*)`)

// strayFlags returns the flags in a text that neither the command has nor the one named before them, as
// in "rewrite --reorder".
func strayFlags(app *cli.App, command, text string) (stray []string) {
	for _, line := range commandLine.FindAllStringSubmatch(text, -1) {
		if findCommand(app.Commands, line[1]) != nil {
			text = strings.Replace(text, line[0], "", 1)
			stray = append(stray, strayFlags(app, line[1], line[2])...)
		}
	}
	for _, m := range flagNamed.FindAllStringSubmatch(text, -1) {
		owner := findCommand(app.Commands, command)
		if other := findCommand(app.Commands, m[1]); other != nil && m[1] != "" {
			owner = other
		}
		if m[1] == "glpsol" || m[2] == "--help" || lookupFlag(owner.Flags, strings.TrimPrefix(m[2], "--")) != nil {
			continue
		}
		if !slices.Contains(stray, m[0]) {
			stray = append(stray, m[0])
		}
	}
	return stray
}

// TestNamedFlagsExist runs every command on small models of all kinds, and reads every help page: no note,
// warning or error may lead to a flag that the command does not have.
func TestNamedFlagsExist(t *testing.T) {
	app := (&program{}).app()
	for _, c := range app.Commands {
		if stray := strayFlags(app, c.Name, c.Description); len(stray) > 0 {
			t.Errorf("help %s names %q", c.Name, stray)
		}
	}
	lines := []string{
		"analyze", "analyze --time-limit 1ns", "analyze -r litert", "plan", "plan --scratch none", "plan --alias overwrite", "plan --capacity 1", "plan --time-limit 1ns",
		"compare", "rewrite -o OUT", "rewrite --reorder -o OUT", "rewrite --toposort --scratch none -o OUT", "rewrite --remove -o OUT", "rewrite --time-limit 1ns -o OUT", "rewrite -o IN",
		"fit --least -o OUT", "fit --least --scratch none --alias overwrite -o OUT", "fit --head 1 -o OUT", "fit --arena 1 -o OUT", "fit --head 1 -o IN",
		"verify", "verify --require-plan", "check", "check --max-arena 1 --scratch none", "check --budget GONE", "diff IN", "diff GONE",
	}
	dir := t.TempDir()
	out, gone := filepath.Join(dir, "out.tflite"), filepath.Join(dir, "gone")
	for _, name := range []string{"chain", "branch", "strings", "vendor", "disorder", "overlap", "shared", "aliased"} {
		data := small()[name]
		in := write(t, filepath.Join(dir, name+".tflite"), data)
		for _, line := range lines {
			line = strings.NewReplacer("OUT", out, "IN", in, "GONE", gone).Replace(line)
			words := append(strings.Fields(line), in)
			got := execute(noTerminal(), nil, words...)
			if stray := strayFlags(app, words[0], got.stdout+got.stderr); len(stray) > 0 {
				t.Errorf("tflarena %s: names %q:\n%s%s", strings.Join(words, " "), stray, got.stdout, got.stderr)
			}
			if got.code == exitUsage && !strings.Contains(line, " -o "+in) && got.stderr == "" {
				t.Errorf("%s: exit code %d without a word", line, got.code)
			}
		}
		if err := os.Remove(in); err != nil {
			t.Fatal(err)
		}
	}
}
