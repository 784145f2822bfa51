package output

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/internal/firmware"
)

// extensions gives the formats of reports whose files are called otherwise; package export has
// those of plans, and package deploy those for firmware.
var extensions = map[string]string{"md": "markdown", "htm": "html"}

// formatOf returns the format of files with an extension, which may be that of none.
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

// notText are the formats, besides drawings of plans, that a terminal only garbles, and messages
// too.
var notText = []string{"html", "tflite"}

// isText reports whether a format can be read on a terminal.
func isText(format string) bool {
	f, ok := export.Lookup(format)
	return !(ok && f.Drawing) && !slices.Contains(notText, format)
}
