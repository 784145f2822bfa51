// Package page writes the page of the command "report": one file that shows models' memory in a
// browser, without any network requests.
//
// Its program, its style and their licences are bundled from the sources in the folder site and kept
// here, so that building the command requires only Go. The application of package webapp has them, too.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"
)

var (
	//go:embed bundle/page.html.gz
	skeleton string
	//go:embed bundle/page.css.gz
	style string
	//go:embed bundle/page.js.gz
	program string
	//go:embed bundle/licences.txt.gz
	licences string
)

// Style returns the style sheet of the page.
func Style() string { return Unpack(style) }

// Program returns the program of the page. Where there is no document, it only provides its functions.
func Program() string { return Unpack(program) }

// Licences returns the licences of all packages in Program.
func Licences() string { return Unpack(licences) }

// Unpack returns the text of an embedded file, which is compressed with gzip.
func Unpack(packed string) string {
	r, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		panic("page: " + err.Error())
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic("page: " + err.Error())
	}
	return string(text)
}

// HTML returns the page for a document of the command "report" in JSON. Its policy forbids every
// request, and every script and style but its own.
func HTML(title string, document []byte) ([]byte, error) {
	var compact, data bytes.Buffer
	if err := json.Compact(&compact, document); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	// Escapes every <, so that no name in the model ends the element that holds the document.
	json.HTMLEscape(&data, compact.Bytes())
	style, program := Style(), Program()
	policy := fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data: blob:; base-uri 'none'; form-action 'none'",
		digest(program), digest(style))
	page := strings.NewReplacer(
		"{{title}}", html.EscapeString(title), "{{policy}}", policy, "{{style}}", style,
		"{{licences}}", html.EscapeString(Licences()), "{{data}}", data.String(), "{{program}}", program,
	).Replace(Unpack(skeleton))
	return []byte(page), nil
}

// digest returns the hash of a script or a style in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
