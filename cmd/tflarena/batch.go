package main

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/output"
)

// A batch is the results of several inputs.
type batch[T any] struct {
	// done has the successful results.
	done []T
	// elements has, for JSON, the results of all inputs in order, including failed ones.
	elements []any
}

// outputs returns the outputs to write: only JSON if all inputs failed.
func (b *batch[T]) outputs(specs []output.Spec) []output.Spec {
	if len(b.done) == 0 {
		return jsonOutputs(specs)
	}
	return specs
}

// each processes each file. A failed file is reported on a line and sets the exit code.
func each[T any](p *program, files []string, work func(file string) (T, error)) (*batch[T], error) {
	return eachOr(p, files, "", work)
}

// eachOr is each with the consequence of a failure at the beginning of its line.
func eachOr[T any](p *program, files []string, fate string, work func(file string) (T, error)) (*batch[T], error) {
	b := &batch[T]{}
	for _, file := range files {
		var result T
		var err error = interruptedError{}
		if p.ctx.Err() == nil {
			result, err = work(file)
		}
		if err == nil {
			b.done, b.elements = append(b.done, result), append(b.elements, result)
			continue
		}
		if stop, fatal := p.stopped(err, len(b.done), len(files)); stop {
			return b, fatal
		}
		p.complain(fmt.Errorf("%s%w", fate, err))
		b.elements = append(b.elements, noResult(file, err))
	}
	return b, nil
}
