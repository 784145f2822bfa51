package output

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/firmware"
)

// extensions maps other file extensions to formats of reports; packages export and firmware have the
// extensions of their files.
var extensions = map[string]string{"md": "markdown", "htm": "html"}

// formatOf returns the format of an extension, or the extension itself.
func formatOf(extension string) string {
	if name, ok := extensions[extension]; ok {
		return name
	}
	for _, f := range export.Formats() {
		if slices.Contains(f.Extensions, extension) {
			return f.Name
		}
	}
	for _, f := range firmware.Formats() {
		if slices.Contains(f.Extensions, extension) {
			return f.Name
		}
	}
	return extension
}

// notText are the formats, besides drawings of plans, that are unreadable on a terminal and garble
// messages.
var notText = []string{"html", "tflite"}

// isText reports whether a format can be read on a terminal.
func isText(format string) bool {
	f, ok := export.Lookup(format)
	return !(ok && f.Drawing) && !slices.Contains(notText, format)
}
