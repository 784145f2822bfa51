package main

import "path/filepath"

// bills writes a bill of materials for each binary, from what the binary records about its modules.
func (r *release) bills() error {
	for _, p := range platforms {
		path := filepath.Join(r.dist, r.archiveName(p)+".cdx.json")
		if err := tool("cyclonedx-gomod", "bin", "-json", "-std", "-licenses", "-noserial", "-notimestamp", "-version", r.version, "-output", path, r.binary(p)); err != nil {
			return err
		}
	}
	return nil
}
