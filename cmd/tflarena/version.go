package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the versions of the command and of its formats",
		UsageText: "tflarena version [--json]",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return noArguments(c, "version")
			}
			v := results.NewVersion()
			if c.Bool("json") {
				data, err := p.json(v)
				if err != nil {
					return err
				}
				return p.print(data)
			}
			return p.print([]byte(v.Text(name)))
		},
	}
}
