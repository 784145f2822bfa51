package main

import (
	"github.com/urfave/cli/v2"
)

// replayFormats are the output formats of replay.
var replayFormats = append(withPictures("json", "csv"), htmlFormat)

const replayDescription = `Says how much memory a perfect layout would need for the blocks that a program requested, and compares that with what its allocator reserved. A TRACE is one of these files, and nothing in it is ever run:
  - a memory snapshot of PyTorch: the pickle that
    torch.cuda.memory._dump_snapshot() writes after
    torch.cuda.memory._record_memory_history()
  - JSON lines, {"event":"alloc","id":1,"size":4096,"stream":0,"time_us":12},
    with the events alloc, free, interrupt, resume and step
  - CSV with the columns event, id and size, and perhaps device, stream, pool,
    time_us and function

Devices are planned separately, and so are streams and private pools, whose memory nobody else may use. --together plans the streams and pools of a device as one, as if everything happened in the order of the trace. Sizes are rounded up to 512 bytes for PyTorch, and not at all for others, unless --align says otherwise. A trace may begin late, because a ring buffer forgets the oldest events: blocks from before the trace keep their bytes, and the report says how many bytes that is.

The memory that is wasted at the peak is charged to the functions that hold it. Each function is charged for the bytes that rounding adds to its sizes, and the free bytes of a segment are charged in equal parts to the blocks in use there.

With --iterations, replay plans one iteration and compares the others with it. An iteration ends at an optimizer step that the snapshot has as an annotation, at an event step, or where the sizes of the requests begin to repeat.

For one device, -o csv=PATH writes where each block lies, -o svg=PATH draws it, and -o html=PATH shows it in a browser.

Examples:
  tflarena replay snapshot.pickle
  tflarena replay snapshot.pickle --iterations -o svg=map.svg
  tflarena replay trace.csv --json
  tflarena replay --together --align 1 - < trace.jsonl`

func (p *program) replayCommand() *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "align", DefaultText: "the allocator's", Category: groupPlan, Usage: "round sizes up to multiples of `SIZE`, and place blocks there"},
		&cli.BoolFlag{Name: "together", Category: groupPlan, Usage: "plan all streams and pools of a device in one piece of memory"},
		&cli.BoolFlag{Name: "iterations", Category: groupPlan, Usage: "plan one iteration, and say for which others that plan is good"},
		&cli.IntFlag{Name: "device", Category: groupPlan, DefaultText: "all", Usage: "plan only device number `N`"},
		limitFlag("replay"),
	}
	return &cli.Command{
		Name: "replay", ArgsUsage: "TRACE|-",
		Usage:       "how little memory a recorded program needs",
		UsageText:   "tflarena replay [flags] TRACE|-",
		Description: replayDescription,
		Flags:       append(flags, outputFlags(replayFormats, topFlag(10), allFlag())...),
		Action:      p.replay,
	}
}

func (p *program) replay(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("replay takes one trace, not %d: name a snapshot of PyTorch, JSON lines or CSV, or - for standard input", c.NArg())
	}
	in, err := p.invocation(c, p.outputs(replayFormats, inputs(c)))
	if err != nil {
		return err
	}
	o, err := replayOptionsOf(c)
	if err != nil {
		return err
	}
	failed := func(err error) error { return p.replayFailed(c, in.specs, err) }
	t, err := p.loadTrace(p.ctx, c.Args().First())
	if err != nil {
		return failed(err)
	}
	r, err := p.replayed(c, t, o)
	if err != nil {
		return failed(err)
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		switch format {
		case jsonFormat:
			return p.traceDocument(c, []any{r.result})
		case "csv":
			return r.csv()
		case htmlFormat:
			report, err := r.report()
			if err != nil {
				return nil, err
			}
			return p.page([]any{report}, report.Input)
		}
		return r.picture(format)
	}, func() string { return r.result.Text(in.style) })
}
