package main

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// TestHelpFitsAScreen reads the page of every command: no line is longer than a terminal of 80
// columns, no page longer than 51 lines, and each has two examples that name the command.
func TestHelpFitsAScreen(t *testing.T) {
	const most = 51
	app := (&program{}).app()
	for _, words := range commandLines(app.Commands, nil) {
		got := execute(noTerminal(), nil, append(words, "--help")...)
		command := strings.Join(append([]string{name}, words...), " ")
		if got.code != exitOK || got.stderr != "" {
			t.Errorf("%s --help: exit %d: %s", command, got.code, got.stderr)
		}
		lines := strings.Split(strings.TrimSuffix(got.stdout, "\n"), "\n")
		if len(lines) > most {
			t.Errorf("%s --help has %d lines", command, len(lines))
		}
		examples := 0
		for _, line := range lines {
			if len(line) > helpWidth {
				t.Errorf("%s --help: %d characters in a line: %s", command, len(line), line)
			}
			if strings.HasPrefix(line, "  "+name+" ") {
				examples++
			}
		}
		if flags := strings.Contains(got.stdout, "\n  --"); flags && examples == 0 && len(words) > 0 && words[0] != "version" && command != "tflarena models list" {
			t.Errorf("%s --help has no example", command)
		}
		if !strings.Contains(got.stdout, "Exit codes: 0 ") {
			t.Errorf("%s --help says nothing of exit codes", command)
		}
	}
}

// commandLines returns the words of all commands, and of those inside them.
func commandLines(commands []*cli.Command, before []string) (list [][]string) {
	list = append(list, before)
	for _, c := range commands {
		list = append(list, commandLines(c.Subcommands, append(slices.Clone(before), c.Name))...)
	}
	return list
}

// TestEveryFlagIsGrouped keeps help from leaving a flag out, which has no place without a group.
func TestEveryFlagIsGrouped(t *testing.T) {
	for _, c := range (&program{}).app().Commands {
		for _, command := range append([]*cli.Command{c}, c.Subcommands...) {
			page := commandHelp(command)
			for _, f := range command.Flags {
				if shown(f) && !strings.Contains(page, dashed(f.Names()[0])) {
					t.Errorf("%s: --%s is in none of the groups %q", command.Name, f.Names()[0], groups)
				}
			}
		}
	}
}

// TestPagesAreAsWideAsATerminal checks all help pages of commands and topics.
func TestPagesAreAsWideAsATerminal(t *testing.T) {
	const most = 100 // lines in a page
	pages := map[string]string{}
	for topic, text := range topics {
		pages[topic] = text()
	}
	for _, c := range (&program{}).app().Commands {
		pages[c.Name] = execute(noTerminal(), nil, "help", c.Name).stdout
	}
	for page, text := range pages {
		lines := strings.Split(text, "\n")
		if len(lines) > most {
			t.Errorf("help %s has %d lines", page, len(lines))
		}
		for _, line := range lines {
			if len(line) > helpWidth {
				t.Errorf("help %s: %d characters: %s", page, len(line), line)
			}
		}
	}
}
