package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/remarks"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/fit"
	"github.com/tflarena/tflarena/tflite"
)

// unknownError is an unknown arena, so that no budget can be met.
type unknownError struct{ figures rules.Figures }

func (e unknownError) Error() string {
	return "the arena is not known: " + results.UnknownText(e.figures)
}

// knownArena returns an unknownError if a budget cannot be met because the required arena is unknown,
// and warns if there is no budget.
func (p *program) knownArena(c *cli.Context, m *tflite.Model, goal fit.Goal) error {
	arena := rules.Load{Kept: m, Requests: goal.Device.Requests(m)}.Arena(goal.Device)
	switch {
	case arena.Known():
		return nil
	case goal.Budget > 0 || goal.HeadBudget > 0:
		return named(m.Name, unknownError{arena.Figures})
	}
	p.warn(c, m.Name, remarks.UnknownArena(arena.Figures))
	return nil
}
