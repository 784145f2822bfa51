package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/csource"
	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/tflite"
)

// modelFormat is the output format of a model.
const modelFormat = "tflite"

var rewriteFormats = append([]string{modelFormat, "json", firmware.Folder}, firmware.Names()...)

// rewriteOutputs reads the outputs of the model and the report.
func (p *program) rewriteOutputs(c *cli.Context) ([]output.Spec, error) {
	specs, err := output.ParseModel(outputTexts(c), rewriteFormats, inputs(c), output.AnotherPath+", or replace it with --in-place")
	if err != nil {
		return nil, err
	}
	isModel := func(s output.Spec) bool { return s.Format == modelFormat }
	switch {
	case c.Bool("in-place") && slices.ContainsFunc(specs, isModel):
		return nil, usagef("--in-place replaces the input: leave -o out, or use -o without --in-place")
	case c.Bool("in-place"):
		if err := replaceable(c.Args().First()); err != nil {
			return nil, err
		}
	case !slices.ContainsFunc(specs, holdsModel):
		return nil, usagef("rewrite: no output given: name the new file with -o OUT, or replace the input with --in-place")
	}
	return specs, p.rejectMixedOutputs(c, specs)
}

// replaceable rejects in-place rewriting of anything but a file.
func replaceable(path string) error {
	if path == stdinPath {
		return usagef("--in-place: standard input cannot be replaced: use -o")
	}
	info, err := os.Stat(path)
	switch {
	case path == "":
		return errNoName
	case err != nil && isBuiltin(path):
		return usagef("--in-place: a built-in network cannot be replaced: use -o")
	case err != nil:
		return plainError(err)
	case info.IsDir():
		return named(path, errDirectory)
	case csource.IsSource(filepath.Ext(path)):
		return usagef("--in-place: a model in a source file cannot be replaced: use -o")
	case !info.Mode().IsRegular(), output.IsStream(path):
		return named(path, errors.New("this is not a regular file, and cannot be replaced: use -o"))
	}
	return nil
}

// rewriteTargets completes the outputs, warns about links, says why there is no new model if there is
// none, and returns the place of the model.
func (in *invocation) rewriteTargets(f *rewriteFlags, m *tflite.Model, w *app.Rewritten) (place string, err error) {
	p, changed := in.p, !bytes.Equal(w.Data, m.Data)
	if err := in.firmwareFolder(&f.target, m); err != nil {
		return "", err
	}
	if f.inPlace {
		place = in.file
		if changed {
			in.specs = append([]output.Spec{{Format: modelFormat, Path: place}}, in.specs...)
		}
	}
	for _, s := range in.specs {
		if holdsModel(s) && s.Path != output.Stdout {
			place = s.Path
		}
	}
	if err := in.sayLinks(); err != nil {
		return "", err
	}
	if w.Interrupted {
		p.say(m.Name, "note", fmt.Sprintf("--time-limit %s was reached; this is the best plan so far", p.limit.ending()))
	}
	switch {
	case changed || w.Reason.Kind == improve.Asked:
	case f.inPlace:
		p.say(m.Name, "note", w.Reason.Text+"; the file stays as it is")
	default:
		p.say(m.Name, "note", w.Reason.Text+"; the output is a copy of the input")
	}
	return place, nil
}
