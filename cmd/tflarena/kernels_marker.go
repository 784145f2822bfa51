package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// otherLibrary returns the only library with whose kernels a plan is right, if the command line
// names none and its figures are for those of the device. It returns "" otherwise, and if that library is not known.
func otherLibrary(c *cli.Context, d rules.Device, m *rewrite.Marker) string {
	if c.IsSet("kernels") || remarks.CountedForOthers(m, d.Kernels) == "" {
		return ""
	}
	return rules.WithRelease(m.Kernels)
}

// withKernels returns a device of the command line with the kernels of another library, or the usual device
// of these where they are not built for its ABI.
func withKernels(c *cli.Context, d rules.Device, library string) (rules.Device, error) {
	if c.IsSet("abi") || c.IsSet("pointer") {
		if d, err := d.WithKernels(library); err == nil {
			return d, nil
		}
	}
	return d.WithUsualKernels(library)
}

// othersHint returns the marker of a plan that is right with other kernels than those that a model is
// made for, nil where there is none, and says how the plan stays.
func othersHint(c *cli.Context, m *tflite.Model, d rules.Device) (marker *rewrite.Marker, hint string) {
	marker, err := rewrite.ReadMarker(m)
	plans, bad := rewrite.ReadPlans(m)
	if err != nil || bad != nil || marker == nil || len(plans) == 0 || rules.WithRelease(marker.Kernels) == d.Kernels {
		return nil, ""
	}
	if library := otherLibrary(c, d, marker); library != "" {
		hint = "; --kernels " + library + " is for those"
	}
	return marker, hint
}
