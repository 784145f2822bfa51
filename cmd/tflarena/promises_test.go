package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// TestNoTextInPlaceOfAFormat: if the format on standard output has nothing to write, no other format
// replaces it, and the JSON of other outputs is written.
func TestNoTextInPlaceOfAFormat(t *testing.T) {
	model, report := write(t, filepath.Join(t.TempDir(), "model.tflite"), small()["branch"]), filepath.Join(t.TempDir(), "report.json")
	for _, line := range []string{
		"stream MODEL --bandwidth 1M --macs-per-second 1e9 --budget 10 -o csv=-", "stream MODEL --bandwidth 1M --macs-per-second 1e9 --budget 10 -o svg=-",
		"stream MODEL --bandwidth 1M --macs-per-second 1e9 --budget 10 -o c=-",
		"fit MODEL --head 16 -o -", "fit MODEL --head 16 -o cc=-", "fit MODEL --arena 16 -o - --alias auto",
	} {
		got := execute(noTerminal(), nil, append(strings.Fields(strings.ReplaceAll(line, "MODEL", model)), "-o", "json="+report)...)
		if got.code != exitCheck || got.stdout != "" || got.stderr == "" || !json.Valid(read(t, report)) {
			t.Errorf("%s: exit code %d: %q", line, got.code, got.stdout)
		}
	}
}

// TestHelpListsExitCodes: a command whose search may end without an answer says so in its help, and no other
// command does.
func TestHelpListsExitCodes(t *testing.T) {
	limited := 0
	for _, c := range (&program{}).app().Commands {
		for _, c := range append([]*cli.Command{c}, c.Subcommands...) {
			searches := slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return f.Names()[0] == "time-limit" })
			page := strings.ReplaceAll(commandHelp(c), "\n", " ")
			if searches {
				limited++
			}
			if _, codes, _ := strings.Cut(page, "Exit codes: "); searches != strings.Contains(codes, "; 5 ") {
				t.Errorf("%s: a time limit: %v, exit codes: %s", c.HelpName, searches, codes)
			}
		}
	}
	if limited < 8 {
		t.Errorf("%d commands with a time limit are too few to tell", limited)
	}
}
