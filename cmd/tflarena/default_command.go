package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

// assumed is the default command for a command line with only a model.
const assumed = "analyze"

// assume inserts the default command into a command line with a model and no command, and reports
// whether it did.
func assume(app *cli.App, args []string) ([]string, bool) {
	rest := args[1:]
	if len(rest) == 0 || rest[len(rest)-1] == completionFlag || findCommand(app.Commands, rest[0]) != nil || isGlobal(app, rest[0]) {
		return args, false
	}
	_, files := splitArgs(findCommand(app.Commands, assumed).Flags, rest)
	if len(files) == 0 || !isModelName(files[0]) {
		return args, false
	}
	return slices.Insert(slices.Clone(args), 1, assumed), true
}

// isGlobal reports whether a word is a flag that requires no command.
func isGlobal(app *cli.App, word string) bool {
	flags := append(slices.Clone(app.Flags), cli.VersionFlag)
	return strings.HasPrefix(word, "-") && lookupFlag(flags, strings.TrimLeft(word, "-")) != nil
}

// isModelName reports whether a word is a model and not a mistyped command: it has a model's name, or
// such a file exists.
func isModelName(word string) bool {
	if word == stdinPath || isBuiltin(word) || strings.EqualFold(filepath.Ext(word), ".tflite") {
		return true
	}
	_, err := os.Stat(word)
	return err == nil
}

// sayAssumed prints the command that runs if the command line has none.
func (p *program) sayAssumed(c *cli.Context) {
	if p.assumed && !c.Bool("quiet") {
		p.tell(fmt.Sprintf("note: no command was given, so this runs '%s %s'; '%s --help' lists the others", name, assumed, name))
	}
}
