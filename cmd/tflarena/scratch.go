package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/lifetime/tiling"
	"github.com/tflarena/tflarena/tflite"
)

// What --scratch can be besides a file.
const (
	scratchNone      = remarks.NoScratch
	scratchReference = remarks.Reference
)

// scratchFlags say what the kernels ask for besides tensors, and on which target.
func scratchFlags(usual string) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{
			Name: "scratch", Value: usual, Category: groupRules,
			Usage: "count scratch: a CSV `FILE`, " + marked([]string{scratchReference, scratchNone}, usual),
		},
	}, targetFlags()...)
}

// isScratchWord reports whether --scratch is no file.
func isScratchWord(source string) bool { return source == scratchNone || source == scratchReference }

// inputs returns the files of a command line that are read: no output may be one.
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

// requests returns the scratch that --scratch names: nil when none is known.
func requests(c *cli.Context, m *tflite.Model) ([]rules.Request, error) {
	target, err := target(c)
	if err != nil {
		return nil, err
	}
	switch source := scratchSource(c); {
	case source == scratchNone:
		return nil, nil
	case remarks.IsLibrary(source) && c.IsSet("scratch") && source != scratchReference:
		return nil, usagef("--scratch %s: --kernels %s counts what these kernels ask for: leave --scratch out", source, source)
	case remarks.IsLibrary(source):
		return rules.KernelScratch(m, target), nil
	case source == "":
		return nil, usagef("--scratch: name a file, or say reference or none")
	default:
		data, err := readFile(c.Context, source, acceptText)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--scratch %s: %ssay %s, %s or the name of a CSV file: %w", source,
				spelling.Hint(source, []string{scratchReference, scratchNone}), scratchReference, scratchNone, fs.ErrNotExist)
		}
		if err != nil {
			return nil, err
		}
		list, err := scratch.Parse(data, m)
		return list, named(source, err)
	}
}
