package main

import (
	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/similar"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// scratchSource returns where the scratch that is counted comes from: what --scratch says, or else
// the name of the kernel library.
func scratchSource(c *cli.Context) string {
	if c.IsSet("scratch") {
		return c.String("scratch")
	}
	return c.String("kernels")
}

// knownKernels refuses a name that no kernel library has.
func knownKernels(word string) error {
	names := rules.KernelLibraries()
	if slices.Contains(names, word) {
		return nil
	}
	hint := ""
	if like := remarks.LikeLibraries(word); len(like) > 0 {
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
