// Package webapp has the application: the page of "report" with the planner in it, as files for a
// browser. It serves them, or returns them for a web server.
//
// The page is bundled from the sources in the folder site and kept here. The Go tool builds the planner
// from site/wasm: with the tag "app" the files are embedded in the command, and without it they are
// built on request.
package webapp

import (
	"errors"
	"path"
)

// Files are the files of the application by name.
type Files map[string][]byte

// Index is the name of the start page.
const Index = "index.html"

// ErrSources reports that the application is not embedded in the command, and that the sources of the
// planner are missing.
var ErrSources = errors.New("this build of tflarena does not contain the application, and the sources of tflarena are not in this folder: run 'go run ./cmd/tflarena serve' in a copy of the sources")

// policy forbids all other origins, and everything that the application does not use.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'"

// contentType returns the media type of a file.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	}
	return "application/octet-stream"
}
