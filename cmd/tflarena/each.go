package main

import (
	"context"
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/tflite"
)

// A batch is what came of the inputs.
type batch[T any] struct {
	// done has the results that there are.
	done []T
	// elements has, for JSON, the results of all inputs in their order, those that failed
	// included.
	elements []any
}

// outputs returns what is written: JSON alone where nothing was done.
func (b *batch[T]) outputs(specs []output.Spec) []output.Spec {
	if len(b.done) == 0 {
		return jsonOutputs(specs)
	}
	return specs
}

// each does the work on each file. One that fails costs a line and the exit code.
func each[T any](p *program, c *cli.Context, files []string, work func(file string) (T, error)) (*batch[T], error) {
	b := &batch[T]{}
	for _, file := range files {
		var result T
		var err error = interruptedError{}
		if c.Context.Err() == nil {
			result, err = work(file)
		}
		if err == nil {
			b.done, b.elements = append(b.done, result), append(b.elements, result)
			continue
		}
		if stop, fatal := p.stopped(err, len(b.done), len(files)); stop {
			return b, fatal
		}
		p.complain(err)
		b.elements = append(b.elements, noResult(file, err))
	}
	return b, nil
}

// loadModel reads and parses a MODEL argument.
func (p *program) loadModel(ctx context.Context, arg string) (*tflite.Model, error) {
	data, title, err := p.load(ctx, arg)
	if err != nil {
		return nil, err
	}
	if isTiles(title, data) {
		return nil, named(title, errTiles)
	}
	if isProblem(title, data) {
		return nil, named(title, invalidError{errors.New("this is a CSV problem, not a model; 'tflarena plan' takes it")})
	}
	m, err := tflite.Parse(data, title)
	return m, named(title, err)
}
