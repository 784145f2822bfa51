package main

import (
	"fmt"
	"regexp"
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

// onUsageError rewords errors of package flag like those of the command. That package identifies errors
// by text only.
func onUsageError(c *cli.Context, err error, _ bool) error {
	command := name
	if c.Command.Name != name {
		command = c.Command.HelpName
	}
	const unknown = "flag provided but not defined: "
	if flag, ok := strings.CutPrefix(err.Error(), unknown); ok {
		flag = strings.TrimLeft(flag, "-")
		if flag == "in-place" && takes(c.Command, shareFlag) {
			return usagef("--in-place replaces a file, and %s writes no model: for LiteRT's sharing of memory, use --%s", c.Command.Name, shareFlag)
		}
		return usagef("unknown flag %s: %ssee '%s --help'", dashed(flag), flagHint(c.Command, flag), command)
	}
	return usagef("%s: see '%s --help'", flagProblem(c.Command, err.Error()), command)
}

// Messages of package flag about values of flags.
var (
	noValue   = regexp.MustCompile(`^flag needs an argument: -(.+)$`)
	noBoolean = regexp.MustCompile(`^invalid boolean value (".*") for -([^:]+): `)
	noNumber  = regexp.MustCompile(`^invalid value (".*") for flag -([^:]+): `)
)

// flagProblem describes an invalid value of a flag.
func flagProblem(command *cli.Command, text string) string {
	if m := noValue.FindStringSubmatch(text); m != nil {
		return dashed(m[1]) + " needs a value after it"
	}
	if m := noBoolean.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s is on or off, and takes no %s", dashed(m[2]), m[1])
	}
	m := noNumber.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	what := "a whole number"
	for _, f := range command.Flags {
		if _, ok := f.(*cli.DurationFlag); ok && slices.Contains(f.Names(), m[2]) {
			what = "a time such as 500ms or 10s"
		}
	}
	return fmt.Sprintf("%s %s is not %s", dashed(m[2]), m[1], what)
}

func takes(command *cli.Command, flag string) bool {
	return slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return f.Names()[0] == flag })
}

// flagHint suggests a flag of the command.
func flagHint(command *cli.Command, word string) string {
	var names []string
	for _, f := range command.Flags {
		names = append(names, f.Names()[0])
	}
	like := spelling.Names(word, names)
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
