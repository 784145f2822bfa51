package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/improve"
)

// shells are the supported shells.
var shells = []string{"bash", "fish", "powershell", "zsh"}

func (p *program) completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion", ArgsUsage: "bash|zsh|fish|powershell",
		Usage:     "a script that completes command lines in a shell",
		UsageText: "tflarena completion bash|zsh|fish|powershell",
		Description: `Examples:
  source <(tflarena completion bash)
  tflarena completion fish > ~/.config/fish/completions/tflarena.fish`,
		Action: func(c *cli.Context) error {
			shell := c.Args().First()
			if shell == "fish" && c.NArg() == 1 {
				script, err := c.App.ToFishCompletion()
				if err != nil {
					return err
				}
				return p.print([]byte(script))
			}
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
	return func(*cli.Context) {
		before := p.args[:len(p.args)-1]
		last := before[len(before)-1]
		if values := valuesOf(last, before); values != nil {
			writeWords(&p.pages, values)
			return
		}
		switch {
		case strings.HasPrefix(last, "-") && last != stdinPath:
			writeWords(&p.pages, flagWords(command))
		case command.Name == "build" && last == "build":
			writeWords(&p.pages, networkNames())
		case command.Name == "trace" && last == "trace":
			writeWords(&p.pages, tracedNames())
		case command.Name == "completion" && last == "completion":
			writeWords(&p.pages, shells)
		}
	}
}

func flagWords(command *cli.Command) []string {
	var list []string
	for _, f := range command.Flags {
		list = append(list, "--"+f.Names()[0])
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

// valuesOf returns the values of a flag, or nil if they are not enumerable.
func valuesOf(flag string, line []string) []string {
	switch flag {
	case "--runtime", "-r":
		return rules.Names()
	case "--approach", "-a":
		return []string{string(alloc.Offsets), string(alloc.Shared)}
	case "--alias":
		return texts(rules.AllAliases())
	case "--pin":
		return texts(improve.Pins())
	case "--abi":
		return rules.ABIs()
	case "--kernels":
		return withReleases(rules.KernelLibraries())
	case "--pointer":
		return []string{"4", "8"}
	case "--format":
		return append([]string{textFormat}, checkFormats...)
	case "--sort":
		return results.Sorts()
	case "--color":
		return colorModes
	case "--weights":
		return weightKinds
	case "--strategy", "-s":
		approach := alloc.Offsets
		if slices.Contains(line, string(alloc.Shared)) {
			approach = alloc.Shared
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
