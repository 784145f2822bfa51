package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

const exitCodesTopic = `EXIT CODES
   0    done; a plan that is not proven optimal is done too
   1    failure: a file that cannot be read or written, or is not rewritten safely;
        more tensors than the strategy takes
   2    usage: a command line that asks for what does not exist
   3    the input is not a valid model or problem
   4    a check failed: a capacity that is proven to be too small, a budget that is
        passed, a memory plan that is broken, files that differ (diff --exit-code)
   5    no answer within the limit: a capacity neither met nor ruled out
   130  interrupted; what was found until then has been printed

   Of several inputs the largest code counts.
`

// topics are the help pages that belong to no command.
var topics = map[string]string{"exit-codes": exitCodesTopic}

// The library writes the names of a repeatable flag twice over in one line, which
// makes every other line as wide.
func init() { cli.FlagStringer = flagLine }

// flagLine returns a flag's line of help: names, a tab, what it does.
func flagLine(f cli.Flag) string {
	documented, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return ""
	}
	var names []string
	for _, n := range f.Names() {
		names = append(names, dashed(n))
	}
	placeholder, usage := "", documented.GetUsage()
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		if word, after, ok := strings.Cut(rest, "`"); ok {
			placeholder, usage = " "+word, before+word+after
		}
	}
	if text := documented.GetDefaultText(); text != "" && !isFlagOff(f) {
		usage += fmt.Sprintf(" (default: %s)", text)
	}
	return strings.Join(names, ", ") + placeholder + "\t" + usage
}

// isFlagOff reports whether a flag is off unless it is given, which goes without
// saying.
func isFlagOff(f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.BoolFlag:
		return true
	case *cli.StringSliceFlag:
		return f.Value == nil
	}
	return false
}

func (p *program) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", ArgsUsage: "[COMMAND|exit-codes]",
		Usage:     "help on a command, or on the topic exit-codes",
		UsageText: "tflarena help [COMMAND|exit-codes]",
		Action:    p.help,
	}
}

func (p *program) help(c *cli.Context) error {
	words := c.Args().Slice()
	if len(words) == 0 {
		cli.HelpPrinter(&p.pages, cli.AppHelpTemplate, c.App)
		return nil
	}
	if text, ok := topics[words[0]]; ok && len(words) == 1 {
		return p.print([]byte(text))
	}
	commands := c.App.Commands
	var command *cli.Command
	for _, word := range words {
		if command = find(commands, word); command == nil {
			return usagef("help: no command or topic %q; the only topic is exit-codes, and '%s --help' lists the commands", strings.Join(words, " "), name)
		}
		commands = command.Subcommands
	}
	// The command prints its own help, complete with the flags the library adds.
	return c.App.RunContext(c.Context, append(append([]string{name}, words...), "--help"))
}
