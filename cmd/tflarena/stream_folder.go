package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

// manifestFile is the file of a folder of segments that lists how they run.
const manifestFile = "manifest.json"

// maxManifest is an upper bound of the size of a manifest in bytes.
const maxManifest = 64 << 20

// earlierSegments returns the files listed by the manifest in the folder of --segments, empty without a
// manifest. A manifest of another program is not replaced.
func earlierSegments(c *cli.Context) ([]string, error) {
	path := filepath.Join(c.String("segments"), manifestFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, plainError(err)
	}
	var data []byte
	if info.Mode().IsRegular() && info.Size() <= maxManifest {
		if data, err = os.ReadFile(path); err != nil {
			return nil, plainError(err)
		}
	}
	names, ok := results.ListedSegments(data)
	if !ok {
		return nil, usagef("--segments %s: the %s in it is not a manifest of segments of this version, and is not replaced: name another folder", c.String("segments"), manifestFile)
	}
	return names, nil
}

// writeSegments writes the segments and the manifest, all or none, and removes segments that an earlier
// manifest lists and the new one does not. Each segment has a unique name, and the manifest is renamed
// last, so that whenever the process ends there is an old manifest with its files or a new one. It
// waits for concurrent runs on the same folder, which might remove its files otherwise.
func (p *program) writeSegments(c *cli.Context, plan *litert.SegmentPlan, source *tflite.Model, specs []output.Spec) error {
	dir := c.String("segments")
	files, err := plan.Files()
	if err != nil {
		return named(plan.Model.Name, err)
	}
	manifest, err := p.json(results.NewManifest(plan, source, files))
	if err != nil {
		return err
	}
	var names []string
	var sources []output.Source
	for i, f := range files {
		names = append(names, f.Name)
		sources = append(sources, output.Source{Path: filepath.Join(dir, f.Name), Make: func() ([]byte, error) { return plan.Data(i) }})
	}
	sources = append(sources, output.Source{Path: filepath.Join(dir, manifestFile), Make: func() ([]byte, error) { return manifest, p.unchanged() }})
	if err := freeFromOthers(c, append(slices.Clone(names), manifestFile), specs); err != nil {
		return err
	}
	if err := p.unchanged(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return plainError(err)
	}
	unlock, err := output.LockFolder(p.ctx, dir)
	if p.ctx.Err() != nil {
		return named(dir, interruptedError{})
	}
	if err != nil {
		return plainError(err)
	}
	defer unlock()
	earlier, err := earlierSegments(c)
	if err != nil {
		return err
	}
	old := slices.DeleteFunc(earlier, func(name string) bool { return slices.Contains(names, name) })
	if err := freeFromOthers(c, old, specs); err != nil {
		return err
	}
	if err := p.writeSources(sources); err != nil {
		return err
	}
	return removeAll(dir, old)
}

// freeFromOthers returns an error if a file of the folder is the input or another output.
func freeFromOthers(c *cli.Context, names []string, specs []output.Spec) error {
	var others []string
	for _, s := range specs {
		others = append(others, "json="+s.Path)
	}
	for _, name := range names {
		path := filepath.Join(c.String("segments"), name)
		if _, err := output.ParseModel(append(others, "tflite="+path), []string{"tflite", "json"}, inputs(c), output.AnotherPath); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes the existing files of a folder.
func removeAll(dir string, names []string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plainError(err)
		}
	}
	return nil
}
