package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "the manual page, in roff", UsageText: "tflarena man > tflarena.1",
		Description: `Examples:
  tflarena man > tflarena.1
  tflarena man | man -l -`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noArguments(c, "man")
			}
			for _, topic := range topicNames() {
				c.App.Description += "\n\n" + strings.TrimRight(topics[topic](), "\n")
			}
			page, err := c.App.ToManWithSection(1)
			if err != nil {
				return err
			}
			return p.print([]byte(page))
		},
	}
}
