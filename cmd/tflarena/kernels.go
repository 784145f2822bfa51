package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// unknownKernels explains the error of [rules.UsualDevice] for a word of --kernels.
func unknownKernels(word string, err error) error {
	if unknown := (*rules.UnknownRelease)(nil); errors.As(err, &unknown) {
		return unknownRelease(unknown)
	}
	names, hint := rules.KernelLibraries(), ""
	if like := notes.LikeLibraries(word); len(like) > 0 {
		hint = "did you mean " + spelling.List(like, "or") + "? "
	}
	return usagef("unknown --kernels %q: %suse %s", word, hint, spelling.List(names, "or"))
}

// unknownRelease lists the known releases, and the remedy for another one.
func unknownRelease(e *rules.UnknownRelease) error {
	if len(e.Known) == 0 {
		return usagef("--kernels %s@%s: %s has no releases: use --kernels %s", e.Base, e.Version, e.Base, e.Base)
	}
	return usagef("--kernels %s@%s: the scratch sizes of release %q are not known: use %s; for any other release, "+
		"'tflarena analyze MODEL --kernels %s@%s -o probe=DIR' writes a program that prints its sizes, and --scratch FILE counts them",
		e.Base, e.Version, e.Version, spelling.List(e.Known, "or"), e.Base, cmp.Or(e.Version, "RELEASE"))
}

// otherLibrary returns the only library with which a plan is valid, if the command line names none and
// that library is not the device's. It returns "" otherwise, and if that library is unknown.
func (t *target) otherLibrary(m *rewrite.Marker) string {
	if t.kernels != "" || notes.CountedForOthers(m, t.device.Kernels) == "" {
		return ""
	}
	return rules.OfMarker(m.Kernels)
}

// withKernels returns a device on the target with the kernels of another library, or the usual
// device of these if they are not built for its ABI.
func (t *target) withKernels(d rules.Device, library string) (rules.Device, error) {
	if t.abiChosen {
		if d, err := d.WithKernels(library); err == nil {
			return d, nil
		}
	}
	return d.WithUsualKernels(library)
}

// releasesOf returns the modelled releases of the kernel libraries whose names begin with a word, such as
// "esp-nn" or "cmsis-nn-mve".
func releasesOf(word string) (names []string, err error) {
	for _, library := range rules.KernelLibraries() {
		if !strings.HasPrefix(library, word) || word == "" {
			continue
		}
		for _, release := range rules.KernelReleases(library) {
			names = append(names, library+"@"+release)
		}
	}
	if len(names) == 0 {
		return nil, usagef("--across %q: no kernel library with several releases begins so: %ssay esp-nn, cmsis-nn, or one of %s", word, spelling.Hint(word, rules.KernelLibraries()), spelling.List(rules.KernelLibraries(), "or"))
	}
	return names, nil
}
