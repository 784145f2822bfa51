package results

import (
	"errors"

	"github.com/tflarena/tflarena/tflite"
)

// SchemaVersion is the version of the JSON documents. It increases when a field changes its meaning or
// is removed, not when one is added.
const SchemaVersion = 3

// A Document is the JSON output of every command.
type Document struct {
	// Version of the JSON documents, increased when a field changes its meaning or is removed, not when one is
	// added.
	SchemaVersion int `json:"schema_version"`
	// Command that printed the document, such as `analyze` or `models list`.
	Command string `json:"command"`
	// Whether the exit code is 0: every input was read, and no verdict is no.
	OK bool `json:"ok"`
	// Project file or budget file with settings that were read. Absent without one.
	Config string `json:"config,omitempty"`
	// Result of each input, in the order of the command line. An input that failed has an `error`.
	Models []any `json:"models"`
	// Tables of the paper, computed anew. Absent from `compare` with files, and from all other commands.
	Tables []PaperTable `json:"tables,omitempty"`
}

// NewDocument returns a document.
func NewDocument(command string, ok bool, models []any) Document {
	return Document{SchemaVersion: SchemaVersion, Command: command, OK: ok, Models: present(models)}
}

// A Failed is an input without a result, and the reason.
type Failed struct {
	Input string `json:"input"`
	// Why this input has no result.
	Error    Problem `json:"error"`
	Faults   []Fault `json:"faults"`
	Notes    []Note  `json:"notes"`
	Warnings []Note  `json:"warnings"`
}

// A Problem describes the error of an input.
type Problem struct {
	// Stable name of the kind, independent of the wording.
	Kind ProblemKind `json:"kind"`
	// Cause, for people, without the name of the input.
	Message string `json:"message"`
	// Table and field of the file, such as subgraphs[0].tensors[7].shape. Absent if unknown.
	Path string `json:"path,omitempty"`
	// Byte of the file at which `path` is. Absent if unknown.
	Offset *int64 `json:"offset_bytes,omitempty"`
}

// A ProblemKind is the kind of a [Problem].
type ProblemKind string

// The kinds of problems.
const (
	Unreadable  ProblemKind = "unreadable"  // the file cannot be opened or read
	Invalid     ProblemKind = "invalid"     // it is no valid model or problem, or one that cannot be planned
	NoAnswer    ProblemKind = "no_answer"   // the time limit passed before there was anything to show
	Faulty      ProblemKind = "faulty"      // the model does not run, or computes wrong results
	Interrupted ProblemKind = "interrupted" // the user stopped the work before there was anything to show
	Failure     ProblemKind = "failure"     // anything else
)

// NewFailed returns why there is no result of an input. Kind is one of the constants above.
func NewFailed(input string, kind ProblemKind, err error) *Failed {
	p := Problem{Kind: kind, Message: err.Error()}
	if e := (*tflite.Error)(nil); errors.As(err, &e) {
		offset := e.Offset
		p.Path, p.Offset = e.Path, &offset
	}
	return &Failed{Input: input, Error: p, Faults: []Fault{}, Notes: []Note{}, Warnings: []Note{}}
}
