package main

import (
	"bytes"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/tflite"
)

// isDeployed reports whether an output is a source file for firmware.
func isDeployed(s output.Spec) bool { return slices.Contains(firmware.Names(), s.Format) }

// holdsModel reports whether an output contains the whole model.
func holdsModel(s output.Spec) bool { return s.Format == modelFormat || s.Format == firmware.Array }

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

// deployed returns a file for firmware. Required is the required arena of the model in bytes, or zero if
// unknown.
func (t *target) deployed(format string, m *tflite.Model, required int64) ([]byte, error) {
	var b bytes.Buffer
	err := firmware.Write(&b, format, &firmware.Program{Name: m.Name, Model: m, Required: required, Target: t.device.ABI.Name + ", " + t.device.ABI.Title, Kernels: notes.KernelsOf(t.device.Kernels)})
	return b.Bytes(), err
}

// sayLacking lists the operators that a resolver leaves to the application, or lacks.
func (p *program) sayLacking(specs []output.Spec, m *tflite.Model) {
	if !slices.ContainsFunc(specs, func(s output.Spec) bool { return s.Format == firmware.Resolver }) {
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
