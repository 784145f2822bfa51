// Command tflarena finds the smallest arena of a TensorFlow Lite model and proves how close it is to
// the optimum.
//
// "tflarena --help" lists its commands, "tflarena help exit-codes" its exit codes.
//
// Each command has a file of its name with its help, its flags, and the struct that one function reads
// them into; long ones have others for their results (fit_result.go). Package internal/app does the work.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"

	"github.com/tflarena/tflarena/internal/terminal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	// The first interrupt requests the best result so far; the next one kills.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, terminal.System()))
}

// endings returns the signals that request an end. Ignored ones, such as hangups under nohup, stay
// ignored.
func endings() []os.Signal {
	asked := []os.Signal{os.Interrupt}
	for _, s := range otherEndings {
		if !signal.Ignored(s) {
			asked = append(asked, s)
		}
	}
	return asked
}

// run runs one command line, whose first word is the program's name, and returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env terminal.Env) int {
	p := &program{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, env: env, args: args, pages: errWriter{to: stdout}}
	if len(args) == 0 {
		p.args = []string{name}
	}
	app := p.app()
	p.args, p.assumed = assume(app, p.args)
	err := p.guarded(func() error { return app.RunContext(ctx, permute(app, p.args)) })
	if err == nil {
		err = p.pages.Err()
	}
	if err != nil {
		p.complain(err)
	}
	return p.code
}
