package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/internal/similar"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/lifetime/tiling"
	"github.com/tflarena/tflarena/tflite"
)

// What --scratch can be besides a file.
const (
	scratchNone      = "none"
	scratchReference = "reference"
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
	case isLibrary(source) && c.IsSet("scratch") && source != scratchReference:
		return nil, usagef("--scratch %s: --kernels %s counts what these kernels ask for", source, source)
	case isLibrary(source):
		return rules.KernelScratch(m, target), nil
	case source == "":
		return nil, usagef("--scratch: name a file, or say reference or none")
	default:
		data, err := readFile(c.Context, source, acceptText)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("--scratch %s: %ssay %s, %s or the name of a CSV file: %w", source,
				similar.Hint(source, []string{scratchReference, scratchNone}), scratchReference, scratchNone, fs.ErrNotExist)
		}
		if err != nil {
			return nil, err
		}
		list, err := scratch.Parse(data, m)
		return list, named(source, err)
	}
}

// counted returns how many requests for scratch there are.
func counted(requests int) string {
	if requests == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", requests)
}

// scratchCounted says which scratch a head counts, of so many requests, as the end of a sentence.
func scratchCounted(source string, requests int) string {
	switch {
	case source == scratchNone:
		return "; kernel scratch is not counted"
	case isLibrary(source):
		return fmt.Sprintf(", with the scratch of %s (%s)", kernelsOf(source), counted(requests))
	}
	return fmt.Sprintf(", with the scratch of %s (%s)", source, counted(requests))
}

// scratchNote says which scratch was counted, of so many requests.
func scratchNote(c *cli.Context, requests int) string {
	switch source := scratchSource(c); {
	case source == scratchNone:
		return "kernel scratch is not counted, which is right only for kernels that ask for none; --scratch FILE counts it"
	case source == scratchReference:
		return fmt.Sprintf("kernel scratch is counted as the reference kernels ask for it (%s); "+
			"for other kernels, name a file with --scratch", counted(requests))
	case isLibrary(source):
		return fmt.Sprintf("kernel scratch is counted as %s ask for it (%s)", kernelsOf(source), counted(requests))
	default:
		return fmt.Sprintf("kernel scratch is counted as %s says (%s)", source, counted(requests))
	}
}

// fitScratchNote is scratchNote for fit, which makes operators that no file knows.
func fitScratchNote(c *cli.Context, requests int) string {
	switch source := scratchSource(c); source {
	case scratchNone:
		return "kernel scratch is not counted, which is right only for kernels that ask for none; --scratch reference counts that of the reference kernels"
	case scratchReference:
		return fmt.Sprintf("kernel scratch is counted as the reference kernels ask for it (%s); other kernel libraries may ask for more", counted(requests))
	default:
		if isLibrary(source) {
			return fmt.Sprintf("kernel scratch is counted as %s ask for it (%s)", kernelsOf(source), counted(requests))
		}
		return fmt.Sprintf("kernel scratch is counted as %s says (%s); a piece of an operator is counted like the whole", source, counted(requests))
	}
}
