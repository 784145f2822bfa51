// Package webapp has the application: the page of "report" with a planner behind it. [Serve] serves a
// browser and plans in this process; [Static] returns files for any web server, with a planner that runs
// in the browser.
//
// The page is bundled from the sources in the folder site and kept here.
package webapp

import (
	_ "embed"
	"html"
	"path"
	"strings"

	"github.com/tflarena/tflarena/internal/page"
)

// Files are the files of the application by name.
type Files map[string][]byte

// Index is the name of the start page.
const Index = "index.html"

var (
	//go:embed bundle/application.html.gz
	skeleton string
	//go:embed bundle/application.css.gz
	style string
	//go:embed bundle/application.js.gz
	program string
)

// policy forbids all other origins, and everything that the application does not use. The sources of
// scripts are at its end.
const policy = "default-src 'none'; style-src 'self'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; script-src 'self'"

// files returns the files of the page, whose planner is "server" or "wasm".
func files(planner, policy, licences string) Files {
	index := strings.NewReplacer("{{planner}}", planner, "{{policy}}", policy, "{{licences}}", html.EscapeString(licences)).Replace(page.Unpack(skeleton))
	return Files{
		Index:             []byte(index),
		"application.js":  []byte(page.Program() + page.Unpack(program)),
		"application.css": []byte(page.Style() + page.Unpack(style)),
	}
}

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
