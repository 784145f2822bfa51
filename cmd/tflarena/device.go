package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/scratch"
	"github.com/tflarena/tflarena/internal/spelling"
	chips "github.com/tflarena/tflarena/internal/target"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// reference is the default of --kernels, and the --scratch of the counted kernels; [rules.NoScratch] and
// files are others.
const reference = notes.Reference

const targetFlag = "target"

const decompressionFlag = "decompression-memory"

// scratchFlags configure the scratch of kernels, and the device.
func scratchFlags() []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{
			Name: "scratch", Value: reference, Category: groupRules,
			Usage: "count scratch: a CSV `FILE`, " + marked([]string{reference, rules.NoScratch}, reference),
		},
	}, deviceFlags()...)
}

// isScratchWord reports whether --scratch is no file.
func isScratchWord(source string) bool {
	return source == rules.NoScratch || source == reference
}

// deviceFlags configure the device.
func deviceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: targetFlag, Category: groupRules, Usage: "count for `CHIP`: see 'tflarena targets'"},
		kernelsFlag(),
		&cli.StringFlag{Name: "abi", Value: rules.DefaultDevice().ABI.Name, Category: groupRules, Usage: "count the arena for `ABI`: " + marked(rules.ABIs(), rules.DefaultDevice().ABI.Name)},
		&cli.Int64Flag{
			Name: "pointer", Category: groupRules, DefaultText: "as the ABI has it", Hidden: true,
			Usage: "an older way to choose the ABI, by the `BYTES` of a pointer: 4 for " + rules.DefaultDevice().ABI.Name + ", 8 for host64",
		},
		&cli.IntFlag{
			Name: "resource-variables", Category: groupRules, DefaultText: "all", Hidden: true, // see 'help kernels'
			Usage: "count room for `N` resource variables",
		},
		&cli.StringFlag{
			Name: decompressionFlag, Category: groupRules, DefaultText: "none", Hidden: true,
			Usage: "let TFLM_DECODE decode into `SIZE` bytes outside the arena",
		},
	}
}

func kernelsFlag() cli.Flag {
	return &cli.StringFlag{Name: "kernels", Value: reference, Category: groupRules, Usage: "count for kernel library `NAME`"}
}

// A target is the device of a command line. Only commands with --kernels have another than the
// default.
type target struct {
	// device has the scratch of its kernels, or none; see [target.on].
	device rules.Device
	// scratch is the source of kernel scratch: a file or a word.
	scratch string
	// kernels are the kernels that the command line names, or "", and word and abi are its --kernels and
	// --abi. abiChosen reports that it chooses the ABI in some way.
	kernels, word, abi string
	abiChosen          bool
	// board is the chip, board or core of the command line or the project, zero without one. FromProject
	// reports that the project names it, and variables are those of the project if they count.
	board       results.Board
	chip        *chips.Target
	fromProject bool
	variables   *int
	project     *project
	// measurements is the file of the user's measurements of time, or "".
	measurements string
	// flags are the flags of the device as given, and room and scratchFlag those that are independent of
	// the kernels.
	flags, room, scratchFlag []string
}

// targetOf returns the first target of a model: see [program.targetsOf].
func (p *program) targetOf(c *cli.Context, model string) (target, error) {
	list, err := p.targetsOf(c, model)
	if err != nil {
		return target{}, err
	}
	return list[0], nil
}

// targetOfEach returns the first target of each model.
func (p *program) targetOfEach(c *cli.Context, models []string) (targets map[string]target, err error) {
	targets = map[string]target{}
	for _, m := range models {
		if targets[m], err = p.targetOf(c, m); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// targetsOf returns the target that the flags choose, or else those of the project file for a model.
func (p *program) targetsOf(c *cli.Context, model string) (list []target, err error) {
	s := p.project.file.For(model, "")
	names := s.Targets
	if names == nil || c.IsSet(targetFlag) || c.IsSet("kernels") || c.IsSet("abi") || c.IsSet("pointer") {
		names = []string{""}
	}
	for _, chip := range names {
		t, err := onTarget(c, &p.project, chip, s.ResourceVariables)
		if err != nil {
			return nil, err
		}
		if t.measurements = s.Calibrate; c.IsSet(calibrateFlag) {
			t.measurements = c.String(calibrateFlag)
			if t.measurements == "" {
				return nil, usagef("--%s: name a CSV file", calibrateFlag)
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// onTarget reads the flags of the device. Chip and variables are those of the project, "" and nil
// without any; flags override them.
func onTarget(c *cli.Context, x *project, chip string, variables *int) (t target, err error) {
	t = target{
		device: rules.DefaultDevice(), scratch: reference, project: x, fromProject: chip != "",
		flags: asked(c, append(namesOf(deviceFlags()), configFlag)...), room: asked(c, "resource-variables", decompressionFlag, configFlag), scratchFlag: asked(c, "scratch"),
	}
	if c.IsSet(targetFlag) {
		chip = c.String(targetFlag)
	}
	if c.IsSet("scratch") {
		t.scratch = c.String("scratch")
	}
	t.abiChosen = c.IsSet("abi") || c.IsSet("pointer")
	if c.String("kernels") == "" && !c.IsSet("kernels") {
		return t, nil // the command has no such flag
	}
	abi, library := rules.DefaultDevice().ABI.Name, c.String("kernels")
	if c.IsSet(targetFlag) || chip != "" {
		chip, err := chips.Lookup(chip)
		if err != nil {
			return t, usagef("--target: %v ('%s targets' lists all)", err, name)
		}
		t.chip, t.board, abi, t.abiChosen = chip, results.NewBoard(chip, c.IsSet("kernels") || c.IsSet("scratch")), chip.ABI.Name, true
		if !c.IsSet("kernels") && chip.Kernels != "" {
			library = chip.Kernels
		}
	}
	if c.IsSet("abi") {
		abi = c.String("abi")
		t.abi = abi
	}
	if c.IsSet("pointer") {
		byPointer, ok := map[int64]string{4: rules.DefaultDevice().ABI.Name, 8: "host64"}[c.Int64("pointer")]
		switch {
		case !ok:
			return t, usagef("--pointer %d: pointers have 4 or 8 bytes; use --abi instead", c.Int64("pointer"))
		case c.IsSet("abi") && abi != byPointer:
			return t, usagef("--pointer %d and --abi %s do not agree: leave --pointer out", c.Int64("pointer"), abi)
		}
		abi = byPointer
	}
	d, err := kernelDevice(c, library, abi, t.abiChosen)
	if err != nil {
		return t, err
	}
	if c.IsSet("kernels") || t.board.Name != "" && !d.IsReference() {
		t.kernels = d.Kernels
	}
	if c.IsSet("kernels") || c.IsSet(targetFlag) && !d.IsReference() {
		t.word = library
	}
	if c.IsSet("resource-variables") {
		if d.ResourceVariables = c.Int("resource-variables"); d.ResourceVariables < 0 || d.ResourceVariables > budget.MaxResourceVariables {
			return t, usagef("--resource-variables %d: use a number from 0 to %d", d.ResourceVariables, budget.MaxResourceVariables)
		}
	} else if variables != nil {
		d.ResourceVariables, t.variables = *variables, variables
	}
	if c.IsSet(decompressionFlag) {
		d.DecompressionMemory, err = sizeOf(c, decompressionFlag, 1)
	}
	if t.scratch == rules.NoScratch {
		d = d.WithoutScratch()
	}
	t.device = d
	return t, err
}

// anyKernels reports that the command line chooses neither kernels nor what depends on them.
func (t *target) anyKernels() bool {
	return t.kernels == "" && !t.abiChosen && t.scratch == reference
}

// on returns the device with the scratch that a file lists for a model's operators.
func (t *target) on(ctx context.Context, m *tflite.Model) (rules.Device, error) {
	d, source := t.device, t.scratch
	switch {
	case isScratchWord(source):
		return d, nil
	case rules.IsKernelLibrary(source):
		return d, usagef("--scratch %s: --kernels %s counts what these kernels ask for: leave --scratch out", source, source)
	case source == "":
		return d, usagef("--scratch: name a file, or say reference or none")
	}
	data, err := readFile(ctx, source, acceptText)
	if errors.Is(err, fs.ErrNotExist) {
		return d, fmt.Errorf("--scratch %s: %ssay %s, %s or the name of a CSV file: %w", source,
			spelling.Hint(source, []string{reference, rules.NoScratch}), reference, rules.NoScratch, fs.ErrNotExist)
	}
	if err != nil {
		return d, err
	}
	list, err := scratch.Parse(data, m)
	return d.WithScratch(source, scratch.Of(m, list)), named(source, err)
}

// arena returns the arena of an unmodified model, with its embedded plan.
func (t *target) arena(ctx context.Context, m *tflite.Model) (rules.Arena, error) {
	d, err := t.on(ctx, m)
	if err != nil {
		return rules.Arena{}, err
	}
	e, err := follow(ctx, d, m, t.kernels)
	if err != nil {
		return rules.Arena{}, err
	}
	return e.Outcome.Arena(d), nil
}

// kernelDevice returns the device of an ABI, or the usual device of the kernels without one. A file
// with their scratch stands in for a release that is not modelled. ChosenABI reports that the ABI is not the
// default.
func kernelDevice(c *cli.Context, library, abi string, chosenABI bool) (rules.Device, error) {
	if err := chosen("--abi", abi, rules.ABIs()); err != nil {
		return rules.Device{}, err
	}
	usual := rules.UsualDevice
	if c.IsSet("scratch") && !isScratchWord(c.String("scratch")) {
		usual = rules.UnmodelledDevice
	}
	d, err := usual(library)
	switch {
	case err != nil:
		return d, unknownKernels(library, err)
	case !d.IsReference() && c.IsSet("scratch") && c.String("scratch") == reference && !c.IsSet("kernels"):
		return d, usagef("--scratch %s counts for the reference kernels, and the target has others: leave --scratch out, or add --kernels %s", reference, reference)
	case !d.IsReference() && c.IsSet("scratch") && c.String("scratch") == reference:
		return d, usagef("--scratch %s counts for the reference kernels, and --kernels names others: leave one of them out", reference)
	case !chosenABI:
		return d, nil
	}
	built := d.ABI.Name
	if d, err = d.WithABI(abi); errors.Is(err, rules.ErrNoBuild) {
		return d, usagef("--kernels %s: %v: use --abi %s", library, err, built)
	}
	return d, err
}
