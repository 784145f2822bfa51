package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// noCommand is what runs when the first word is no command.
func (p *program) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		return usagef("no command given: try %q or %q", name+" analyze MODEL", name+" --help")
	}
	return unknownCommand(c.App.Commands, c.Args().First(), name)
}

// unknownCommand returns the error for a word that names none of the commands.
func unknownCommand(commands []*cli.Command, word, parent string) error {
	var names []string
	for _, c := range commands {
		names = append(names, c.Names()...)
	}
	return usagef("unknown command %q: %ssee '%s --help'", word, didYouMean(word, names), parent)
}

// didYouMean proposes the most similar of the names, if one is similar at all.
func didYouMean(word string, names []string) string {
	const similar, boost, prefix = 0.8, 0.7, 4
	best, likely := similar, ""
	for _, n := range names {
		// Dashes are alike in all flags.
		if d := smetrics.JaroWinkler(strings.TrimLeft(word, "-"), strings.TrimLeft(n, "-"), boost, prefix); d > best {
			best, likely = d, n
		}
	}
	if likely == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", likely)
}

// onUsageError words the errors of package flag as the rest of the command does. That package
// tells what is wrong by text alone.
func onUsageError(c *cli.Context, err error, _ bool) error {
	command := name
	if c.Command.Name != name {
		command = c.Command.HelpName
	}
	const unknown = "flag provided but not defined: "
	if flag, ok := strings.CutPrefix(err.Error(), unknown); ok {
		var flags []string
		for _, f := range c.Command.Flags {
			flags = append(flags, dashed(f.Names()[0]))
		}
		flag = dashed(strings.TrimLeft(flag, "-"))
		return usagef("unknown flag %s: %ssee '%s --help'", flag, didYouMean(flag, flags), command)
	}
	text := singleDash.ReplaceAllString(err.Error(), "$1--$2")
	return usagef("%s: see '%s --help'", text, command)
}

// singleDash finds the flags of more than one letter that package flag writes with
// one dash.
var singleDash = regexp.MustCompile(`(flag |argument: |" for )-(\w{2})`)

func dashed(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}
