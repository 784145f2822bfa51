package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
)

const aliasDescription = `With --alias, an output may be in-place: in the memory of an input that is not needed after its operator. TensorFlow Lite Micro follows the plan; whether the outputs stay the same depends on its kernels:
  safe         where kernels only copy: RESHAPE, SQUEEZE, EXPAND_DIMS,
               DYNAMIC_UPDATE_SLICE, the branches of IF, and the parts that
               CONCATENATION, SLICE and STRIDED_SLICE copy in one piece
  elementwise  also element-wise operators without broadcasting, and PAD;
               correct with the reference kernels; optimised libraries do
               not guarantee it
  overwrite    also a tensor that SLICE or STRIDED_SLICE read slice by slice:
               slices that have been read for the last time are overwritten,
               which can destroy the contents of a model input
  diagonal     also overlapping an input of a convolution, a pool or a
               similar operator while its kernel reads it; without
               --kernels, correct with the reference kernels only
  unmeasured   also relies on orders of reads and writes that are known from
               kernel source code only; never tested on hardware

With --kernels LIBRARY, --alias allows only what is correct with these kernels: fewer operators, and other distances. The metadata of the file names them, and 'verify --kernels' checks them.`

// aliasFlag returns --alias with values in addition to the levels.
func aliasFlag(more ...string) cli.Flag {
	return &cli.StringFlag{
		Name: "alias", Value: string(rules.NoAlias), Category: groupPlan,
		Usage: "allow in-place outputs, `WHICH`: " + marked(append(texts(rules.AllAliases()), more...), string(rules.NoAlias)),
	}
}

// aliasOf reads --alias.
func aliasOf(c *cli.Context) (rules.Alias, error) {
	return rules.Alias(c.String("alias")), chosen("--alias", c.String("alias"), texts(rules.AllAliases()))
}

// sharingNotes reports the tensors of a plan that share memory on purpose, and the kernels that this requires.
func sharingNotes(l *app.Placed) (list []results.Note) {
	if l.Choice == nil {
		return nil
	}
	taken, overlapping, library := len(l.Choice.Taken(l.Offsets)), len(l.Choice.Overlapping(l.Offsets)), l.View.Rules.KernelLibrary()
	if taken > 0 || overlapping == 0 {
		text := takenNote(l.Alias, rules.AllAliases()[l.Choice.Freedom], library, taken)
		list = append(list, results.Note{Kind: results.NoteInPlace, Text: text})
	}
	if overlapping > 0 {
		list = append(list, results.Note{Kind: results.NoteOverlaps, Text: overlapNote(l.Alias, library, overlapping)})
	}
	return append(list, orderNotes(l.Alias, library, overlapping)...)
}

// takenNote reports the number of in-place outputs of a plan with --alias, and the kernels that make it
// valid: taken is the lowest --alias that permits them.
func takenNote(asked, taken rules.Alias, library string, n int) string {
	if taken == rules.NoAlias {
		return fmt.Sprintf("no output takes over the memory of an input, because --alias %s makes this plan no smaller", asked)
	}
	return fmt.Sprintf("%s (--alias %s), which is right with %s", takers(n), taken, kernels(taken, library))
}

// aliasNote reports the number of permitted in-place outputs of a model, the meaning of the lower
// bound, and the kernels that this assumes.
func aliasNote(a rules.Alias, library string, n int) string {
	return fmt.Sprintf("%s (--alias %s), which is right with %s; the lower bound is for plans with such takeovers", takers(n), a, kernels(a, library))
}

// orderNotes warns if --alias diagonal permits less than its name suggests, or --alias unmeasured
// permits untested overlaps, given the number of outputs of a plan that overlap an input.
func orderNotes(a rules.Alias, library string, overlaps int) []results.Note {
	if rules.OrdersMeasured(library) {
		return nil
	}
	text := "the order in which %s read and write is known only from their source"
	switch known := rules.OrdersKnown(library); {
	case !known && (a == rules.DiagonalAlias || a == rules.UnmeasuredAlias):
		text = fmt.Sprintf("the order in which %%s read and write is not known, so --alias %s lets none of their outputs lie over an input", a)
	case !known:
		return nil
	case a == rules.DiagonalAlias:
		text += fmt.Sprintf(", so --alias %s lets none of their outputs lie over an input; --alias %s trusts the source", a, rules.UnmeasuredAlias)
	case a == rules.UnmeasuredAlias && overlaps > 0:
		text += "; before you rely on this plan, compare the outputs of the device with those of the model without a plan"
	default:
		return nil
	}
	return results.Notes(results.NoteOrders, []string{fmt.Sprintf(text, notes.KernelsOf(library))})
}

// takers returns the number of in-place outputs in words.
func takers(n int) string {
	if n == 1 {
		return "1 output takes over the memory of an input"
	}
	return fmt.Sprintf("%d outputs take over the memory of an input", n)
}

// overlapNote reports the number of outputs of a plan that overwrite an input which the kernel still
// reads, as permitted by --alias.
func overlapNote(a rules.Alias, library string, n int) string {
	outputs := "1 output is"
	if n != 1 {
		outputs = fmt.Sprintf("%d outputs are", n)
	}
	right := "the reference kernels of TensorFlow Lite Micro, and wrong with CMSIS-NN and ESP-NN"
	if library != reference {
		right = notes.KernelsOf(library) + ", and wrong with others"
	}
	return fmt.Sprintf("%s written over an input that the kernel still reads (--alias %s), which is right with %s; the contents of the model's inputs may be lost", outputs, a, right)
}

// kernels names the kernels that in-place outputs require.
func kernels(a rules.Alias, library string) string {
	kernels := "TensorFlow Lite Micro's own kernels, which only copy there"
	if a != rules.SafeAlias {
		kernels = "the reference kernels; an optimised kernel library may compute something else"
		if library != reference {
			kernels = notes.KernelsOf(library) + "; another kernel library may compute something else"
		}
	}
	if a.Overwrites() {
		kernels += "; the contents of the model's inputs are lost"
	}
	return kernels
}
