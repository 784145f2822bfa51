// Command tflarena finds the required arena that a TensorFlow Lite model can run in and
// proves how close to the optimum it is.
//
// "tflarena --help" lists its commands, "tflarena help exit-codes" what its exit
// codes mean.
//
// Each command has a file of its name with its help and its flags, and where it is long others
// for how it runs (plan_run.go), what its flags ask for (fit_goal.go) and what it prints
// (fit_result.go). What is done with a model is decided in the libraries.
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
	// The first interrupt asks for the best result so far; the next one kills.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr, terminal.System()))
}

// endings returns the signals that ask for an end. Those that are ignored, as hangups
// are under nohup, stay so.
func endings() []os.Signal {
	asked := []os.Signal{os.Interrupt}
	for _, s := range otherEndings {
		if !signal.Ignored(s) {
			asked = append(asked, s)
		}
	}
	return asked
}

// run runs one command line, whose first word is the program's name, and returns
// the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env terminal.Env) int {
	p := &program{ctx: ctx, stdin: stdin, stdout: stdout, stderr: stderr, env: env, args: args, pages: keeper{to: stdout}}
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
