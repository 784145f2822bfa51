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

// searchMemory is the memory in bytes above which a search collects garbage more often, because a long search keeps hundreds of
// megabytes. modelCopies times the size of the model are added.
const searchMemory, modelCopies = 1 << 30, 8

// raiseGCTarget raises the garbage collection target during a search, and limits the memory, unless the user sets them.
// It returns a function that restores both.
func raiseGCTarget(m *tflite.Model) (restore func()) {
	weights := 0
	if isBuiltin(m.Name) {
		weights = len(m.Data)
	}
	asUsual := collectAt(searchGarbage, weights)
	if os.Getenv("GOMEMLIMIT") != "" {
		return asUsual
	}
	before := debug.SetMemoryLimit(searchMemory + modelCopies*int64(len(m.Data)))
	return func() {
		debug.SetMemoryLimit(before)
		asUsual()
	}
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
