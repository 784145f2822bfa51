package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/similar"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// countedForOthers says that figures are for other kernels than those with which alone a plan is
// right, "" where they are not: a budget that holds with these kernels says nothing then. What a
// library that nobody here knows would need cannot be counted.
func countedForOthers(m *rewrite.Marker, counted string) string {
	if m == nil || m.Kernels == counted || !slices.Contains(rules.KernelLibraries(), m.Kernels) {
		return ""
	}
	return fmt.Sprintf("is right with the %s kernels only, and these figures are for %s: add --kernels %s", m.Kernels, kernelsOf(counted), m.Kernels)
}

// otherLibrary returns the library with whose kernels alone a plan is right, where the command line
// names none and its figures are for others: "" where that is not so, and for one that nobody here knows.
func otherLibrary(c *cli.Context, m *rewrite.Marker) string {
	if c.IsSet("kernels") || countedForOthers(m, c.String("kernels")) == "" {
		return ""
	}
	return m.Kernels
}

// markerNotes says with which kernels the plan of a model is right, and whether these are counted.
func markerNotes(c *cli.Context, m *rewrite.Marker) []results.Note {
	if otherLibrary(c, m) == "" {
		return results.MarkerNotes(m)
	}
	return results.Notes(results.NoteKernels, []string{"the embedded plan " + countedForOthers(m, c.String("kernels"))})
}

// unknownLibrary warns of a marker that names kernels which nobody here knows.
func unknownLibrary(m *rewrite.Marker) []results.Note {
	if m == nil || slices.Contains(rules.KernelLibraries(), m.Kernels) {
		return nil
	}
	like := ""
	if names := likeLibraries(m.Kernels); len(names) > 0 {
		like = " (is it " + similar.List(names, "or") + "?)"
	}
	return results.Notes(results.WarnLibrary, []string{fmt.Sprintf(
		"the embedded plan is right with the %s kernels only, which are unknown here%s: what they permit and ask for is not known", m.Kernels, like)})
}

// targetOf returns the target of the command line with the kernels of another library, or the usual one
// where they are not built for that.
func targetOf(c *cli.Context, library string) (rules.Target, error) {
	t, err := target(c)
	if err != nil {
		return t, err
	}
	if c.IsSet("abi") || c.IsSet("pointer") {
		if t, err := t.WithKernels(library); err == nil {
			return t, nil
		}
	}
	usual, err := rules.UsualTarget(library)
	usual.ResourceVariables = t.ResourceVariables
	return usual, err
}

// othersHint returns the marker of a plan that is right with other kernels than those that a model is
// made for, nil where there is none, and says how the plan stays.
func othersHint(c *cli.Context, m *tflite.Model, kernels string) (marker *rewrite.Marker, hint string) {
	marker, err := rewrite.ReadMarker(m)
	plans, bad := rewrite.ReadPlans(m)
	if err != nil || bad != nil || marker == nil || len(plans) == 0 || marker.Kernels == kernels {
		return nil, ""
	}
	if library := otherLibrary(c, marker); library != "" {
		hint = "; --kernels " + library + " is for those"
	}
	return marker, hint
}
