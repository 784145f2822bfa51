// Package webapp has the application: the page of "report" with the planner in it, as the files that
// a browser loads. It serves them, or gives them to whoever puts them on a web server.
//
// The page is bundled from the sources in the folder site and kept here. The planner is made by the
// Go tool out of site/wasm: with the tag "app" the files are part of the command, and without it
// they are made when they are asked for.
package webapp

import (
	"errors"
	"path"
)

// Files are the files of the application by their names.
type Files map[string][]byte

// Index is the name of the file that a browser begins with.
const Index = "index.html"

// ErrSources says that the application is not part of the command, and that the sources of the
// planner are not here either.
var ErrSources = errors.New("this build of tflarena does not contain the application, and the sources of tflarena are not in this folder: run 'go run ./cmd/tflarena serve' in a copy of the sources")

// policy forbids all other origins, and whatever the application does not need.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'"

// contentType returns what a browser is told that a file is.
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
