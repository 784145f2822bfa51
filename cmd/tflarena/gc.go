package main

import (
	"os"
	"runtime/debug"

	"github.com/tflarena/tflarena/tflite"
)

// Garbage collection targets in percent of live memory: Go's default, and one for a search, which
// allocates much, keeps little, and takes two thirds of the time that way.
const (
	usualGarbage  = 100
	searchGarbage = 400
)

// raiseGCTarget raises the garbage collection target while a model is searched, unless the user sets
// it, and returns a function that restores it.
func raiseGCTarget(m *tflite.Model) (restore func()) {
	weights := 0
	if isBuiltin(m.Name) {
		weights = len(m.Data)
	}
	return collectAt(searchGarbage, weights)
}

// collectAt sets the garbage collection target in percent of live memory, not counting the weights of a
// built-in network. Those count as live, although nearly all of them are untouched zeros: with half a
// gigabyte of them garbage would never be collected.
func collectAt(percent, weights int) (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	const others = 64 << 20 // upper bound of the other memory of a command
	if weights > others {
		percent = percent * others / weights
	}
	before := debug.SetGCPercent(max(percent, 1))
	return func() { debug.SetGCPercent(before) }
}
