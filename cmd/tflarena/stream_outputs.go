package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
)

// weightsFormat is the storage of the weights in a table for firmware.
const weightsFormat = "weights"

// flexnnFormat is a folder with the profiles that FlexNN's planner reads, and the three input files of its runtime.
const flexnnFormat = "flexnn"

// The names of the files in that folder, which are also formats once the folder is known.
const (
	memoryProfileFile = "memprof.csv"
	timeProfileFile   = "timeprof.csv"
	mallocFile        = "malloc.txt"
	dependencyFile    = "dependency.txt"
	layoutFile        = "layout.csv"
)

// emitStream writes plans, or that there is none.
func (in *invocation) emitStream(ctx context.Context, list []*app.Streamed) (err error) {
	p, r := in.p, list[0]
	if r.Plan == nil {
		p.code = exitCheck
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteNoPlan, Text: r.None.Error()})
		in.specs = jsonOutputs(in.specs)
		p.say(r.Input, "no plan", r.None.Error())
	}
	var elements []any
	var figures []*results.Stream
	var plans []*stream.Plan
	interrupted := false
	for _, r := range list {
		elements, figures, plans = append(elements, r.Stream), append(figures, r.Stream), append(plans, r.Plan)
		interrupted = interrupted || r.Interrupted
	}
	p.noteStream(ctx, r.Input, interrupted)
	if in.specs, err = in.folderOutputs(flexnnFormat, memoryProfileFile, timeProfileFile, mallocFile, dependencyFile, layoutFile); err != nil {
		return err
	}
	return p.emit(in.specs, func(format string) ([]byte, error) {
		if render.IsFormat(format) {
			return rendered(format, r.Picture())
		}
		switch format {
		case "csv":
			return export.CSV(r.Network, r.Plan), nil
		case htmlFormat:
			return p.page([]any{r.Page()}, r.Input)
		case modelFormat:
			return r.Model.Data, nil
		case "c":
			return export.C(r.Network, plans, in.file), nil
		case weightsFormat:
			return r.Weights()
		case memoryProfileFile:
			memory, _ := flexnn.Profiles(r.Network)
			return memory, nil
		case timeProfileFile:
			_, times := flexnn.Profiles(r.Network)
			return times, nil
		case mallocFile:
			return flexnn.Write(r.Network, r.Plan.Placement).Malloc, nil
		case dependencyFile:
			return flexnn.Write(r.Network, r.Plan.Placement).Dependency, nil
		case layoutFile:
			return flexnn.Write(r.Network, r.Plan.Placement).Layout, nil
		}
		return p.document(in.command, elements)
	}, func() string { return results.StreamText(figures, in.style) })
}

// folderOutputs replaces a folder format by the files of the folder, and creates it. Their names, with slashes,
// become formats.
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
		for _, file := range files {
			path := filepath.Join(s.Path, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return nil, plainError(err)
			}
			one, err := output.ParseModel([]string{file + "=" + path}, []string{file}, in.inputs, output.AnotherPath)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
	}
	return all, nil
}
