package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/lifetime/rules"
)

const (
	configFlag = "config"
	// configFile is the name of a project file that is found without --config.
	configFile = "tflarena.toml"
	// noConfig is the value of --config for no project file.
	noConfig = "none"
)

// A project is the file with settings of models, if the command line has one.
type project struct {
	file budget.File
	// path is "" without a file.
	path string
	// found reports that no flag names the file, budget that --budget names it.
	found, budget bool
}

// configure adds --config to a command with --target: the command then reads the project file first.
func (p *program) configure(c *cli.Command) {
	if lookupFlag(c.Flags, targetFlag) == nil {
		return
	}
	c.Flags = append(c.Flags, &cli.StringFlag{
		Name: configFlag, Category: groupRules, DefaultText: "nearest " + configFile,
		Usage: "read `FILE`, or " + noConfig,
	})
	action := c.Action
	c.Action = func(c *cli.Context) error {
		if err := p.readProject(c); err != nil {
			return err
		}
		return action(c)
	}
}

// readProject reads the project file of a command line, or the budget file of check.
func (p *program) readProject(c *cli.Context) error {
	check, config := c.Command.Name == "check", c.String(configFlag)
	x := project{budget: check && c.IsSet("budget")}
	switch {
	case x.budget && c.IsSet(configFlag) && config != noConfig:
		return usagef("--budget and --%s both name a project file: leave one of them out", configFlag)
	case x.budget:
		x.path = c.String("budget")
	case c.IsSet(configFlag):
		x.path = config
	case check || c.NArg() > 0:
		x.path = findConfig(c.Args().First())
		x.found = x.path != ""
	}
	switch {
	case x.path == noConfig && !x.budget:
		x.path = ""
	case x.path != "":
		if err := p.readSettings(&x); err != nil {
			return err
		}
	case x.budget || c.IsSet(configFlag):
		return usagef("%s: %v", firstSet(c, "budget", configFlag), errNoName)
	}
	if p.project = x; x.found && !c.Bool("quiet") {
		p.tell("config: " + x.path)
	}
	return nil
}

// readSettings reads the file of a project.
func (p *program) readSettings(x *project) error {
	data, err := readFile(p.ctx, x.path, acceptText)
	if err != nil {
		return err
	}
	file, err := budget.Parse(data, x.path)
	if err != nil {
		return named(x.path, fmt.Errorf("%w; '%s help config' has an example", err, name))
	}
	x.file = *file
	return nil
}

// findConfig returns the path of the nearest project file: in the folder of a model or above it, up to a
// folder with .git, or "". For a model that is not a file, the search begins in the working directory.
func findConfig(model string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	folder := here
	if model != "" && model != stdinPath && !isBuiltin(model) {
		if folder, err = filepath.Abs(model); err != nil {
			return ""
		}
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			folder = filepath.Dir(folder)
		}
	}
	for {
		path := filepath.Join(folder, configFile)
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			if short, err := filepath.Rel(here, path); err == nil {
				path = short
			}
			return path
		}
		_, err := os.Lstat(filepath.Join(folder, ".git"))
		parent := filepath.Dir(folder)
		if err == nil || parent == folder {
			return ""
		}
		folder = parent
	}
}

// allow sets the level of in-place outputs that the project allows for the model of a command line, if
// --alias names none, or auto. It returns that level, or "" if the project allows all.
func (x *project) allow(c *cli.Context, alias *rules.Alias, auto bool) (allowed rules.Alias) {
	if allowed = x.file.For(c.Args().First(), "").Alias; allowed != "" && (auto || !c.IsSet("alias")) {
		*alias = allowed
	}
	return allowed
}

// same returns the flags that select the same target for a file. If its kernels are not modelled, the figures are those of
// the reference kernels.
func (t *target) same(file string) []string {
	x, words := t.project, t.flags[:len(t.flags):len(t.flags)]
	if t.board.Unmodelled != "" {
		words = append(words, "--kernels", reference)
	}
	if !t.fromProject && t.variables == nil {
		return words
	}
	if x.budget || x.found && findConfig(file) != x.path {
		words = append(words, dashed(configFlag), x.path)
	}
	s := x.file.For(file, "")
	if t.fromProject && (t.board.Unmodelled != "" || len(s.Targets) != 1 || s.Targets[0] != t.board.Name) {
		words = append(words, dashed(targetFlag), t.board.Name)
	}
	if t.variables != nil && (s.ResourceVariables == nil || *s.ResourceVariables != *t.variables) {
		words = append(words, "--resource-variables", fmt.Sprint(*t.variables))
	}
	return words
}
