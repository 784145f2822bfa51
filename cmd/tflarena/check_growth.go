package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// growthFlags reads the flags that limit the growth of an arena.
func growthFlags(c *cli.Context, limits *budget.Limits) error {
	if c.IsSet("max-growth") {
		growth, err := budget.ParseGrowth(c.String("max-growth"))
		if err != nil {
			return usagef("--max-growth: %v", err)
		}
		limits.Growth = &growth
	}
	if base := c.String("base"); base != "" {
		limits.Base = &budget.Base{File: base}
	}
	return nil
}

// base returns the base of a growth limit of a model's arena, or nil without a limit.
func (p *program) base(c *cli.Context, file string, limits budget.Limits) (*app.Base, error) {
	switch {
	case limits.Growth == nil && limits.Base == nil:
		return nil, nil
	case limits.Growth == nil:
		return nil, named(file, usagef("a base is given, but no limit for growth: add --max-growth, or max_growth to the budget file"))
	case limits.Base == nil:
		return nil, named(file, usagef("there is a limit for growth, but nothing to compare with: add --base FILE, or used_bytes or base to the budget file"))
	}
	path := limits.Base.File
	if path == "" {
		return &app.Base{Used: limits.Base.Bytes, From: "recorded"}, nil
	}
	if !isScratchWord(c.String("scratch")) {
		return nil, named(file, usagef("--scratch %s is for one model, and the base is another model: record used_bytes in the budget file instead of a base", c.String("scratch")))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, filepath.Base(file))
	}
	m, err := p.loadModel(c.Context, path)
	if err != nil {
		return nil, fmt.Errorf("the base of %s: %w", file, err)
	}
	arena, err := arenaOf(c, m)
	if err != nil {
		return nil, err
	}
	if !arena.Known() {
		return &app.Base{Unknown: "the arena of " + path + " is not known"}, nil
	}
	return &app.Base{Used: arena.Used, From: "of " + path}, nil
}

// arenaOf returns the arena of an unmodified model, with its embedded plan.
func arenaOf(c *cli.Context, m *tflite.Model) (rules.Arena, error) {
	d, err := deviceFor(c, m)
	if err != nil {
		return rules.Arena{}, err
	}
	e, err := follow(c.Context, d, m, chosenKernels(c, d))
	if err != nil {
		return rules.Arena{}, err
	}
	return e.Outcome.Arena(d), nil
}
