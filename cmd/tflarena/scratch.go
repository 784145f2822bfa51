package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// scratchReference is the --scratch of the counted kernels; [rules.NoScratch] and files are others.
const scratchReference = remarks.Reference

// scratchFlags configure the scratch of kernels, and the device.
func scratchFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{
			Name: "scratch", Value: scratchReference, Category: groupRules,
			Usage: "count scratch: a CSV `FILE`, " + marked([]string{scratchReference, rules.NoScratch}, scratchReference),
		},
	}, deviceFlags()...)
}

// isScratchWord reports whether --scratch is no file.
func isScratchWord(source string) bool {
	return source == rules.NoScratch || source == scratchReference
}

// inputs returns the input files of a command line: no output may be one.
func inputs(c *cli.Context) []string {
	files := c.Args().Slice()
	if s := c.String("scratch"); s != "" && !isScratchWord(s) {
		files = append(files, s)
	}
	for _, flag := range []string{"solution", "times"} {
		if s := c.String(flag); s != "" {
			files = append(files, s)
		}
	}
	if cut, _, _ := cutOf(c.String(tileFlag)); c.IsSet(tileFlag) && cut == tiling.Own {
		files = append(files, c.String(tileFlag))
	}
	return files
}
