package tflite

import "fmt"

// maxWarnings bounds the output that a hostile file can cause.
const maxWarnings = 100

// warnings collects up to maxWarnings warnings and counts the rest.
type warnings struct {
	list []Warning
	more int
}

// hasRoom reports whether another warning would be kept, so that callers can skip formatting.
func (w *warnings) hasRoom() bool {
	if len(w.list) < maxWarnings {
		return true
	}
	w.more++
	return false
}

func (w *warnings) add(path string, offset int64, text string, args ...any) {
	if w.hasRoom() {
		w.list = append(w.list, Warning{Path: path, Offset: offset, Text: fmt.Sprintf(text, args...)})
	}
}

// all returns the warnings; the last one counts the omitted ones.
func (w *warnings) all() []Warning {
	if w.more == 0 {
		return w.list
	}
	return append(w.list, Warning{Text: fmt.Sprintf("%d more warnings", w.more)})
}
