// Command release builds everything that users install: binaries in archives, Python wheels, Linux packages, a
// container image, manifests of package managers, bills of materials and checksums.
//
//	go run ./internal/release [-o dist]
//
// The same commit gives the same bytes in any folder: binaries have no paths, and all files have the
// time of the commit. nfpm and cyclonedx-gomod run as programs, pinned in .ci/release.mod; wheels
// need Python with venv and pip.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tflarena/tflarena/internal/results"
)

func main() {
	dist := flag.String("o", "dist", "write to `FOLDER`, which is emptied first")
	flag.Parse()
	if err := run(*dist); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run makes a release of the commit that is checked out in the working directory.
func run(dist string) error {
	source, err := readSource()
	if err != nil {
		return err
	}
	dist, err = filepath.Abs(dist)
	if err != nil {
		return err
	}
	if err := emptyFolder(dist); err != nil {
		return err
	}
	r := &release{source: source, version: results.Release, dist: dist}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"binaries", r.build},
		{"common files", r.readCommon},
		{"archives", r.archives},
		{"bills of materials", r.bills},
		{"packages", r.packages},
		{"wheels", r.wheels},
		{"image", r.image},
		{"manifests", r.manifests},
		{"checksums", r.checksums},
	} {
		fmt.Println(step.name)
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return nil
}

// A release is a version that is being written to the folder dist.
type release struct {
	source
	version, dist string
	// common are the files of every archive besides the binary.
	common []file
}

// marker is a file in a folder that a release may empty.
const marker = ".release"

// emptyFolder makes an empty folder. It removes one that an earlier release made, and no other.
func emptyFolder(dist string) error {
	list, err := os.ReadDir(dist)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := os.Stat(filepath.Join(dist, marker)); err != nil && len(list) > 0 {
		return fmt.Errorf("%s has files that are not of a release: name another folder with -o", dist)
	}
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, marker), nil, 0o644)
}
