package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/export"
	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/shell"
	"github.com/tflarena/tflarena/tflite"
)

// replayFormats are the output formats of replay.
var replayFormats = append(withPictures("json", "csv"), htmlFormat)

const replayDescription = `Computes the memory of a perfect layout of the blocks that a program requested, and compares it with what its allocator reserved. A TRACE is one of these files; no code in it is run:
  - a memory snapshot of PyTorch: the pickle that
    torch.cuda.memory._dump_snapshot() writes after
    torch.cuda.memory._record_memory_history()
  - JSON lines, {"event":"alloc","id":1,"size":4096,"stream":0,"time_us":12},
    with the events alloc, free, interrupt, resume and step
  - CSV with the columns event, id and size, and perhaps device, stream, pool,
    time_us and function

Devices are planned separately, and so are streams and private pools, whose memory nobody else may use. --together plans the streams and pools of a device as one, as if everything happened in the order of the trace. Sizes are rounded up to 512 bytes for PyTorch, and not at all for others, unless --align says otherwise. A trace may begin late, because a ring buffer drops the oldest events: blocks from before the trace keep their bytes, and the report counts them.

Memory wasted at the peak is charged to the functions that hold it: the bytes that rounding adds to their sizes, and an equal share of the free bytes of each segment for each of their blocks there.

With --iterations, replay plans one iteration and compares the others with it. An iteration ends at an optimizer step that the snapshot has as an annotation, at an event step, or where the sizes of the requests begin to repeat.

For one device, -o csv=PATH writes the place of each block, -o svg=PATH draws them, and -o html=PATH shows them in a browser. The CSV is a problem with fixed offsets, which 'tflarena plan' reads.

Examples:
  tflarena replay snapshot.pickle
  tflarena replay snapshot.pickle --iterations -o svg=map.svg
  tflarena replay trace.csv --json
  tflarena replay --together --align 1 - < trace.jsonl`

func (p *program) replayCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "align", DefaultText: "the allocator's", Category: groupPlan, Usage: "round sizes up to multiples of `SIZE`, and place blocks there"},
		&cli.BoolFlag{Name: "together", Category: groupPlan, Usage: "plan all streams and pools of a device together"},
		&cli.BoolFlag{Name: "iterations", Category: groupPlan, Usage: "plan one iteration, and list the others that it fits"},
		strategyFlag(),
		&cli.IntFlag{Name: "device", Category: groupPlan, DefaultText: "all", Usage: "plan only device number `N`"},
		limitFlag("replay"),
	}
	return &cli.Command{
		Name: "replay", ArgsUsage: "TRACE|-",
		Usage:       "find the least memory that a recorded program could run in",
		UsageText:   "tflarena replay [flags] TRACE|-",
		Description: replayDescription,
		Flags:       append(flags, outputFlags(replayFormats, topFlag(10), allFlag())...),
		Action:      p.replay,
	}
}

// replayFlags are the options of "replay".
type replayFlags struct {
	app.ReplayOptions
	device int // -1: all
	// again are the flags that give the same plan.
	again []string
}

func (p *program) replayFlags(c *cli.Context) (f *replayFlags, in *invocation, err error) {
	if c.NArg() != 1 {
		return nil, nil, usagef("replay takes one trace, not %d: name a snapshot of PyTorch, JSON lines or CSV, or - for standard input", c.NArg())
	}
	if in, err = p.invocation(c, p.outputs(replayFormats)); err != nil {
		return nil, nil, err
	}
	f = &replayFlags{ReplayOptions: app.ReplayOptions{Iterations: c.Bool("iterations")}, device: -1, again: again(c, timeLimitFlag)}
	f.Together, f.Solve = c.Bool("together"), alloc.Options{Strategy: c.String("strategy")}
	if err = chosen("--strategy", f.Solve.Strategy, strategyNames(alloc.Offsets)); err != nil {
		return nil, nil, err
	}
	if f.Solve.Strategy == alloc.Auto {
		f.Solve.SearchTime = p.limit.search()
	}
	if c.IsSet("align") {
		const most = 1 << 30
		if f.Granule, err = sizeOf(c, "align", 1); err == nil && f.Granule > most {
			err = usagef("--align %d: use at most %d", f.Granule, most)
		}
	}
	if c.IsSet("device") {
		f.device = c.Int("device")
	}
	return f, in, err
}

func (p *program) replay(c *cli.Context) error {
	f, in, err := p.replayFlags(c)
	if err != nil {
		return err
	}
	pictured := slices.ContainsFunc(in.specs, func(s output.Spec) bool { return s.Format == htmlFormat })
	document := func(traces []any) ([]byte, error) {
		return p.json(results.NewTraceDocument(in.command, p.code == exitOK, traces))
	}
	r, err := p.replayed(f, in.file)
	if err != nil {
		return p.failedIn(document, in.specs, in.file, err)
	}
	switch {
	case r.Repeats && !f.Iterations:
		r.Next = shell.Command("replay", in.file, append(f.again, "--iterations")...)
	case len(r.Devices) == 1 && !pictured:
		r.Next = shell.Command("replay", in.file, append(f.again, "-o", shell.Stem(in.file)+"."+htmlFormat)...)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		switch format {
		case jsonFormat:
			return document([]any{r.Replay})
		case "csv":
			return replayCSV(r)
		}
		drawn, err := drawnReplay(r)
		if err != nil {
			return nil, err
		}
		if format == htmlFormat {
			return p.page([]any{replayReport(drawn)}, drawn.Name)
		}
		var b bytes.Buffer
		err = export.Write(&b, format, drawn)
		return b.Bytes(), err
	}, func() string { return r.Text(in.style) })
}

// replayed plans the chosen devices of a trace.
func (p *program) replayed(f *replayFlags, arg string) (*app.Replayed, error) {
	t, title, err := p.loadTrace(arg)
	if err != nil {
		return nil, err
	}
	if f.device >= 0 {
		var there []int
		for _, d := range t.Devices {
			there = append(there, d.Index)
		}
		i := slices.Index(there, f.device)
		if i < 0 {
			return nil, usagef("--device %d: %s has %s", f.device, title, fmt.Sprint("devices ", there))
		}
		t.Devices = t.Devices[i : i+1]
	}
	ctx, cancel := p.limit.within(p.ctx, 0)
	defer cancel()
	stop := p.showProgress(&f.Solve)
	r, err := app.Replay(ctx, title, t, f.ReplayOptions)
	stop()
	if err != nil {
		return nil, named(title, p.solveError(nil, err))
	}
	p.warn(title, r.Warnings)
	p.noteTime(title, r.Interrupted())
	return r, nil
}

// loadTrace reads a TRACE argument, and returns its name in messages. A large file is mapped, not
// copied.
func (p *program) loadTrace(arg string) (t *trace.File, title string, err error) {
	if arg == "" {
		return nil, arg, errNoName
	}
	title = arg
	var data []byte
	if arg == stdinPath {
		title = stdinTitle
		data, err = await(p.ctx, func() ([]byte, error) { return tflite.ReadAll(p.stdin, -1, acceptTrace) })
		err = named(stdinTitle, plainError(err))
	} else {
		var info fs.FileInfo
		data, info, err = statAndRead(p.ctx, arg, acceptTrace)
		p.remember(arg, info, func() (fs.FileInfo, error) { return os.Stat(arg) })
	}
	if len(data) >= tflite.MapSize {
		debug.SetGCPercent(60) // less garbage than with Go's default of 100, in the same time
	}
	if err != nil {
		return nil, title, err
	}
	t, err = trace.Read(data, func(from, to int) { tflite.Release(data, from, to) })
	return t, title, named(title, err)
}

// acceptTrace rejects, by their beginning, long inputs that are no trace.
func acceptTrace(beginning []byte) error {
	if !trace.Looks(beginning) {
		return invalidError{errors.New("this is not a trace: it is neither a PyTorch snapshot, nor JSON lines, nor CSV with a column event")}
	}
	return nil
}
