package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/tflite"
)

// A loadedTrace is a trace with its name in messages.
type loadedTrace struct {
	*trace.File
	title string
}

// loadTrace reads a TRACE argument. A large file is mapped, not copied.
func (p *program) loadTrace(ctx context.Context, arg string) (*loadedTrace, error) {
	if arg == "" {
		return nil, errNoName
	}
	t := &loadedTrace{title: arg}
	var data []byte
	var err error
	if arg == stdinPath {
		t.title = stdinTitle
		data, err = await(ctx, func() ([]byte, error) { return tflite.ReadAll(p.stdin, -1, acceptTrace) })
		err = named(stdinTitle, plainError(err))
	} else {
		var info fs.FileInfo
		data, info, err = statAndRead(ctx, arg, acceptTrace)
		p.remember(arg, info, func() (fs.FileInfo, error) { return os.Stat(arg) })
	}
	if len(data) >= tflite.MapSize {
		debug.SetGCPercent(60) // less garbage than with Go's default of 100, in the same time
	}
	if err == nil {
		t.File, err = trace.Read(data, func(from, to int) { tflite.Release(data, from, to) })
		err = named(t.title, err)
	}
	return t, err
}

// acceptTrace rejects, by their beginning, long inputs that are no trace.
func acceptTrace(beginning []byte) error {
	if !trace.Looks(beginning) {
		return invalidError{errors.New("this is not a trace: it is neither a PyTorch snapshot, nor JSON lines, nor CSV with a column event")}
	}
	return nil
}

// replayFailed is [program.failed] for a trace.
func (p *program) replayFailed(c *cli.Context, specs []output.Spec, err error) error {
	document := func(traces []any) ([]byte, error) { return p.traceDocument(c, traces) }
	return p.failedIn(document, specs, c.Args().First(), err)
}

func (p *program) traceDocument(c *cli.Context, traces []any) ([]byte, error) {
	return p.json(results.NewTraceDocument(c.Command.Name, p.code == exitOK, traces))
}

// replayOptions are the flags of replay.
type replayOptions struct {
	granule              int64 // 0: the trace's own
	together, iterations bool
	device               int // -1: all
}

func replayOptionsOf(c *cli.Context) (o replayOptions, err error) {
	o = replayOptions{together: c.Bool("together"), iterations: c.Bool("iterations"), device: -1}
	if c.IsSet("align") {
		const most = 1 << 30
		if o.granule, err = sizeOf(c, "align", 1); err == nil && o.granule > most {
			err = usagef("--align %d: use at most %d", o.granule, most)
		}
	}
	if c.IsSet("device") {
		o.device = c.Int("device")
	}
	return o, err
}

// choose selects the requested devices of a trace.
func (t *loadedTrace) choose(o replayOptions) error {
	if o.device < 0 {
		return nil
	}
	var there []int
	for _, d := range t.Devices {
		if there = append(there, d.Index); d.Index == o.device {
			t.Devices = append(t.Devices[:0], d)
			return nil
		}
	}
	return usagef("--device %d: %s has %s", o.device, t.title, fmt.Sprint("devices ", there))
}
