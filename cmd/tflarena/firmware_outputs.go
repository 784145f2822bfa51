package main

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// isDeployed reports whether an output is a source file for firmware.
func isDeployed(s output.Spec) bool {
	return s.Format == firmware.Folder || slices.Contains(firmware.Names(), s.Format)
}

// holdsModel reports whether an output contains the whole model.
func holdsModel(s output.Spec) bool { return s.Format == modelFormat || firmware.HoldsModel(s.Format) }

// checkFolder rejects, before a long search, a firmware folder that would not work or would replace other
// files.
func (in *invocation) checkFolder(t *target, name string) error {
	for _, s := range in.specs {
		if s.Format != firmware.Folder {
			continue
		}
		if t.device.DecompressionMemory > 0 {
			return usagef("-o %s=%s: setup() in this folder reserves no decompression memory: leave --%s out, or use -o %s=PATH", s.Format, s.Path, decompressionFlag, firmware.Array)
		}
		if err := ownFolder(s, name); err != nil {
			return err
		}
	}
	return nil
}

// ownFolder returns an error unless a folder is empty or, by its README, that of the model.
func ownFolder(s output.Spec, name string) error {
	if output.IsStream(s.Path) {
		return usagef("-o %s=%s: name a folder", s.Format, s.Path)
	}
	empty := true // except for folders, which a failed run may leave
	err := filepath.WalkDir(s.Path+string(filepath.Separator), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		empty = false
		return fs.SkipAll
	})
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return plainError(err)
	case empty:
		return nil
	}
	if marker := firmware.Marker(name); string(beginningOf(filepath.Join(s.Path, firmware.Readme), int64(len(marker)))) != marker {
		return usagef("-o %s=%s: the folder has other files than the firmware of %s, which are not replaced: name a new or empty folder", s.Format, s.Path, name)
	}
	return nil
}

// firmwareFolder replaces the output of a firmware folder by outputs of its files.
func (in *invocation) firmwareFolder(t *target, m *tflite.Model) (err error) {
	if err := in.checkFolder(t, m.Name); err != nil {
		return err
	}
	in.specs, err = in.folderOutputs(firmware.Folder, firmware.Files(m.Name)...)
	return err
}

// deployable rejects files for firmware unless the input is a single model in TensorFlow Lite Micro.
func (r *runtimeChoice) deployable(specs []output.Spec, files []string) error {
	i := slices.IndexFunc(specs, func(s output.Spec) bool { return isDeployed(s) || isProbe(s) })
	switch {
	case i < 0:
		return nil
	case len(files) != 1:
		return usagef("-o %s=%s: this output is for one model, and %d are given: name one", specs[i].Format, specs[i].Path, len(files))
	case !r.rules.IsMicro():
		return usagef("-o %s=%s: this output is for TensorFlow Lite Micro: leave --runtime %s out", specs[i].Format, specs[i].Path, r.rules.Name)
	}
	return nil
}

// firmware returns a model as firmware has it. Required is its required arena in bytes, or zero if unknown.
func (t *target) firmware(m *tflite.Model, required int64) *firmware.Program {
	p := &firmware.Program{
		Name: m.Name, Model: m, Required: required, Target: t.device.ABI.Name + ", " + t.device.ABI.Title,
		Kernels: notes.KernelsOf(t.device.Kernels), Variables: t.device.Variables(m),
	}
	faults := t.device.Rules().Faults(m)
	if isScratchWord(t.scratch) && len(rules.Stop(faults)) == 0 { // else the scratch is outside the folder
		p.Check = t.nextToHold(firmware.ModelSource(m.Name), required, faults)
	}
	return p
}

// deployed returns a file for firmware.
func deployed(format string, made func() (*firmware.Program, error)) ([]byte, error) {
	p, err := made()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = firmware.Write(&b, format, p)
	return b.Bytes(), err
}

// sayLacking lists the operators that a resolver leaves to the application, or lacks.
func (p *program) sayLacking(specs []output.Spec, m *tflite.Model) {
	if !slices.ContainsFunc(specs, func(s output.Spec) bool { return firmware.HoldsResolver(s.Format) }) {
		return
	}
	o := firmware.Of(m)
	if len(o.Lacking) > 0 {
		p.say(m.Name, "warning", "the resolver leaves out operators for which TensorFlow Lite Micro has no kernel: "+spelling.List(o.Lacking, "and"))
	}
	if len(o.Custom) > 0 {
		p.say(m.Name, "warning", "the resolver has room for custom operators that the application adds with AddCustom: "+spelling.List(o.Custom, "and"))
	}
}
