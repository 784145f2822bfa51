package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/firmware"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// probeFormat is a folder with a program that measures the sizes of a kernel library, and with the
// command that compiles it.
const probeFormat = "probe"

// probeFiles are the files of that folder.
var probeFiles = []string{firmware.ProbeSource, firmware.ProbeCompile}

// probes returns the kernel library of a probe output, or "". The other figures are for the newest
// known release if the release is unknown.
func (p *program) probes(c *cli.Context) (library string, err error) {
	asks := slices.ContainsFunc(outputTexts(c), func(text string) bool { return strings.HasPrefix(text, probeFormat+"=") })
	if !asks {
		return "", nil
	}
	library = c.String("kernels")
	base, release, _ := strings.Cut(library, "@")
	device, err := rules.UsualDevice(base)
	if err != nil {
		return "", unknownKernels(library, err)
	}
	if family, _, _ := device.Library(); !firmware.HasProbe(family) {
		return "", usagef("-o %s=DIR: name a library of CMSIS-NN or ESP-NN with --kernels: the sizes of %s are all known", probeFormat, base)
	}
	_, err = rules.UsualDevice(library)
	if unknown := (*rules.UnknownRelease)(nil); errors.As(err, &unknown) && release != "" {
		p.tell(fmt.Sprintf("warning: the scratch sizes of %s are not known: these figures are for %s; --kernels %s --scratch FILE counts what the probe prints",
			library, rules.WithRelease(base), library))
		return library, c.Set("kernels", base)
	}
	if err != nil {
		return "", unknownKernels(library, err)
	}
	return rules.WithRelease(library), nil
}

// probe returns a file of the folder for a model.
func (f *analyzeFlags) probe(file string, m *tflite.Model) []byte {
	family, variant, _ := f.device.Library()
	made := firmware.Probe{Name: m.Name, Family: family, Variant: variant, Library: f.probed, Requests: f.device.SizeRequests(m)}
	if file == firmware.ProbeCompile {
		return made.Compile()
	}
	return made.Source()
}

func isProbe(s output.Spec) bool { return s.Format == probeFormat }
