package main

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

// readNetwork reads a model, or the two profiles of a network, and returns its name in messages and the
// assumptions about it.
func (p *program) readNetwork(ctx context.Context, f *streamFlags) (net *network.Network, title string, notes []results.Note, err error) {
	if f.profiles {
		net, err = p.readProfiles(f)
		return net, f.file, nil, err
	}
	_, m, notes, err := p.readTimed(ctx, f)
	if err != nil {
		return nil, "", nil, err
	}
	net, err = litert.Layers(m, f.Rates)
	if err != nil {
		return nil, "", nil, named(m.Name, invalidError{err})
	}
	return net, m.Name, append([]results.Note{streamNote}, notes...), nil
}

// readTimed reads a model, and measured times of its operators, if any, and slices its layers. Notes
// are on these.
func (p *program) readTimed(ctx context.Context, f *streamFlags) (source, m *tflite.Model, notes []results.Note, err error) {
	if source, err = p.loadModel(f.file); err != nil {
		return nil, nil, nil, err
	}
	if f.times != "" {
		data, err := readFile(p.ctx, f.times, acceptText)
		if err != nil {
			return nil, nil, nil, err
		}
		if f.Rates.Compute, err = litert.ReadTimes(data, source); err != nil {
			return nil, nil, nil, named(f.times, invalidError{err})
		}
	}
	if m, notes, err = f.SliceLayers(ctx, source); err != nil {
		return nil, nil, nil, p.streamError(ctx, named(source.Name, err))
	}
	return source, m, notes, nil
}

// readProfiles reads the memory profile and the time profile.
func (p *program) readProfiles(f *streamFlags) (*network.Network, error) {
	var files [2][]byte
	for i, path := range []string{f.file, f.times} {
		data, err := readFile(p.ctx, path, acceptText)
		if err != nil {
			return nil, err
		}
		files[i] = data
	}
	net, err := flexnn.ReadProfiles(files[0], files[1])
	if wrong := (*flexnn.Error)(nil); errors.As(err, &wrong) && wrong.File == flexnn.TimeProfile {
		return nil, named(f.times, invalidError{err})
	}
	if err != nil {
		return nil, named(f.file, invalidError{err})
	}
	return net, nil
}
