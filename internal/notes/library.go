package notes

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// LikeLibraries returns the kernel libraries most similar to a word. People also omit "-nn" or the
// vendor.
func LikeLibraries(word string) (like []string) {
	var forms, others []string
	full := map[string]string{}
	base, _, _ := strings.Cut(word, "@") // releases do not affect the similarity
	for _, name := range rules.KernelLibraries() {
		_, core, _ := strings.Cut(name, "-nn-")
		forms, full[name] = append(forms, name), name
		for _, form := range []string{strings.Replace(name, "-nn", "", 1), core} {
			if form != "" {
				others, full[form] = append(others, form), name
			}
		}
	}
	// The names come first, so that two libraries are proposed, and not two forms of one.
	forms = append(forms, others...)
	for _, form := range spelling.Names(base, forms) {
		if name := full[form]; !slices.Contains(like, name) {
			like = append(like, name)
		}
	}
	return like
}

// CountedForOthers reports that a plan is valid with some kernels only, and that the figures are for
// others, so that a budget met with those proves nothing. It returns "" otherwise. Nothing can be
// counted for an unknown library.
func CountedForOthers(m *rewrite.Marker, counted string) string {
	if m == nil || rules.OfMarker(m.Kernels) == rules.WithRelease(counted) || !IsLibrary(m.Kernels) {
		return ""
	}
	return fmt.Sprintf("is right with the %s kernels only, and these figures are for %s", rules.OfMarker(m.Kernels), KernelsOf(counted))
}

// MarkerNotes names the kernels that the plan of a model requires, and whether these are counted.
func MarkerNotes(m *rewrite.Marker, counted string) []results.Note {
	if text := CountedForOthers(m, counted); text != "" {
		return []results.Note{{Kind: results.NoteKernels, Text: "the embedded plan " + text, Remedy: results.CountKernels}}
	}
	return results.MarkerNotes(m)
}

// UnmodelledRelease says that the listed faults may not be those of a release that is not modelled.
func UnmodelledRelease(d rules.Device) []results.Note {
	if IsLibrary(d.Kernels) {
		return nil
	}
	base, release, _ := strings.Cut(d.Kernels, "@")
	return results.Notes(results.NoteRelease, []string{fmt.Sprintf(
		"release %s of %s is not modelled: faults listed for releases up to %s may or may not affect it", release, base, rules.KernelReleases(base)[0])})
}

// UnknownLibrary warns of a marker with unknown kernels.
func UnknownLibrary(m *rewrite.Marker) []results.Note {
	if m == nil || IsLibrary(m.Kernels) {
		return nil
	}
	like := ""
	if names := LikeLibraries(m.Kernels); len(names) > 0 {
		like = " (is it " + spelling.List(names, "or") + "?)"
	}
	return results.Notes(results.WarnLibrary, []string{fmt.Sprintf(
		"the embedded plan is right with the %s kernels only, which are unknown here%s: tflarena does not know what they permit and ask for", m.Kernels, like)})
}
