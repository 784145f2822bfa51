package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
)

// noCommand runs if the first word is no command.
func (p *program) noCommand(c *cli.Context) error {
	if !c.Args().Present() {
		// Without arguments a person wants this page; a script has made a mistake.
		p.code = exitUsage
		_, err := fmt.Fprint(p.stderr, appHelp(c.App))
		return err
	}
	return unknownCommand(c.App.Commands, c.Args().First(), name)
}

// unknownCommand returns the error for a word that is none of the commands.
func unknownCommand(commands []*cli.Command, word, parent string) error {
	return usagef("unknown command %q: %ssee '%s --help'", word, spelling.Hint(word, commandNames(commands)), parent)
}

// commandNames returns the names of commands, without aliases.
func commandNames(commands []*cli.Command) (names []string) {
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}

// onUsageError explains the first invalid flag. Errors of package flag have no types, so this reads the
// flags of the command line again.
func (p *program) onUsageError(c *cli.Context, err error, _ bool) error {
	flags, see := c.Command.Flags, fmt.Sprintf("see '%s --help'", c.Command.HelpName)
	options, _ := splitArgs(flags, p.args[slices.IndexFunc(p.args, c.Command.HasName)+1:])
	for i := 0; i < len(options); i++ {
		word, value, given := strings.Cut(strings.TrimPrefix(options[i][1:], "-"), "=")
		if word == "" || word[0] == '-' {
			break // bad syntax
		}
		f, needsValue := lookupFlag(flags, word), takesValue(flags, word)
		if needsValue && !given {
			if i++; i == len(options) {
				return usagef("%s needs a value after it: %s", dashed(word), see)
			}
			value, given = options[i], true
		}
		switch set := flag.NewFlagSet(name, flag.ContinueOnError); {
		case f == nil && word == "in-place" && lookupFlag(flags, shareFlag) != nil:
			return usagef("--in-place replaces a file, and %s writes no model: for LiteRT's sharing of memory, use --%s", c.Command.Name, shareFlag)
		case f == nil:
			return usagef("unknown flag %s: %s%s", dashed(word), flagHint(c.Command, word), see)
		case !given || f.Apply(set) == nil && set.Set(word, value) == nil:
			continue
		case !needsValue:
			return usagef("%s is on or off, and takes no %q: %s", dashed(word), value, see)
		}
		what := "a whole number"
		if _, ok := f.(*cli.DurationFlag); ok {
			what = "a time such as 500ms or 10s"
		}
		return usagef("%s %q is not %s: %s", dashed(word), value, what, see)
	}
	return usagef("%v: %s", err, see)
}

// flagHint suggests a flag of the command.
func flagHint(command *cli.Command, word string) string {
	like := spelling.Names(word, namesOf(command.Flags))
	for i := range like {
		like[i] = dashed(like[i])
	}
	if len(like) == 0 {
		return ""
	}
	return "did you mean " + spelling.List(like, "or") + "? "
}

func dashed(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}
