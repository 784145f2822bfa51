package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/exp/slices"
)

// A file is one file of an archive.
type file struct {
	// name is a path with slashes.
	name string
	mode os.FileMode
	data []byte
}

// notices is the file with the licences of what is linked.
const notices = "THIRD_PARTY_LICENSES"

// completions are the names of completion scripts by shell, as each shell looks for them.
var completions = []struct{ shell, file string }{
	{"bash", "completions/tflarena.bash"}, {"zsh", "completions/_tflarena"}, {"fish", "completions/tflarena.fish"}, {"powershell", "completions/tflarena.ps1"},
}

// readCommon collects the files that stand beside every binary.
func (r *release) readCommon() error {
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		r.common = append(r.common, file{name, 0o644, data})
	}
	text, err := licences()
	if err != nil {
		return err
	}
	r.common = append(r.common, file{notices, 0o644, text})
	for _, c := range completions {
		if err := r.printed(c.file, "completion", c.shell); err != nil {
			return err
		}
	}
	return r.printed("man/tflarena.1", "man")
}

// printed adds a file that the command prints.
func (r *release) printed(name string, args ...string) error {
	text, err := output(r.binary(native), args...)
	r.common = append(r.common, file{name, 0o644, []byte(text + "\n")})
	return err
}

// licences returns the licences of everything that is linked into a binary: modules, the page's program, and Go
// itself.
func licences() ([]byte, error) {
	var text strings.Builder
	add := func(what string, licence []byte) { fmt.Fprintf(&text, "==== %s\n\n%s\n", what, licence) }
	root, err := outputIn([]string{"GOTOOLCHAIN=" + toolchain}, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	add("Go", licence)
	page, err := os.ReadFile(filepath.Join("internal", "page", "bundle", "licences.txt.gz"))
	if err != nil {
		return nil, err
	}
	if page, err = unzipped(page); err != nil {
		return nil, err
	}
	add("the page of the command report", page)
	var list []string
	for _, p := range platforms {
		out, err := outputIn([]string{"GOOS=" + p.system, "GOARCH=" + p.processor}, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/tflarena")
		if err != nil {
			return nil, err
		}
		list = append(list, strings.Split(out, "\n")...)
	}
	slices.Sort(list)
	for _, line := range slices.Compact(list) {
		name, folder, _ := strings.Cut(line, "\t")
		if folder == "" {
			continue
		}
		found, err := filepath.Glob(filepath.Join(folder, "[LC][IO][CP][EY]*")) // LICENSE, LICENCE.md, COPYING
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("module %s has no licence in %s", name, folder)
		}
		for _, path := range found {
			licence, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			add(name, licence)
		}
	}
	return []byte(text.String()), nil
}
