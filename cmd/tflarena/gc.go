package main

import (
	"os"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/tflite"
)

// The percentages of the memory in use at which garbage is collected: Go's own, and that of a
// search, which makes much of it and keeps little, and takes two thirds of the time that way.
const (
	usualGarbage  = 100
	searchGarbage = 400
)

// lessCollecting lets garbage be collected more seldom while a model is searched, unless the user
// says when, and returns what restores that.
func lessCollecting(c *cli.Context, m *tflite.Model) (restore func()) {
	weights := 0
	if isBuiltin(c.Args().First()) {
		weights = len(m.Data)
	}
	return collectAt(searchGarbage, weights)
}

// collectAt has garbage collected at a percentage of the memory in use, beside the bytes of a
// built-in network. Those count as in use, although nearly all of them are zeros that nobody
// touches: with half a gigabyte of them nothing would ever be collected.
func collectAt(percent, weights int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	const others = 64 << 20 // what a command uses beside weights, or less
	if weights > others {
		percent = percent * others / weights
	}
	before := debug.SetGCPercent(max(percent, 1))
	return func() { debug.SetGCPercent(before) }
}
