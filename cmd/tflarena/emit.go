package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/tables"
)

// outputs reads -o, --json and --csv. Inputs are the files that no output may
// overwrite.
func (p *program) outputs(c *cli.Context, formats, inputs []string) ([]output.Spec, error) {
	texts := c.StringSlice("output")
	for _, format := range []string{"json", "csv"} {
		if c.Bool(format) {
			texts = append(texts, format+"="+output.Stdout)
		}
	}
	specs, err := output.Parse(texts, formats, inputs)
	if err != nil {
		return nil, err
	}
	return specs, output.CheckTerminal(specs, p.env.IsTerminal(p.stdout))
}

// emit writes a result: every output first, then, unless one of them went to
// standard output, the text. Nothing is written before everything has been made.
func (p *program) emit(specs []output.Spec, render func(format string) ([]byte, error), text func() string) error {
	files := make([][]byte, len(specs))
	toStdout := false
	for i, s := range specs {
		data, err := render(s.Format)
		if err != nil {
			return err
		}
		files[i], toStdout = data, toStdout || s.Path == output.Stdout
	}
	for i, s := range specs {
		if s.Path != output.Stdout {
			if err := writeError(s.Path, output.WriteFile(p.ctx, s.Path, files[i])); err != nil {
				return err
			}
		} else if err := p.print(files[i]); err != nil {
			return err
		}
	}
	if toStdout {
		return nil
	}
	return p.print([]byte(text()))
}

// writeError says "PATH: PROBLEM" about a file that could not be written, without
// the temporary file and the system call that failed.
func writeError(path string, err error) error {
	if errors.Is(err, context.Canceled) {
		return named(path, interruptedError{})
	}
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return named(path, err)
}

func (p *program) print(data []byte) error {
	if _, err := p.stdout.Write(data); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// warn writes warnings about an input to standard error, unless --quiet is set, and
// no more than anyone reads.
func (p *program) warn(c *cli.Context, input string, warnings []string) {
	const most = 10
	if c.Bool("quiet") {
		return
	}
	for i, w := range warnings {
		if i == most {
			fmt.Fprintf(p.stderr, "%s: warning: %s: %d more warnings; --json lists all\n", name, input, len(warnings)-most)
			return
		}
		p.say(c, input, "warning", w)
	}
}

// say writes a line about an input to standard error, unless --quiet is set.
func (p *program) say(c *cli.Context, input, kind, text string) {
	if !c.Bool("quiet") {
		fmt.Fprintf(p.stderr, "%s: %s: %s\n", name, kind, tables.Printable(input+": "+text))
	}
}

// noteTime says that a plan is only the best so far, and why.
func (p *program) noteTime(c *cli.Context, input string, plan *alloc.Plan) {
	switch {
	case !plan.Interrupted:
	case c.Context.Err() != nil:
		p.code = exitInterrupted
		fmt.Fprintf(p.stderr, "%s: %s: interrupted; this is the best plan so far\n", name, input)
	case !c.Bool("quiet"):
		fmt.Fprintf(p.stderr, "%s: %s: --time-limit %s reached; this is the best plan so far\n", name, input, c.Duration("time-limit"))
	}
}

// stopped reports whether an error ends the work on several inputs: a wrong command
// line does, and an interrupt once there is nothing to show. When there is, the
// interrupt costs a line and the exit code, and the rest is left out.
func (p *program) stopped(err error, done, all int) (stop bool, fatal error) {
	switch exitCode(err) {
	case exitUsage:
		return true, err
	case exitInterrupted:
		if done == 0 {
			return true, err
		}
		p.code = exitInterrupted
		fmt.Fprintf(p.stderr, "%s: interrupted after %d of %d inputs\n", name, done, all)
		return true, nil
	}
	return false, nil
}
