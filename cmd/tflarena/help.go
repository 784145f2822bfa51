package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/similar"
)

const exitCodesTopic = `EXIT CODES
   0    done; a plan that is not proven optimal is done too
   1    failure: a file that cannot be read or written, or is not rewritten safely;
        more tensors than the strategy takes
   2    usage: a command line that asks for what does not exist
   3    the input is not a valid model or problem
   4    a check failed: a capacity that is proven to be too small, a budget that is
        passed, a memory plan that is broken, files that differ (diff --exit-code)
   5    no answer within the limit: a capacity neither met nor ruled out, or a budget
        of fit not met when --time-limit ended the search
   130  interrupted; what was found until then has been printed

   Of several inputs the largest code counts.
`

const filesTopic = `FILES
   Several outputs (-o) are written all or none: each is completed beside its place
   first, and only then are they put there, each in one step. Whatever fails on the
   way leaves every file as it was. A process that is killed leaves old files or new
   ones and never parts of them, and nothing else, but for the moment in which files
   change places: a file .tflarena-* from then, or from a file system that has no
   files without names (other than those of Linux), goes with the next run that
   writes the same output.

   A file that is replaced keeps its permissions, and its owner and group where this
   user may set them; it must be writable. It loses set-user-ID and set-group-ID bits,
   access lists and extended attributes. Its other names (hard links) keep the old
   contents. A symbolic link keeps leading where it does, and what is there is replaced.

   Standard output, by any name (-, /dev/stdout, /dev/fd/1), other open files
   (/dev/fd/N), pipes and devices are written to as they are and never replaced. What
   they have taken stays, whatever fails later. A model on standard output has its
   report on standard error, unless --quiet is set.

   An input of 64 MiB or more is not copied into memory. It must not be written to
   while the command runs, which is an error where it is noticed.
`

// topics are the help pages that belong to no command.
var topics = map[string]string{"exit-codes": exitCodesTopic, "files": filesTopic}

func topicNames() (names []string) {
	for topic := range topics {
		names = append(names, topic)
	}
	slices.Sort(names)
	return names
}

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
		Name: "help", ArgsUsage: "[COMMAND|exit-codes|files]",
		Usage:     "help on a command, or on the topics exit-codes and files",
		UsageText: "tflarena help [COMMAND|exit-codes|files]",
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
			return usagef("help: no command or topic %q: %sthe topics are %s, and '%s --help' lists the commands", strings.Join(words, " "),
				similar.Hint(word, append(commandNames(commands), topicNames()...)), similar.List(topicNames(), "and"), name)
		}
		commands = command.Subcommands
	}
	// The command prints its own help, complete with the flags the library adds.
	return c.App.RunContext(c.Context, append(append([]string{name}, words...), "--help"))
}
