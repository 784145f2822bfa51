package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/tflite"
)

// single reports whether the command line names one file, and not a directory.
func single(c *cli.Context, files []string) bool {
	return len(files) == 1 && c.NArg() == 1 && files[0] == c.Args().First()
}

// each does the work on each file. One file that fails ends the run; of several, it
// costs a line and the exit code.
func each[T any](p *program, c *cli.Context, files []string, work func(file string) (T, error)) ([]T, error) {
	list := []T{}
	for _, file := range files {
		var result T
		var err error = interruptedError{}
		if c.Context.Err() == nil {
			result, err = work(file)
		}
		if err == nil {
			list = append(list, result)
			continue
		}
		if len(files) == 1 {
			return nil, err
		}
		if stop, fatal := p.stopped(err, len(list), len(files)); stop {
			return list, fatal
		}
		p.complain(err)
	}
	return list, nil
}

// loadModel reads and parses a MODEL argument.
func (p *program) loadModel(ctx context.Context, arg string) (*tflite.Model, error) {
	data, title, err := p.load(ctx, arg)
	if err != nil {
		return nil, err
	}
	if isProblem(title, data) {
		return nil, named(title, invalidError{errors.New("this is a CSV problem, not a model; 'tflarena plan' takes it")})
	}
	m, err := tflite.Parse(data, title)
	return m, named(title, err)
}
