package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/spelling"
)

func (p *program) helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", ArgsUsage: "[COMMAND|TOPIC]",
		Usage:     "explain a command, or a topic such as exit-codes or files",
		UsageText: "tflarena help [COMMAND|TOPIC]",
		Action:    p.help,
	}
}

func (p *program) help(c *cli.Context) error {
	words := c.Args().Slice()
	if len(words) == 0 {
		return p.print([]byte(appHelp(c.App)))
	}
	if text, ok := topics[words[0]]; ok && len(words) == 1 {
		return p.print([]byte(text()))
	}
	commands := c.App.Commands
	var command *cli.Command
	for _, word := range words {
		if command = findCommand(commands, word); command == nil {
			return usagef("help: there is no command or topic %q: %sthe topics are %s, and '%s --help' lists the commands", strings.Join(words, " "),
				spelling.Hint(word, append(commandNames(commands), topicNames()...)), spelling.List(topicNames(), "and"), name)
		}
		commands = command.Subcommands
	}
	command.HelpName = strings.Join(append([]string{name}, words...), " ")
	return p.print([]byte(commandDetails(command)))
}
