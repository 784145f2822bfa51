package main

import (
	"os"
	"path"
	"path/filepath"
	"time"
)

// packages writes the packages of Debian and of RPM for each processor.
func (r *release) packages() error {
	parts := filepath.Join(r.dist, "parts")
	defer os.RemoveAll(parts)
	for _, f := range r.common {
		path := filepath.Join(parts, filepath.FromSlash(f.name))
		data := f.data
		if f.name == "man/tflarena.1" {
			path += ".gz"
			data = zipped(data)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, f.mode); err != nil {
			return err
		}
	}
	for _, p := range platforms {
		if p.system != "linux" {
			continue
		}
		config := filepath.Join(parts, "nfpm.yaml")
		text, err := filled("nfpm.yaml", map[string]string{
			"Arch": p.processor, "Version": r.version, "Time": r.time.Format(time.RFC3339),
			"Binary": r.binary(p), "Parts": parts,
		})
		if err != nil {
			return err
		}
		if err := os.WriteFile(config, text, 0o644); err != nil {
			return err
		}
		for _, packager := range []string{"deb", "rpm"} {
			target := filepath.Join(r.dist, path.Base(r.archiveName(p))+"."+packager)
			if err := tool("nfpm", "package", "--config", config, "--packager", packager, "--target", target); err != nil {
				return err
			}
		}
	}
	return nil
}
