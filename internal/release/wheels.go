package main

import (
	"os"
	"path/filepath"
)

// wheels writes a Python wheel with each binary, and the source distribution.
func (r *release) wheels() error {
	folder, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, notices)
	for _, f := range r.common {
		if f.name == notices {
			if err := os.WriteFile(path, f.data, f.mode); err != nil {
				return err
			}
		}
	}
	args := []string{filepath.Join("python", "wheels.py"), "-o", r.dist, "--notices", path}
	for _, p := range platforms {
		args = append(args, r.binary(p))
	}
	_, err = output("python3", args...)
	return err
}
