package main

import (
	"errors"

	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/tflite"
)

// readTimed reads a model, and measured times of its operators, if any.
func (p *program) readTimed(f *streamFlags) (*tflite.Model, error) {
	m, err := p.loadModel(f.file)
	if err != nil || f.times == "" {
		return m, err
	}
	data, err := readFile(p.ctx, f.times, acceptText)
	if err != nil {
		return nil, err
	}
	f.Rates.Compute, err = litert.ReadTimes(data, m)
	if err != nil {
		return nil, named(f.times, invalidError{err})
	}
	return m, nil
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
