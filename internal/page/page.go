// Package page writes the page of the command "report": one file that shows models' memory in a
// browser, without any network requests.
//
// Its program, its style and their licences are bundled from the sources in the folder site and kept
// here, so that building the command requires only Go. The application of package webapp has them, too.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

//go:embed bundle/page.html
var skeleton string

// Style is the style sheet of the page.
//
//go:embed bundle/page.css
var Style string

// Program is the program of the page. Where there is no document, it only provides its functions.
//
//go:embed bundle/page.js
var Program string

// Licences are the licences of all packages in Program.
//
//go:embed bundle/licences.txt
var Licences string

// HTML returns the page for a document of the command "report" in JSON. Its policy forbids every
// request, and every script and style but its own.
func HTML(title string, document []byte) ([]byte, error) {
	var compact, data bytes.Buffer
	if err := json.Compact(&compact, document); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	// Escapes every <, so that no name in the model ends the element that holds the document.
	json.HTMLEscape(&data, compact.Bytes())
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:; base-uri 'none'; form-action 'none'",
		digest(Program), digest(Style))
	page := strings.NewReplacer(
		"{{title}}", html.EscapeString(title), "{{policy}}", policy, "{{style}}", Style,
		"{{licences}}", html.EscapeString(Licences), "{{data}}", data.String(), "{{program}}", Program,
	).Replace(skeleton)
	return []byte(page), nil
}

// digest returns the hash of a script or a style in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
