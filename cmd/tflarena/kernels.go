package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/similar"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// scratchSource returns where the scratch that is counted comes from: what --scratch says, or else
// the name of the kernel library.
func scratchSource(c *cli.Context) string {
	if c.IsSet("scratch") {
		return c.String("scratch")
	}
	return c.String("kernels")
}

// knownKernels refuses a name that no kernel library has. People also leave "-nn" out, or the
// vendor.
func knownKernels(word string) error {
	names := rules.KernelLibraries()
	if slices.Contains(names, word) {
		return nil
	}
	var forms []string
	full := map[string]string{}
	for _, name := range names {
		_, core, _ := strings.Cut(name, "-nn-")
		for _, form := range []string{name, strings.Replace(name, "-nn", "", 1), core} {
			if form != "" {
				forms, full[form] = append(forms, form), name
			}
		}
	}
	var like []string
	for _, form := range similar.Names(word, forms) {
		if name := full[form]; !slices.Contains(like, name) {
			like = append(like, name)
		}
	}
	hint := ""
	if len(like) > 0 {
		hint = "did you mean " + similar.List(like, "or") + "? "
	}
	return usagef("unknown --kernels %q: %suse %s", word, hint, similar.List(names, "or"))
}

// otherKernels returns the name of the kernel library, "" for the reference kernels.
func otherKernels(c *cli.Context) string {
	if library := c.String("kernels"); library != referenceKernels {
		return library
	}
	return ""
}

// namedKernels returns the kernels that the command line names, "" for none.
func namedKernels(c *cli.Context) string {
	if c.IsSet("kernels") {
		return c.String("kernels")
	}
	return ""
}

// countedForOthers says that figures are for other kernels than those with which alone a plan is
// right, "" where they are not: a budget that holds with these kernels says nothing then. What a
// library that nobody here knows would need cannot be counted.
func countedForOthers(m *rewrite.Marker, counted string) string {
	if m == nil || m.Kernels == counted || !slices.Contains(rules.KernelLibraries(), m.Kernels) {
		return ""
	}
	return fmt.Sprintf("is right with the %s kernels only, and these figures are for %s: add --kernels %s", m.Kernels, remarks.KernelsOf(counted), m.Kernels)
}
