package main

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
)

// warn writes warnings about an input to standard error, unless --quiet is set: up to a limit, or the
// first one with the number of the others.
func (p *program) warn(input string, warnings []results.Note) {
	const most = 10
	for i, w := range warnings {
		more := len(warnings) - i - 1
		switch {
		case p.brief && more > 0:
			p.say(input, "warning", fmt.Sprintf("%s (%d more; --details or --json lists them)", w.Text, more))
			return
		case i == most:
			p.say(input, "warning", fmt.Sprintf("%d more warnings; --json lists them", more+1))
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

// tell writes a message to standard error: one line, which a terminal gets in lines of its width. Text
// from a file, or its name, is escaped for terminals.
func (p *program) tell(text string) {
	text = name + ": " + tables.Printable(text)
	if p.env.IsTerminal(p.stderr) {
		const indent = 2
		text = tables.Wrap(text, p.env.Width(p.stderr), 0, indent)
	}
	fmt.Fprintln(p.stderr, text)
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
