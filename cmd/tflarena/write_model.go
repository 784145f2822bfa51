package main

import (
	"fmt"
	"sync"

	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

// A madeModel is a model that a command made from another one.
type madeModel struct {
	of   *tflite.Model
	data []byte
	// required is the required arena of the new model in bytes, on a target.
	required int64
	on       target
}

// A modelReport is the report of a command that makes a model.
type modelReport interface {
	Text(results.Style) string
}

// emitModel writes the model that a command made, its firmware files, and the report, which is its
// JSON. If the model goes to standard output, written or not, the text goes to standard error, unless
// --quiet is set.
func (in *invocation) emitModel(made madeModel, report modelReport) error {
	p := in.p
	p.sayLacking(in.specs, made.of)
	program := sync.OnceValues(made.firmware)
	text := func() string { return report.Text(in.style) }
	err := p.emit(in.specs, func(format string) ([]byte, error) {
		switch format {
		case modelFormat:
			return made.data, nil
		case jsonFormat:
			return p.document(in.command, []any{report})
		}
		return deployed(format, program)
	}, text)
	if err == nil && p.format != "" && p.format != jsonFormat && !p.quiet {
		fmt.Fprint(p.stderr, text())
	}
	return err
}

// firmware returns the new model as firmware has it, under the name of the original model.
func (made *madeModel) firmware() (*firmware.Program, error) {
	m, err := tflite.Parse(made.data, made.of.Name)
	if err != nil {
		return nil, named(made.of.Name, faultError{err})
	}
	return made.on.firmware(m, made.required), nil
}
