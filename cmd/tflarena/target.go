package main

import (
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// referenceKernels is the library that figures are for where --kernels names none.
const referenceKernels = remarks.Reference

const decompressionFlag = "decompression-memory"

// targetFlags say what the runtime is built for.
func targetFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kernels", Value: referenceKernels, Category: groupRules, Usage: "count for kernel library `NAME`"},
		&cli.StringFlag{Name: "abi", Value: rules.DefaultTarget().ABI, Category: groupRules, Usage: "count the arena for `ABI`: " + marked(rules.ABIs(), rules.DefaultTarget().ABI)},
		&cli.Int64Flag{
			Name: "pointer", Category: groupRules, DefaultText: "as the ABI has it", Hidden: true,
			Usage: "an older way to choose the ABI, by the `BYTES` of a pointer: 4 for " + rules.DefaultTarget().ABI + ", 8 for host64",
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

// target returns what the runtime is built for.
func target(c *cli.Context) (rules.Target, error) {
	name := c.String("abi")
	if c.IsSet("pointer") {
		byPointer, ok := map[int64]string{4: rules.DefaultTarget().ABI, 8: "host64"}[c.Int64("pointer")]
		switch {
		case !ok:
			return rules.Target{}, usagef("--pointer %d: pointers have 4 or 8 bytes; --abi names the target", c.Int64("pointer"))
		case c.IsSet("abi") && name != byPointer:
			return rules.Target{}, usagef("--pointer %d and --abi %s do not agree: leave --pointer out", c.Int64("pointer"), name)
		}
		name = byPointer
	}
	t, err := kernelTarget(c, name)
	if err != nil {
		return t, err
	}
	if c.IsSet("resource-variables") {
		const most = 1 << 20
		if t.ResourceVariables = c.Int("resource-variables"); t.ResourceVariables < 0 || t.ResourceVariables > most {
			return t, usagef("--resource-variables %d: use a number from 0 to %d", t.ResourceVariables, most)
		}
	}
	if c.IsSet(decompressionFlag) {
		t.DecompressionMemory, err = sizeOf(c, decompressionFlag, 1)
	}
	return t, err
}

// decompressionOf returns the decompression memory of the command line in bytes; [target] says what is wrong with it.
func decompressionOf(c *cli.Context) int64 {
	n, _ := units.Parse(c.String(decompressionFlag))
	return max(n, 0)
}

// kernelTarget returns the target of an ABI, or that for which the kernels are built where the
// command line names none.
func kernelTarget(c *cli.Context, abi string) (rules.Target, error) {
	if err := chosen("--abi", abi, rules.ABIs()); err != nil {
		return rules.Target{}, err
	}
	library, release := c.String("kernels"), ""
	if unmodelled(c) {
		library, release, _ = strings.Cut(library, "@")
	}
	t, err := modelledTarget(c, abi, library)
	if err == nil && release != "" {
		t = t.Unmodelled(release)
	}
	return t, err
}

// modelledTarget is kernelTarget for a library in a release that is modelled.
func modelledTarget(c *cli.Context, abi, library string) (rules.Target, error) {
	if err := knownKernels(library); err != nil {
		return rules.Target{}, err
	}
	if library != referenceKernels && c.IsSet("scratch") && c.String("scratch") == scratchReference {
		return rules.Target{}, usagef("--scratch %s counts for the reference kernels, and --kernels names others: leave one of them out", scratchReference)
	}
	usual, err := rules.UsualTarget(library)
	if err != nil || !c.IsSet("abi") && !c.IsSet("pointer") {
		return usual, err
	}
	t, err := rules.LookupTarget(abi)
	if err != nil {
		return t, err
	}
	if t, err = t.WithKernels(library); errors.Is(err, rules.ErrNoBuild) {
		return t, usagef("--kernels %s: %v: use --abi %s", library, err, usual.ABI)
	}
	return t, err
}
