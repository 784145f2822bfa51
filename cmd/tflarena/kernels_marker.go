package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// otherLibrary returns the only library with which a plan is valid, if the command line names none and
// that library is not the device's. It returns "" otherwise, and if that library is unknown.
func otherLibrary(c *cli.Context, d rules.Device, m *rewrite.Marker) string {
	if c.IsSet("kernels") || remarks.CountedForOthers(m, d.Kernels) == "" {
		return ""
	}
	return rules.WithRelease(m.Kernels)
}

// withKernels returns a device of the command line with the kernels of another library, or the usual
// device of these if they are not built for its ABI.
func withKernels(c *cli.Context, d rules.Device, library string) (rules.Device, error) {
	if c.IsSet("abi") || c.IsSet("pointer") {
		if d, err := d.WithKernels(library); err == nil {
			return d, nil
		}
	}
	return d.WithUsualKernels(library)
}

// othersHint returns the marker of a plan that is valid only with other kernels than those a model is
// made for, or nil, and a hint on how to keep the plan.
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
