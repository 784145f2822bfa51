package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/rewrite/segment"
	"github.com/tflarena/tflarena/tflite"
)

// streamSegments cuts a model into segments, plans them and writes them.
func (in *invocation) streamSegments(ctx context.Context, f *streamFlags) error {
	p := in.p
	if _, err := earlierSegments(f.segments); err != nil {
		return err // before a long search
	}
	m, err := p.readTimed(f)
	if err != nil {
		return err
	}
	list, err := p.streamPlans(ctx, f, func(ctx context.Context, o app.StreamOptions) (*app.Streamed, error) {
		return app.StreamSegments(ctx, m, f.times, f.delegate, o)
	})
	if errors.Is(err, segment.ErrModel) || errors.Is(err, litert.ErrSize) || errors.Is(err, litert.ErrRates) {
		return named(m.Name, invalidError{err})
	}
	if err != nil {
		return named(m.Name, p.streamError(ctx, err))
	}
	if list[0].Plan != nil {
		var plans []*litert.SegmentPlan
		for _, r := range list {
			r.Manifest = filepath.Join(f.segments, manifestFile)
			plans = append(plans, r.Files)
		}
		if err := in.writeSegments(f.segments, plans, m); errors.Is(err, segment.ErrModel) {
			return named(m.Name, invalidError{err})
		} else if err != nil {
			return err
		}
	}
	f.nextBudget(list)
	return in.emitStream(ctx, list)
}

// manifestFile is the file of a folder of segments that lists how they run.
const manifestFile = "manifest.json"

// maxManifest is an upper bound of the size of a manifest in bytes.
const maxManifest = 64 << 20

// earlierSegments returns the files listed by the manifest in a folder, empty without a
// manifest. A manifest of another program is not replaced.
func earlierSegments(dir string) ([]string, error) {
	path := filepath.Join(dir, manifestFile)
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
		return nil, usagef("--segments %s: the %s in it is not a manifest of segments of this version, and is not replaced: name another folder", dir, manifestFile)
	}
	return names, nil
}

// writeSegments writes the segments, which are the same in all plans, and the manifest, all or none, and removes segments that an earlier
// manifest lists and the new one does not. Each segment has a unique name, and the manifest is renamed
// last, so that whenever the process ends there is an old manifest with its files or a new one. It
// waits for concurrent runs on the same folder, which might remove its files otherwise.
func (in *invocation) writeSegments(dir string, plans []*litert.SegmentPlan, source *tflite.Model) error {
	p, plan := in.p, plans[0]
	files, err := plan.Files()
	if err != nil {
		return named(plan.Model.Name, err)
	}
	manifest, err := p.json(results.NewManifest(plans, source, files))
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
	if err := in.freeFromOthers(dir, append(slices.Clone(names), manifestFile)); err != nil {
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
	earlier, err := earlierSegments(dir)
	if err != nil {
		return err
	}
	old := slices.DeleteFunc(earlier, func(name string) bool { return slices.Contains(names, name) })
	if err := in.freeFromOthers(dir, old); err != nil {
		return err
	}
	if err := p.writeSources(sources); err != nil {
		return err
	}
	return removeAll(dir, old)
}

// freeFromOthers returns an error if a file of the folder is the input or another output.
func (in *invocation) freeFromOthers(dir string, names []string) error {
	var others []string
	for _, s := range in.specs {
		others = append(others, "json="+s.Path)
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if _, err := output.ParseModel(append(others, "tflite="+path), []string{"tflite", "json"}, in.inputs, output.AnotherPath); err != nil {
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
