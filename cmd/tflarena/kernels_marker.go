package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// otherLibrary returns the only library with whose kernels a plan is right, if the command line
// names none and its figures are for another one. It returns "" otherwise, and if that library is not known.
func otherLibrary(c *cli.Context, m *rewrite.Marker) string {
	if c.IsSet("kernels") || remarks.CountedForOthers(m, libraryOf(c)) == "" {
		return ""
	}
	return rules.WithRelease(m.Kernels)
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
	usual.ResourceVariables, usual.DecompressionMemory = t.ResourceVariables, t.DecompressionMemory
	return usual, err
}

// othersHint returns the marker of a plan that is right with other kernels than those that a model is
// made for, nil where there is none, and says how the plan stays.
func othersHint(c *cli.Context, m *tflite.Model, kernels string) (marker *rewrite.Marker, hint string) {
	marker, err := rewrite.ReadMarker(m)
	plans, bad := rewrite.ReadPlans(m)
	if err != nil || bad != nil || marker == nil || len(plans) == 0 || rules.WithRelease(marker.Kernels) == kernels {
		return nil, ""
	}
	if library := otherLibrary(c, marker); library != "" {
		hint = "; --kernels " + library + " is for those"
	}
	return marker, hint
}
