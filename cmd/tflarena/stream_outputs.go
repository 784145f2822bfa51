package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
)

// flexnnFormat is a folder with the three input files of FlexNN's runtime.
const flexnnFormat = "flexnn"

// The names of the three files, which are also formats once the folder is known.
const (
	mallocFile     = "malloc.txt"
	dependencyFile = "dependency.txt"
	layoutFile     = "layout.csv"
)

// emitStream writes a plan, or that there is none.
func (p *program) emitStream(c *cli.Context, specs []output.Spec, net *network.Network, plan *stream.Plan, r *results.Stream, style results.Style) error {
	specs, err := (&invocation{specs: specs, inputs: inputs(c)}).folderOutputs(flexnnFormat, mallocFile, dependencyFile, layoutFile)
	if err != nil {
		return err
	}
	return p.emit(specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		switch format {
		case "csv":
			return export.CSV(net, plan), nil
		case htmlFormat:
			return p.page([]any{r.Report()}, r.Input)
		case "c":
			return export.C(net, plan, c.Args().First()), nil
		case mallocFile:
			return flexnn.Write(net, plan.Placement).Malloc, nil
		case dependencyFile:
			return flexnn.Write(net, plan.Placement).Dependency, nil
		case layoutFile:
			return flexnn.Write(net, plan.Placement).Layout, nil
		}
		return p.document(c.Command.Name, []any{r})
	}, func() string { return r.Text(style) })
}

// folderOutputs replaces a folder format by the files of the folder, and creates it. Their names become
// formats.
func (in *invocation) folderOutputs(folder string, files ...string) ([]output.Spec, error) {
	var all []output.Spec
	for _, s := range in.specs {
		if s.Format != folder {
			all = append(all, s)
			continue
		}
		if output.IsStream(s.Path) {
			return nil, usagef("-o %s=%s: name a folder, which gets the files %s", folder, s.Path, spelling.List(files, "and"))
		}
		var texts []string
		for _, file := range files {
			texts = append(texts, filepath.Join(s.Path, file))
		}
		if err := os.MkdirAll(s.Path, 0o777); err != nil {
			return nil, plainError(err)
		}
		for _, path := range texts {
			one, err := output.ParseModel([]string{path}, []string{filepath.Base(path)}, in.inputs, output.AnotherPath)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
	}
	return all, nil
}
