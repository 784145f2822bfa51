package results

import (
	"errors"

	"github.com/tflarena/tflarena/tflite"
)

// SchemaVersion is the version of the JSON documents. It goes up when a field changes
// its meaning or goes away, not when one is added.
const SchemaVersion = 3

// A Document is what every command prints as JSON.
type Document struct {
	SchemaVersion int `json:"schema_version"`
	// Command is the command's name, such as "analyze" or "models list".
	Command string `json:"command"`
	// OK says that the exit code is 0: every input was read, and no verdict is no.
	OK bool `json:"ok"`
	// Models has what was found of each input, in the order of the command line: a value
	// of the command's own type, or a [Failed].
	Models []any `json:"models"`
	// Tables are those of the command "compare" without files.
	Tables []PaperTable `json:"tables,omitempty"`
}

// NewDocument returns a document.
func NewDocument(command string, ok bool, models []any) Document {
	return Document{SchemaVersion: SchemaVersion, Command: command, OK: ok, Models: present(models)}
}

// A Failed is an input of which there is no result, and why.
type Failed struct {
	Input string  `json:"input"`
	Error Problem `json:"error"`
	// Faults are why a model is not rewritten.
	Faults   []Fault `json:"faults"`
	Notes    []Note  `json:"notes"`
	Warnings []Note  `json:"warnings"`
}

// A Problem says what is wrong with an input.
type Problem struct {
	// Kind is one of the constants below.
	Kind string `json:"kind"`
	// Message is a sentence without the name of the input.
	Message string `json:"message"`
	// Path and Offset are the table of the file, and the byte in it, that are wrong. They
	// are left out where the problem has no single place.
	Path   string `json:"path,omitempty"`
	Offset *int64 `json:"offset_bytes,omitempty"`
}

// The kinds of a [Problem].
const (
	Unreadable  = "unreadable"  // the file cannot be opened or read
	Invalid     = "invalid"     // it is no valid model or problem, or one that cannot be planned
	NoAnswer    = "no_answer"   // the time limit passed before there was anything to show
	Faulty      = "faulty"      // the model does not run, or computes wrong results
	Interrupted = "interrupted" // the user stopped the work before there was anything to show
	Failure     = "failure"     // anything else
)

// NewFailed returns why there is no result of an input. Kind is one of the constants above.
func NewFailed(input, kind string, err error) *Failed {
	p := Problem{Kind: kind, Message: err.Error()}
	if e := (*tflite.Error)(nil); errors.As(err, &e) {
		offset := e.Offset
		p.Path, p.Offset = e.Path, &offset
	}
	return &Failed{Input: input, Error: p, Faults: []Fault{}, Notes: []Note{}, Warnings: []Note{}}
}
