package main

import (
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// unknownError is an arena that is not known, so that no budget can be met.
type unknownError struct{ figures results.Figures }

func (e unknownError) Error() string { return "the arena is not known: " + e.figures.UnknownText() }

// knownArena returns an unknownError where nobody knows what a model needs.
func knownArena(m *tflite.Model, goal fit.Goal) error {
	arena := rules.Load{Kept: m, Requests: goal.Scratch(m)}.Arena(goal.Target)
	if arena.Known() {
		return nil
	}
	return named(m.Name, unknownError{results.NewFigures(arena)})
}
