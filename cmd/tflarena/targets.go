package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/tables"
	chips "github.com/tflarena/tflarena/internal/target"
)

const targetsDescription = `Lists chips, boards and cores with the ABI, the kernel library of the usual build and the largest SRAM region of each; JSON has all regions. 'check --target NAME' and other commands count for that ABI and these kernels, unless flags name others. check, analyze and fit compare the required arena with the SRAM if there is no budget. Kernels that are not modelled get the verdict NOT KNOWN.

Arguments select the names that contain one of them.

Examples:
  tflarena targets
  tflarena targets esp32 pico
  tflarena check model.tflite --target esp32-s3`

func (p *program) targetsCommand() *cli.Command {
	return &cli.Command{
		Name: "targets", ArgsUsage: "[WORD...]",
		Usage:       "list chips and boards with kernels and SRAM",
		UsageText:   "tflarena targets [flags] [WORD...]",
		Description: targetsDescription,
		Flags:       outputFlags(listFormats),
		Action:      p.targets,
	}
}

func (p *program) targets(c *cli.Context) error {
	in, err := p.invocation(c, p.outputs(listFormats))
	if err != nil {
		return err
	}
	words, list := c.Args().Slice(), []any{}
	t := &tables.Table{Columns: []tables.Column{
		{Head: "target", Key: "name"}, {Head: "core", Key: "core", Rank: 1}, {Head: "kernels", Key: "kernels"}, {Head: "ABI", Key: "abi", Rank: 2}, {Head: "SRAM", Key: "sram_bytes", Kind: tables.Bytes}, {Head: "source", Key: "source", Rank: 4},
	}}
	for _, chip := range chips.List() {
		if len(words) > 0 && !containsAny(chip.Name, words) {
			continue
		}
		list = append(list, results.NewTarget(chip))
		kernels := chip.Kernels
		if kernels == "" {
			kernels = "not modelled"
		}
		sram := any("-")
		if r, ok := chip.SRAM(); ok {
			sram = r.Bytes
		}
		t.Add(chip.Name, chip.Core, kernels, chip.ABI.Name, sram, chip.Source)
	}
	if len(list) == 0 {
		return usagef("targets: no name contains %s", strings.Join(words, " or "))
	}
	return in.list("targets", t, list, "")
}

// targetNames returns the names that --target takes.
func targetNames() (names []string) {
	for _, t := range chips.List() {
		names = append(names, t.Name)
	}
	return names
}

// containsAny reports whether a text contains one of the words.
func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, strings.ToLower(w)) {
			return true
		}
	}
	return false
}
