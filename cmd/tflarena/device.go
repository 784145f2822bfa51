package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// referenceKernels is the default of --kernels.
const referenceKernels = remarks.Reference

const decompressionFlag = "decompression-memory"

// deviceFlags configure the device.
func deviceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kernels", Value: referenceKernels, Category: groupRules, Usage: "count for kernel library `NAME`"},
		&cli.StringFlag{Name: "abi", Value: rules.DefaultDevice().ABI.Name, Category: groupRules, Usage: "count the arena for `ABI`: " + marked(rules.ABIs(), rules.DefaultDevice().ABI.Name)},
		&cli.Int64Flag{
			Name: "pointer", Category: groupRules, DefaultText: "as the ABI has it", Hidden: true,
			Usage: "an older way to choose the ABI, by the `BYTES` of a pointer: 4 for " + rules.DefaultDevice().ABI.Name + ", 8 for host64",
		},
		&cli.IntFlag{
			Name: "resource-variables", Category: groupRules, DefaultText: "all",
			Usage: "count room for `N` resource variables",
		},
		&cli.StringFlag{
			Name: decompressionFlag, Category: groupRules, DefaultText: "none", Hidden: true,
			Usage: "let TFLM_DECODE decode into `SIZE` bytes outside the arena",
		},
	}
}

// deviceOf returns the device of the command line. Without a model, its scratch is the kernels' or
// none; see [deviceFor]. A command without the flags has the default device.
func deviceOf(c *cli.Context) (rules.Device, error) {
	name := c.String("abi")
	if name == "" && !c.IsSet("abi") {
		return rules.DefaultDevice(), nil
	}
	if c.IsSet("pointer") {
		byPointer, ok := map[int64]string{4: rules.DefaultDevice().ABI.Name, 8: "host64"}[c.Int64("pointer")]
		switch {
		case !ok:
			return rules.Device{}, usagef("--pointer %d: pointers have 4 or 8 bytes; use --abi instead", c.Int64("pointer"))
		case c.IsSet("abi") && name != byPointer:
			return rules.Device{}, usagef("--pointer %d and --abi %s do not agree: leave --pointer out", c.Int64("pointer"), name)
		}
		name = byPointer
	}
	d, err := kernelDevice(c, name)
	if err != nil {
		return d, err
	}
	if c.IsSet("resource-variables") {
		const most = 1 << 20
		if d.ResourceVariables = c.Int("resource-variables"); d.ResourceVariables < 0 || d.ResourceVariables > most {
			return d, usagef("--resource-variables %d: use a number from 0 to %d", d.ResourceVariables, most)
		}
	}
	if c.IsSet(decompressionFlag) {
		d.DecompressionMemory, err = sizeOf(c, decompressionFlag, 1)
	}
	if c.String("scratch") == rules.NoScratch {
		d = d.WithoutScratch()
	}
	return d, err
}

// deviceFor returns the device of the command line with the scratch that a file lists for a model's
// operators.
func deviceFor(c *cli.Context, m *tflite.Model) (rules.Device, error) {
	d, err := deviceOf(c)
	source := c.String("scratch")
	switch {
	case err != nil || !c.IsSet("scratch") || isScratchWord(source):
		return d, err
	case rules.IsKernelLibrary(source):
		return d, usagef("--scratch %s: --kernels %s counts what these kernels ask for: leave --scratch out", source, source)
	case source == "":
		return d, usagef("--scratch: name a file, or say reference or none")
	}
	data, err := readFile(c.Context, source, acceptText)
	if errors.Is(err, fs.ErrNotExist) {
		return d, fmt.Errorf("--scratch %s: %ssay %s, %s or the name of a CSV file: %w", source,
			spelling.Hint(source, []string{scratchReference, rules.NoScratch}), scratchReference, rules.NoScratch, fs.ErrNotExist)
	}
	if err != nil {
		return d, err
	}
	list, err := scratch.Parse(data, m)
	return d.WithScratch(source, scratch.Of(m, list)), named(source, err)
}

// kernelDevice returns the device of an ABI, or the usual device of the kernels without one. A file
// with their scratch stands in for a release that is not modelled.
func kernelDevice(c *cli.Context, abi string) (rules.Device, error) {
	if err := chosen("--abi", abi, rules.ABIs()); err != nil {
		return rules.Device{}, err
	}
	library, listed := c.String("kernels"), c.IsSet("scratch") && !isScratchWord(c.String("scratch"))
	d, err := rules.UsualDevice(library)
	if unknown := (*rules.UnknownRelease)(nil); errors.As(err, &unknown) && unknown.Version != "" && len(unknown.Known) > 0 && listed {
		if d, err = rules.UsualDevice(unknown.Base); err == nil {
			d = d.Unmodelled(unknown.Version)
		}
	}
	switch {
	case err != nil:
		return d, unknownKernels(library, err)
	case !d.IsReference() && c.IsSet("scratch") && c.String("scratch") == scratchReference:
		return d, usagef("--scratch %s counts for the reference kernels, and --kernels names others: leave one of them out", scratchReference)
	case !c.IsSet("abi") && !c.IsSet("pointer"):
		return d, nil
	}
	usual := d.ABI.Name
	if d, err = d.WithABI(abi); errors.Is(err, rules.ErrNoBuild) {
		return d, usagef("--kernels %s: %v: use --abi %s", library, err, usual)
	}
	return d, err
}
