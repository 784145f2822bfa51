package main

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay/chainer"
	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/spelling"
)

const traceDescription = `Writes the memory requests of a network of Sekiyama et al. 2018 in the order in which Chainer 3 makes them, as a CSV trace that 'tflarena replay' reads. The traces of the paper are not published; these are rebuilt from the networks: the output of each function, a workspace of 8 MiB for each convolution while it runs, gradients and masks. Parameters are left out. Chainer rounds sizes up to multiples of 512 bytes: replay the trace with --align 512.

seq2seq translates sentences; all other networks read pictures. With --words 5-50, each mini-batch has random lengths of 5 to 50 words in either language, always the same.

Examples:
  tflarena models trace alexnet --inference -o alexnet.csv
  tflarena models trace resnet50 --batch 64 -o - | tflarena replay --align 512 -
  tflarena models trace seq2seq --words 5-50 --batches 100 -o seq2seq.csv`

// Defaults of "models trace".
const (
	trainingBatch  = 32
	inferenceBatch = 1
	usualWords     = "50"
)

func (p *program) modelsTraceCommand() *cli.Command {
	return &cli.Command{
		Name: "trace", ArgsUsage: "NAME", Usage: "write the memory requests of a network as a trace",
		UsageText: "tflarena models trace NAME -o FILE [flags]", Description: traceDescription,
		Flags: []cli.Flag{
			outputFlag("write to `FILE`; - is standard output"),
			&cli.BoolFlag{Name: "inference", Category: groupOutput, Usage: "record the forward pass alone, not training"},
			&cli.Int64Flag{Name: "batch", Category: groupOutput, DefaultText: strconv.Itoa(trainingBatch) + ", or " + strconv.Itoa(inferenceBatch) + " with --inference", Usage: "use mini-batches of `N` pictures or sentences"},
			&cli.IntFlag{Name: "batches", Value: 1, Category: groupOutput, Usage: "record `N` mini-batches"},
			&cli.StringFlag{Name: "words", DefaultText: usualWords, Category: groupOutput, Usage: "use sentences of `N` words, or of random lengths, such as 5-50; for seq2seq"},
			quietFlag(),
		},
		Action: p.modelsTrace,
	}
}

// tracedNames returns the names of the networks with traces.
func tracedNames() (names []string) {
	for _, n := range chainer.Networks() {
		names = append(names, n.Name)
	}
	return names
}

// traceFlags are the options of "models trace".
type traceFlags struct {
	chainer.Options
	network chainer.Network
	file    string
}

func (p *program) traceFlags(c *cli.Context) (f *traceFlags, err error) {
	if c.NArg() != 1 {
		return nil, usagef("models trace: name one network: %s", spelling.List(tracedNames(), "or"))
	}
	f = &traceFlags{Options: chainer.Options{Batch: trainingBatch, Training: !c.Bool("inference"), Batches: c.Int("batches")}}
	if f.file, err = p.onlyOutput(c, "models trace", "csv"); err != nil {
		return nil, err
	}
	network := c.Args().First()
	at := slices.Index(tracedNames(), network)
	if at < 0 {
		return nil, usagef("models trace: no trace of %q: %sthere are traces of %s", network, spelling.Hint(network, tracedNames()), spelling.List(tracedNames(), "and"))
	}
	f.network = chainer.Networks()[at]
	switch {
	case c.IsSet("batch"):
		f.Batch = c.Int64("batch")
	case !f.Training:
		f.Batch = inferenceBatch
	}
	words := c.String("words")
	if words == "" && f.network.Translator {
		words = usualWords
	}
	if words != "" {
		if f.LeastWords, f.MostWords, err = wordsOf(words); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// wordsOf reads N or FROM-TO.
func wordsOf(text string) (least, most int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	least, err = strconv.Atoi(from)
	if err == nil {
		most, err = strconv.Atoi(to)
	}
	if err != nil {
		return 0, 0, usagef("--words %s: use a number of words, such as 50, or a range, such as 5-50", text)
	}
	return least, most, nil
}

func (p *program) modelsTrace(c *cli.Context) error {
	f, err := p.traceFlags(c)
	if err != nil {
		return err
	}
	recorded, err := f.network.Trace(f.Options)
	if err != nil {
		return usagef("models trace: %v", err)
	}
	var b bytes.Buffer
	if err := trace.WriteCSV(&b, recorded); err != nil {
		return err
	}
	return p.writeNetwork(c, f.file, b.Bytes(), "replay", "--align", "512")
}
