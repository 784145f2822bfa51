package rewrite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// MarkerName is the name of the metadata entry that holds a [Marker].
const MarkerName = patch.MarkerName

// MarkerVersion is the only marker version that this package reads and writes.
const MarkerVersion = 1

// Marker names the kernels for which a memory plan is valid. A plan with outputs that overlap
// dying inputs is valid for kernels that read an element before they overwrite it, and invalid
// for others; no runtime checks this. A plan without a marker makes no statement about kernels.
//
// In a file it is metadata named [MarkerName], whose buffer holds a JSON object with exactly
// these three fields. It has at most 1024 bytes; surrounding white space is allowed.
type Marker struct {
	// Version of the marker: 1. It increases with every change of the fields.
	Version int `json:"version"`
	// Permitted sharing of memory, as the flag `--alias` names it: 1 to 32 lower-case letters, digits, hyphens and
	// underscores.
	Alias string `json:"alias"`
	// Kernel library and release that the plan requires, such as `esp-nn-s3@1.2.3`. The name has 1 to 32 lower-case
	// letters, digits, hyphens and underscores, and is `reference` for the reference kernels of TensorFlow Lite
	// Micro; `@` and a release, which may have dots, follow. Early versions wrote no release: it is 1.2.3 for
	// ESP-NN, and 99f736a for CMSIS-NN.
	Kernels string `json:"kernels"`
}

// encode returns the marker as JSON, or an error if it could not be read back.
func (m *Marker) encode() ([]byte, error) {
	if problem := m.problem(); problem != "" {
		return nil, fmt.Errorf("the marker of the plan: %s", problem)
	}
	return json.Marshal(m)
}

// problem returns what is wrong with the fields, or "".
func (m *Marker) problem() string {
	switch {
	case m.Version != MarkerVersion:
		return fmt.Sprintf("it has version %d, and only version %d is known: the plan may be right with some kernels alone", m.Version, MarkerVersion)
	case !isWord(m.Alias):
		return fmt.Sprintf("its alias is %q, which is not a word", m.Alias)
	case !isRelease(m.Kernels):
		return fmt.Sprintf("its kernels are %q, which is not a word", m.Kernels)
	}
	return ""
}

// maxFieldLength is the maximum length of a field, in bytes.
const maxFieldLength = 32

// isWord reports whether a text has only the characters allowed in a field, and a valid length.
func isWord(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return text != "" && len(text) <= maxFieldLength
}

// isRelease reports whether a text is a word, optionally followed by "@" and a release, and no
// longer than a word.
func isRelease(text string) bool {
	name, release, released := strings.Cut(text, "@")
	return isWord(name) && len(text) <= maxFieldLength && (!released || isWord(strings.ReplaceAll(release, ".", "0")))
}

// ReadMarker returns the marker of m's plan, or nil. It returns a [*PlanError] if a marker is
// too long, is not the JSON of [Marker] or has another version. Multiple markers must be
// byte-identical. ReadMarker does not check for a plan: package verify does.
func ReadMarker(m *tflite.Model) (*Marker, error) {
	entries := patch.MarkerEntries(m)
	if len(entries) == 0 {
		return nil, nil
	}
	fail := func(entry int, problem string) error {
		index := m.Metadata[entry].Buffer
		return &PlanError{
			Law: lawMarker, Message: fmt.Sprintf("the marker of metadata[%d]: %s", entry, problem),
			Path: fmt.Sprintf("buffers[%d]", index), Offset: m.Buffers[index].Offset,
		}
	}
	first := m.Buffers[m.Metadata[entries[0]].Buffer]
	marker, problem := parseMarker(first.Data)
	if problem != "" {
		return nil, fail(entries[0], problem)
	}
	for _, entry := range entries[1:] {
		if b := m.Buffers[m.Metadata[entry].Buffer]; !bytes.Equal(b.Data, first.Data) {
			return nil, fail(entry, fmt.Sprintf("it differs from the one of metadata[%d]", entries[0]))
		}
	}
	return marker, nil
}

// OverlapMarker returns the marker of a plan with outputs that overlap dying inputs, permitted
// by a level of --alias with the kernels of a library.
func OverlapMarker(alias, kernels string) *Marker {
	return &Marker{Version: MarkerVersion, Alias: alias, Kernels: kernels}
}
