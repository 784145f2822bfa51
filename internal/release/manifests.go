package main

import (
	"bytes"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/exp/slices"
)

//go:embed templates
var templates embed.FS

// filled returns a template with its values; a value that is missing is an error.
func filled(name string, values any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, values)
	return b.Bytes(), err
}

// manifests writes the formula of Homebrew and the manifest of Scoop, with the checksums of archives.
func (r *release) manifests() error {
	sums := map[string]string{}
	for _, p := range platforms {
		data, err := os.ReadFile(filepath.Join(r.dist, r.archive(p)))
		if err != nil {
			return err
		}
		sums[strings.ReplaceAll(p.String(), "-", "_")] = hex.EncodeToString(digest(data))
	}
	for _, m := range []struct{ template, path string }{{"formula.rb", "tflarena.rb"}, {"scoop.json", "tflarena.json"}} {
		text, err := filled(m.template, map[string]any{"Version": r.version, "Sums": sums, "Source": "https://" + module})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.dist, m.path), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// checksums writes SHA256SUMS, the checksums of all files at the top of the folder.
func (r *release) checksums() error {
	list, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var lines []string
	for _, entry := range list {
		if entry.IsDir() || entry.Name() == marker {
			continue
		}
		data, err := os.ReadFile(filepath.Join(r.dist, entry.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", digest(data), entry.Name()))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o644)
}
