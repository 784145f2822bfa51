package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
)

// warn writes warnings about an input to standard error, unless --quiet is set, and
// no more than anyone reads.
func (p *program) warn(c *cli.Context, input string, warnings []results.Note) {
	const most = 10
	if c.Bool("quiet") {
		return
	}
	for i, w := range warnings {
		if i == most {
			fmt.Fprintf(p.stderr, "%s: warning: %s: %d more warnings; --json lists all\n", name, input, len(warnings)-most)
			return
		}
		p.say(c, input, "warning", w.Text)
	}
}

// say writes a line about an input to standard error, unless --quiet is set.
func (p *program) say(c *cli.Context, input, kind, text string) {
	if !c.Bool("quiet") {
		fmt.Fprintf(p.stderr, "%s: %s: %s\n", name, kind, tables.Printable(input+": "+text))
	}
}

// complain reports an error that costs the exit code but does not end the run.
func (p *program) complain(err error) {
	fmt.Fprintf(p.stderr, "%s: %s\n", name, tables.Printable(err.Error()))
	p.code = max(p.code, exitCode(err))
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
