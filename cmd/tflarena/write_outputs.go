package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/internal/output"
)

// outputs returns a reader of -o, --json and --csv. No output may overwrite the inputs of the command
// line or the given files.
func (p *program) outputs(formats []string, files ...string) outputReader {
	return func(c *cli.Context) ([]output.Spec, error) {
		specs, err := output.Parse(outputTexts(c), formats, concat(files, inputs(c)))
		if err != nil {
			return nil, err
		}
		return specs, p.rejectMixedOutputs(c, specs)
	}
}

// outputTexts returns the values of -o, and the equivalents of --json and --csv.
func outputTexts(c *cli.Context) []string {
	texts := c.StringSlice("output")
	for _, format := range []string{"json", "csv"} {
		if c.Bool(format) {
			texts = append(texts, format+"="+output.Stdout)
		}
	}
	return texts
}

// inputs returns the input files of a command line: no output may be one.
func inputs(c *cli.Context) []string {
	files := c.Args().Slice()
	if s := c.String("scratch"); s != "" && !isScratchWord(s) {
		files = append(files, s)
	}
	if s := c.String(configFlag); s != "" && s != noConfig {
		files = append(files, s)
	}
	for _, flag := range []string{"solution", "times", calibrateFlag} {
		if s := c.String(flag); s != "" {
			files = append(files, s)
		}
	}
	if cut, _, _ := cutOf(c.String(tileFlag)); c.IsSet(tileFlag) && cut == tiling.Own {
		files = append(files, c.String(tileFlag))
	}
	return files
}

// rejectMixedOutputs rejects outputs that would mix with messages or with the input.
func (p *program) rejectMixedOutputs(c *cli.Context, specs []output.Spec) error {
	return output.Standard{
		In: p.stdin, Out: p.stdout, Err: p.stderr, OutIsTerminal: p.env.IsTerminal(p.stdout),
		Quiet: p.quiet, Inputs: inputs(c),
	}.Check(specs)
}

// emit writes a result: every output first, all of them or none, then the text. The text does not
// replace another format on standard output, even if that output is empty. Nothing is written before
// everything has been made.
func (p *program) emit(specs []output.Spec, render func(format string) ([]byte, error), text func() string) error {
	if err := p.unchanged(); err != nil {
		return err
	}
	files := make([]output.File, len(specs))
	for i, s := range specs {
		data, err := render(s.Format)
		if err != nil {
			return err
		}
		files[i] = output.File{Path: s.Path, Data: data}
	}
	if err := p.write(files); err != nil || p.format != "" {
		return err
	}
	return p.print([]byte(text()))
}

func (p *program) write(files []output.File) error {
	return p.written(output.Write(p.ctx, files, output.Streams{Stdout: p.stdout, Stderr: p.stderr}))
}

// writeSources is write for contents that are made one after another.
func (p *program) writeSources(files []output.Source) error {
	return p.written(output.WriteSources(p.ctx, files, output.Streams{Stdout: p.stdout, Stderr: p.stderr}))
}

// written rewords an error of writing.
func (p *program) written(err error) error {
	if e := (*output.WriteError)(nil); errors.As(err, &e) && errors.Is(err, context.Canceled) {
		return named(e.Path, interruptedError{})
	}
	if changed := p.unchanged(); err != nil && changed != nil {
		return changed // copying a file that no longer exists gives another error
	}
	return err
}

// print writes to standard output, unless there is nothing to write.
func (p *program) print(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if _, err := p.stdout.Write(data); err != nil {
		return stdoutError(err)
	}
	return nil
}

// stdoutError is the error of standard output, worded like other output errors.
func stdoutError(err error) error { return &output.WriteError{Path: output.Stdout, Err: err} }

// stopped reports whether an error ends the work on several inputs: a usage error does, and an
// interrupt without results. With results, an interrupt is reported on a line and sets the exit code,
// and the rest is omitted.
func (p *program) stopped(err error, done, all int) (stop bool, fatal error) {
	switch exitCode(err) {
	case exitUsage:
		return true, err
	case exitInterrupted:
		if done == 0 {
			return true, err
		}
		p.code = exitInterrupted
		p.tell(fmt.Sprintf("interrupted after %d of %d inputs", done, all))
		return true, nil
	}
	return false, nil
}
