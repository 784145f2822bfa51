package results

import (
	"strings"

	"github.com/tflarena/tflarena/rewrite/slim"
)

// A Saving is the number of bytes of the file that one kind of removal saved.
type Saving struct {
	// Kind of what was removed.
	Kind slim.Kind `json:"kind"`
	// Bytes that the file is smaller; negative if it grew, because the old file shared more.
	Bytes int64 `json:"saved_file_bytes"`
}

// NewSavings returns what was removed.
func NewSavings(list []slim.Saving) []Saving {
	made := []Saving{}
	for _, x := range list {
		made = append(made, Saving{x.Kind, x.Bytes})
	}
	return made
}

// savings adds a line about what was removed.
func (s Style) savings(b *strings.Builder, list []Saving) {
	var parts []string
	for _, x := range list {
		if x.Bytes > 0 {
			parts = append(parts, string(x.Kind)+" "+s.bytes(x.Bytes))
		}
	}
	if len(parts) > 0 {
		s.line(b, "removed", strings.Join(parts, ", "))
	}
}
