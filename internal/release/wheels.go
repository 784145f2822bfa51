package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// wheels builds a Python wheel with each binary, by the setuptools that the tests use.
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
	if _, err := output("python3", "-m", "venv", folder); err != nil {
		return err
	}
	python := filepath.Join(folder, "bin", "python")
	if _, err := output(python, "-m", "pip", "install", "-c", "internal/testkit/oracle/requirements.txt", "setuptools"); err != nil {
		return err
	}
	for _, p := range platforms {
		env := []string{
			"TFLARENA_BINARY=" + r.binary(p), "TFLARENA_NOTICES=" + path, "TFLARENA_PLATFORM=" + p.tags,
			fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.time.Unix()),
		}
		if _, err := outputIn(env, python, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", r.dist, "./python"); err != nil {
			return err
		}
	}
	return nil
}
