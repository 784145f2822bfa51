package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
)

const jsonFormat = "json"

// inspect is called with all JSON before it is written. Tests validate it against the schemas.
var inspect = func([]byte) error { return nil }

// document returns the results of a command for all its inputs as JSON.
func (p *program) document(command string, models []any) ([]byte, error) {
	return p.json(p.newDocument(command, p.code == exitOK, models))
}

func (p *program) newDocument(command string, ok bool, models []any) results.Document {
	d := results.NewDocument(command, ok, models)
	d.Config = p.project.path
	return d
}

func (p *program) json(v any) ([]byte, error) {
	data, err := results.JSON(v)
	if err != nil {
		return nil, err
	}
	return data, inspect(data)
}

// printLine prints the document of one input as a line. Usage errors and interrupts are not printed.
func (p *program) printLine(command, input string, result any, err error) error {
	if code := exitCode(err); err != nil && (code == exitUsage || code == exitInterrupted) {
		return nil
	}
	if err != nil {
		result = noResult(input, err)
	}
	data, wrong := p.json(p.newDocument(command, err == nil, []any{result}))
	if wrong != nil {
		return wrong
	}
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		return err
	}
	return p.print(append(line.Bytes(), '\n'))
}

// failed writes the requested JSON if the only input has no result, and returns the error. Usage errors
// and interrupts are not written.
func (p *program) failed(specs []output.Spec, command, input string, err error) error {
	return p.failedIn(func(elements []any) ([]byte, error) { return p.document(command, elements) }, specs, input, err)
}

// failedIn is failed for any form of document.
func (p *program) failedIn(document func(elements []any) ([]byte, error), specs []output.Spec, input string, err error) error {
	specs = jsonOutputs(specs)
	code := exitCode(err)
	if len(specs) == 0 || code == exitUsage || code == exitInterrupted {
		return err
	}
	p.code = max(p.code, code)
	wrong := p.emit(specs, func(string) ([]byte, error) {
		return document([]any{noResult(input, err)})
	}, func() string { return "" })
	if wrong != nil {
		p.complain(wrong)
	}
	return err
}

// jsonOutputs returns the JSON outputs, which are also written without a result or a model.
func jsonOutputs(specs []output.Spec) (kept []output.Spec) {
	for _, s := range specs {
		if s.Format == jsonFormat {
			kept = append(kept, s)
		}
	}
	return kept
}

func noResult(input string, err error) *results.Failed {
	if input == stdinPath {
		input = stdinTitle
	}
	failed := results.NewFailed(input, problemKind(err), stripped(input, err))
	if faulty := (*notes.FaultyError)(nil); errors.As(err, &faulty) {
		failed.Faults = results.NewFaults(faulty.Faults)
	}
	return failed
}

// errDirectory is the error for a directory in place of a file.
var errDirectory = errors.New("is a directory; name a file")

// problemKind returns what kind of problem an error is about.
func problemKind(err error) results.ProblemKind {
	if faulty := (*notes.FaultyError)(nil); errors.As(err, &faulty) {
		return results.Faulty
	}
	switch exitCode(err) {
	case exitInvalid, exitCheck:
		return results.Invalid
	case exitNoAnswer:
		return results.NoAnswer
	case exitInterrupted:
		return results.Interrupted
	}
	for _, unreadable := range []error{fs.ErrNotExist, fs.ErrPermission, errDirectory} {
		if errors.Is(err, unreadable) {
			return results.Unreadable
		}
	}
	return results.Failure
}
