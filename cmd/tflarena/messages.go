package main

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
)

// warn writes warnings about an input to standard error, unless --quiet is set, up to a limit.
func (p *program) warn(input string, warnings []results.Note) {
	const most = 10
	for i, w := range warnings {
		if i == most {
			p.say(input, "warning", fmt.Sprintf("there are %d more warnings; --json lists them", len(warnings)-most))
			return
		}
		p.say(input, "warning", w.Text)
	}
}

// say writes a line about an input to standard error, unless --quiet is set.
func (p *program) say(input, kind, text string) {
	if !p.quiet {
		p.tell(kind + ": " + input + ": " + text)
	}
}

// tell writes a line to standard error. Text from a file, or its name, is escaped for terminals.
func (p *program) tell(text string) {
	fmt.Fprintf(p.stderr, "%s: %s\n", name, tables.Printable(text))
}

// complain reports an error that sets the exit code but does not end the run.
func (p *program) complain(err error) {
	p.tell(err.Error())
	p.code = max(p.code, exitCode(err))
}

// noteTime reports, if a search ended early, that a plan is only the best so far, and why.
func (p *program) noteTime(input string, ended bool) {
	switch {
	case !ended:
	case p.ctx.Err() != nil:
		p.interrupted(input, "this is the best plan so far")
	case !p.quiet:
		p.tell(fmt.Sprintf("%s: --time-limit %s was reached; this is the best plan so far", input, p.limit.ending()))
	}
}

// interrupted reports the partial result of an input after an interrupt.
func (p *program) interrupted(input, text string) {
	p.code = exitInterrupted
	p.tell(input + ": interrupted; " + text)
}
