package main

import (
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/exp/slices"

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
	if like := likeLibraries(word); len(like) > 0 {
		hint = "did you mean " + similar.List(like, "or") + "? "
	}
	return usagef("unknown --kernels %q: %suse %s", word, hint, similar.List(names, "or"))
}

// likeLibraries returns the kernel libraries that are most like a word. People also leave "-nn" out, or
// the vendor.
func likeLibraries(word string) (like []string) {
	var forms []string
	full := map[string]string{}
	for _, name := range rules.KernelLibraries() {
		_, core, _ := strings.Cut(name, "-nn-")
		for _, form := range []string{name, strings.Replace(name, "-nn", "", 1), core} {
			if form != "" {
				forms, full[form] = append(forms, form), name
			}
		}
	}
	for _, form := range similar.Names(word, forms) {
		if name := full[form]; !slices.Contains(like, name) {
			like = append(like, name)
		}
	}
	return like
}

// isLibrary reports whether scratch comes from a kernel library.
func isLibrary(source string) bool { return slices.Contains(rules.KernelLibraries(), source) }

// kernelsOf names the kernels of a library in a sentence.
func kernelsOf(library string) string {
	if library == referenceKernels {
		return "the reference kernels"
	}
	return "the " + library + " kernels"
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
