package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/texture"
	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// shells are the supported shells.
var shells = []string{"bash", "fish", "powershell", "zsh"}

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", ArgsUsage: "bash|zsh|fish|powershell",
		Usage:     "print a completion script for a shell",
		UsageText: "tflarena completion bash|zsh|fish|powershell",
		Description: `Examples:
  source <(tflarena completion bash)
  tflarena completion fish > ~/.config/fish/completions/tflarena.fish`,
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			script, ok := completionScripts[shell]
			if !ok || c.NArg() != 1 {
				return usagef("completion: name one shell: %s%s", spelling.Hint(shell, shells), spelling.List(shells, "or"))
			}
			return p.print([]byte(script))
		},
	}
}

// complete returns the function that lists completions: the values of the previous flag, or flags if
// the word begins one. Files are left to the shell.
func (p *program) complete(command *cli.Command) cli.BashCompleteFunc {
	return func(c *cli.Context) {
		before := p.args[:len(p.args)-1]
		last := before[len(before)-1]
		f := lookupFlag(command.Flags, strings.TrimLeft(last, "-"))
		if flag, ok := f.(cli.DocGenerationFlag); ok && last[0] == '-' && flag.TakesValue() {
			writeWords(&p.pages, valuesOf(command, f.Names()[0], before))
			return
		}
		switch {
		case strings.HasPrefix(last, "-") && last != stdinPath:
			writeWords(&p.pages, flagWords(command))
		case command.Name == "build" && last == "build":
			writeWords(&p.pages, networkNames())
		case command.Name == "trace" && last == "trace":
			writeWords(&p.pages, tracedNames())
		case command.Name == "help":
			writeWords(&p.pages, pagesAfter(c.App.Commands, before))
		case command.Name == "completion" && last == "completion":
			writeWords(&p.pages, shells)
		}
	}
}

// pagesAfter returns the words that may follow "help ...": commands and topics, or the commands inside a
// command.
func pagesAfter(commands []*cli.Command, before []string) []string {
	words := before[slices.Index(before, "help")+1:]
	if len(words) == 0 {
		return append(commandNames(commands), topicNames()...)
	}
	for _, word := range words {
		command := findCommand(commands, word)
		if command == nil {
			return nil
		}
		commands = command.Subcommands
	}
	return commandNames(commands)
}

func flagWords(command *cli.Command) []string {
	var list []string
	for _, f := range command.Flags {
		if shown(f) {
			list = append(list, dashed(f.Names()[0]))
		}
	}
	return list
}

// withReleases returns kernel libraries, each followed by its releases that differ from the newest.
func withReleases(libraries []string) (list []string) {
	for _, library := range libraries {
		list = append(list, library)
		for i, release := range rules.KernelReleases(library) {
			if i > 0 {
				list = append(list, library+"@"+release)
			}
		}
	}
	return list
}

// valuesOf returns the fixed values of a command's flag, or nil if there are none. Line is the command
// line up to the flag.
func valuesOf(command *cli.Command, flag string, line []string) []string {
	switch flag {
	case "runtime":
		return rules.Names()
	case "approach":
		return approaches
	case "alias":
		if command.Name == "fit" {
			return fitAliases()
		}
		return texts(rules.AllAliases())
	case "pin":
		return texts(improve.Pins())
	case "abi":
		return rules.ABIs()
	case "kernels":
		return withReleases(rules.KernelLibraries())
	case targetFlag:
		return targetNames()
	case "across":
		return rules.KernelLibraries() // or the beginning of several
	case "scratch":
		return []string{reference, rules.NoScratch} // or a file
	case "pointer":
		return []string{"4", "8"}
	case "format":
		return append([]string{textFormat}, checkFormats...)
	case "sort":
		return results.Sorts()
	case "color":
		return colorModes
	case "weights":
		return weightKinds
	case "substitute":
		return []string{exactly}
	case semanticsFlag:
		return semantics
	case tileFlag:
		return []string{string(tiling.Rows), string(tiling.Pixels)} // or a file
	case "slice":
		return []string{autoSlice} // or a size
	case "strategy":
		approach := alloc.Offsets
		for i, word := range line[:len(line)-1] {
			if word == "-a" || word == "--approach" {
				approach = alloc.Approach(line[i+1])
			}
			if _, value, ok := strings.Cut(word, "--approach="); ok {
				approach = alloc.Approach(value)
			}
		}
		switch {
		case command.Name == "stream":
			return stream.Strategies()
		case approach == textures:
			return texture.Strategies()
		}
		return strategyNames(approach)
	}
	return nil
}

// texts converts names to strings.
func texts[T ~string](list []T) (words []string) {
	for _, name := range list {
		words = append(words, string(name))
	}
	return words
}

func writeWords(w io.Writer, words []string) {
	for _, word := range words {
		fmt.Fprintln(w, word)
	}
}
