package remarks

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/spelling"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// LikeLibraries returns the kernel libraries that are most like a word. People also leave "-nn" out, or
// the vendor.
func LikeLibraries(word string) (like []string) {
	var forms, others []string
	full := map[string]string{}
	base, _, _ := strings.Cut(word, "@") // a release is like any other
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

// CountedForOthers says that a plan is right with some kernels only, and that the figures are for
// others: a budget that holds for those says nothing. It returns "" if that is not so. For a
// library that is not known, nothing can be counted.
func CountedForOthers(m *rewrite.Marker, counted string) string {
	if m == nil || rules.WithRelease(m.Kernels) == rules.WithRelease(counted) || !IsLibrary(m.Kernels) {
		return ""
	}
	return fmt.Sprintf("is right with the %s kernels only, and these figures are for %s: add --kernels %s", m.Kernels, KernelsOf(counted), m.Kernels)
}

// MarkerNotes says with which kernels the plan of a model is right, and whether these are counted.
func MarkerNotes(m *rewrite.Marker, counted string) []results.Note {
	if text := CountedForOthers(m, counted); text != "" {
		return results.Notes(results.NoteKernels, []string{"the embedded plan " + text})
	}
	return results.MarkerNotes(m)
}

// UnknownLibrary warns of a marker that names kernels which nobody here knows.
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
