package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/lifetime/rules"
)

const aliasDescription = `With --alias an output may take over the memory of an input that dies with its
operator. TensorFlow Lite Micro does as the plan says; whether that is right depends
on its kernels:
  safe         where kernels only copy: RESHAPE, SQUEEZE, EXPAND_DIMS,
               DYNAMIC_UPDATE_SLICE, the branches of IF, and the parts that
               CONCATENATION, SLICE and STRIDED_SLICE copy in one piece
  elementwise  also element-wise operators that broadcast nothing, and PAD; right
               with the reference kernels, of which optimised libraries promise nothing
  overwrite    also what is read slice by slice (SLICE, STRIDED_SLICE), from the first
               slice on, where no later one reads it: an input of the model is lost then
  diagonal     also over an input of a convolution, a pool or a similar
               operator, while its kernel reads it for the last time: right with
               the reference kernels alone, and wrong with CMSIS-NN and ESP-NN`

func aliasFlag() cli.Flag {
	return &cli.StringFlag{
		Name: "alias", Value: string(rules.NoAlias), Category: groupPlan,
		Usage: "let outputs take inputs' memory, `WHICH`: " + marked(texts(rules.Aliases()), string(rules.NoAlias)),
	}
}

// aliasOf reads --alias.
func aliasOf(c *cli.Context) (rules.Alias, error) {
	return rules.Alias(c.String("alias")), chosen("--alias", c.String("alias"), texts(rules.Aliases()))
}

// takenNote says how many takeovers a plan has for which --alias was asked, and under which
// kernels it is right: taken is the least --alias that permits them.
func takenNote(asked, taken rules.Alias, n int) string {
	if taken == rules.NoAlias {
		return fmt.Sprintf("outputs that take over an input's memory: 0, since --alias %s makes this plan no smaller", asked)
	}
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s); right with %s", n, taken, kernels(taken))
}

// aliasNote says how many takeovers a model has, what a lower bound means then, and under
// which kernels that is right.
func aliasNote(a rules.Alias, n int) string {
	return fmt.Sprintf("outputs that take over an input's memory: %d (--alias %s), and the lower bound is that of a plan in which they do; right with %s", n, a, kernels(a))
}

// overlapNote says how many outputs of a plan are written over an input while it dies.
func overlapNote(n int) string {
	return fmt.Sprintf("outputs that are written over an input while it dies: %d (--alias %s); right with the reference kernels of TensorFlow Lite Micro, and wrong with CMSIS-NN and ESP-NN", n, rules.DiagonalAlias)
}

// kernels says with which ones takeovers are right.
func kernels(a rules.Alias) string {
	kernels := "TensorFlow Lite Micro's own kernels, which only copy there"
	if a != rules.SafeAlias {
		kernels = "the reference kernels; an optimised kernel library may compute something else"
	}
	if a == rules.OverwriteAlias || a == rules.DiagonalAlias {
		kernels += "; what the model's inputs held is lost by the way"
	}
	return kernels
}
