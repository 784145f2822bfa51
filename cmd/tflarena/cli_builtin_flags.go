package main

import (
	"flag"

	"github.com/urfave/cli/v2"
)

// libraryFlag is a flag that the cli library adds to every app of the process, --help or --version. The
// library writes to such a flag whenever it parses a command line, so that apps that run concurrently
// race; each gets a copy.
type libraryFlag struct{ *cli.BoolFlag }

func (f libraryFlag) Apply(set *flag.FlagSet) error {
	own := *f.BoolFlag
	return own.Apply(set)
}

func init() {
	for _, f := range []*cli.Flag{&cli.HelpFlag, &cli.VersionFlag} {
		if b, ok := (*f).(*cli.BoolFlag); ok {
			*f = libraryFlag{b}
		}
	}
}
