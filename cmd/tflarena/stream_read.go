package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/tflite"
)

// asksProfiles reports whether the input is a memory profile rather than a model.
func asksProfiles(c *cli.Context) bool { return isProblem(c.Args().First(), nil) }

// ratesOf reads the speed of the machine that runs a model. Profiles contain it.
func ratesOf(c *cli.Context) (r litert.Rates, err error) {
	measured := c.String("times") != ""
	if asksProfiles(c) {
		for _, flag := range []string{"macs-per-second", "bandwidth", "read-latency"} {
			if c.IsSet(flag) {
				return r, usagef("stream: --%s is for models, and for profiles --times has the times: leave it out", flag)
			}
		}
		if !measured {
			return r, usagef("stream: name the time profile with --times FILE")
		}
		return r, nil
	}
	switch {
	case !c.IsSet("bandwidth") || !measured && !c.IsSet("macs-per-second"):
		return r, usagef("stream: a model needs --bandwidth SIZE, and --macs-per-second N or --times FILE")
	case measured && c.IsSet("macs-per-second"):
		return r, usagef("stream: --times has what --macs-per-second would estimate: leave one out")
	}
	bytes, err := sizeOf(c, "bandwidth", 1)
	if err != nil {
		return r, err
	}
	r = litert.Rates{Bytes: float64(bytes), Read: c.Duration("read-latency")}
	if !measured {
		text := c.String("macs-per-second")
		if r.MACs, err = units.ParseNumber(text); err != nil {
			return r, usagef("--macs-per-second: %v", err)
		}
		if r.MACs == 0 {
			return r, usagef("--macs-per-second %s: use a number above zero, such as 30e9", text)
		}
	}
	if r.Read < 0 {
		return r, usagef("--read-latency %s: use a time of at least zero, such as 100us", r.Read)
	}
	return r, nil
}

// streamNote lists the unknowns of a model.
var streamNote = results.Note{
	Kind: results.NoteEstimated,
	Text: "times are estimated from multiply-accumulates and bytes, and memory that kernels need in addition to tensors is not counted; --times reads measured times",
}

// readNetwork reads a model, or the two profiles of a network, and returns its name in messages.
func (p *program) readNetwork(ctx context.Context, c *cli.Context, q *streamQuestion) (net *network.Network, title string, err error) {
	if asksProfiles(c) {
		net, err = p.readProfiles(c)
		return net, c.Args().First(), err
	}
	m, err := p.readTimed(c, q)
	if err != nil {
		return nil, "", err
	}
	if m, err = q.cut(ctx, m); err != nil {
		return nil, "", p.streamError(ctx, c, err)
	}
	net, err = litert.Layers(m, q.rates)
	if err != nil {
		return nil, "", named(m.Name, invalidError{err})
	}
	return net, m.Name, nil
}

// readTimed reads a model, and measured times of its operators, if any.
func (p *program) readTimed(c *cli.Context, q *streamQuestion) (*tflite.Model, error) {
	m, err := p.loadModel(c.Args().First())
	if err != nil {
		return nil, err
	}
	if path := c.String("times"); path != "" {
		data, err := readFile(p.ctx, path, acceptText)
		if err != nil {
			return nil, err
		}
		if q.rates.Compute, err = litert.ReadTimes(data, m); err != nil {
			return nil, named(path, invalidError{err})
		}
	}
	return m, nil
}

// cut slices the layers of a model that exceed --slice.
func (q *streamQuestion) cut(ctx context.Context, m *tflite.Model) (*tflite.Model, error) {
	if q.slice == 0 {
		return m, nil
	}
	sliced, done, err := litert.Slice(ctx, m, q.slice, &q.rates)
	q.sliced = done
	return sliced, named(m.Name, err)
}

// notes returns the assumptions of the plan of a model.
func (q *streamQuestion) notes() []results.Note {
	list := []results.Note{streamNote}
	if q.slice == 0 {
		return list
	}
	text := fmt.Sprintf("layers cut by output channels: %d, into %d slices", q.sliced.Cut, q.sliced.Pieces)
	if q.sliced.Whole > 0 {
		text += fmt.Sprintf("; %d larger ones cannot be cut", q.sliced.Whole)
	}
	return append(list, results.Note{Kind: results.NoteSliced, Text: text})
}

// readProfiles reads the memory profile and the time profile.
func (p *program) readProfiles(c *cli.Context) (*network.Network, error) {
	var files [2][]byte
	for i, path := range []string{c.Args().First(), c.String("times")} {
		data, err := readFile(p.ctx, path, acceptText)
		if err != nil {
			return nil, err
		}
		files[i] = data
	}
	net, err := flexnn.ReadProfiles(files[0], files[1])
	if wrong := (*flexnn.Error)(nil); errors.As(err, &wrong) && wrong.File == flexnn.TimeProfile {
		return nil, named(c.String("times"), invalidError{err})
	}
	if err != nil {
		return nil, named(c.Args().First(), invalidError{err})
	}
	return net, nil
}
