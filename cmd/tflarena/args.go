package main

import (
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"
)

const completionFlag = "--generate-bash-completion"

// permute moves the flags of a command line before its files, because the library treats everything
// after the first file as files. Arguments after "--" stay files. A command line with the shell's
// completion flag is unchanged.
func permute(app *cli.App, args []string) []string {
	if args[len(args)-1] == completionFlag {
		return args
	}
	out, rest := args[:1:1], args[1:]
	var flags []cli.Flag
	commands := app.Commands
	for len(rest) > 0 {
		command := findCommand(commands, rest[0])
		if command == nil {
			break
		}
		out, rest = append(out, rest[0]), rest[1:]
		flags, commands = command.Flags, command.Subcommands
	}
	options, files := splitArgs(flags, rest)
	out = append(out, options...)
	if len(files) > 0 && slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, "-") }) {
		out = append(out, "--")
	}
	return append(out, files...)
}

func findCommand(commands []*cli.Command, word string) *cli.Command {
	for _, c := range commands {
		if c.HasName(word) {
			return c
		}
	}
	return nil
}

// splitArgs separates the flags of a command line, with their values, from the files.
func splitArgs(flags []cli.Flag, args []string) (options, files []string) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return options, append(files, args[i+1:]...)
		case arg == "--help" || arg == "-h":
			// The library would look for help on the first file.
			return []string{"--help"}, nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			files = append(files, arg)
		default:
			options = append(options, arg)
			if !takesValue(flags, arg) {
				continue
			}
			if i++; i == len(args) {
				return options, nil // or it would take the first file as its value
			}
			options = append(options, args[i])
		}
	}
	return options, files
}

// takesValue reports whether a flag as written takes the next word as its value.
func takesValue(flags []cli.Flag, arg string) bool {
	f, ok := lookupFlag(flags, strings.TrimLeft(arg, "-")).(cli.DocGenerationFlag)
	return ok && f.TakesValue()
}

// lookupFlag returns the flag with a name or alias, or nil.
func lookupFlag(flags []cli.Flag, word string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), word) {
			return f
		}
	}
	return nil
}
