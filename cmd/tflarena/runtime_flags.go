package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// shareFlag enables in-place sharing in LiteRT. It was once called --in-place, now the flag of rewrite
// for replacing a file.
const shareFlag = "share-in-place"

// runtimeFlags select the runtime of a model.
func runtimeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{
			Name: "runtime", Aliases: []string{"r"}, Value: rules.Names()[0], Category: groupRules,
			Usage: "see the model as `NAME`: " + marked(rules.Names(), rules.Names()[0]),
		},
		&cli.IntFlag{
			Name: "subgraph", Value: -1, DefaultText: "all; 0 in LiteRT", Category: groupRules,
			Usage: "plan subgraph `N` alone",
		},
		&cli.BoolFlag{
			Name: shareFlag, Category: groupRules,
			Usage: "allow in-place outputs, as LiteRT does",
		},
	}
}

// firstSet returns the first of the flags that the command line sets, or "".
func firstSet(c *cli.Context, flags ...string) string {
	for _, name := range flags {
		if c.IsSet(name) {
			return dashed(name)
		}
	}
	return ""
}

// namesOf returns the names of flags, without aliases.
func namesOf(flags []cli.Flag) (names []string) {
	for _, f := range flags {
		names = append(names, f.Names()[0])
	}
	return names
}

// A runtimeChoice is how a command line sees models.
type runtimeChoice struct {
	target
	// rules are those of the runtime, on the device.
	rules rules.Rules
	// subgraph is the only subgraph to plan, or -1.
	subgraph int
	// given are the flags of the runtime as given.
	given []string
}

// runtimeOf reads the runtime and the device.
func (p *program) runtimeOf(c *cli.Context) (r runtimeChoice, err error) {
	r = runtimeChoice{subgraph: c.Int("subgraph"), given: asked(c, "runtime", "subgraph", shareFlag)}
	if err := chosen("--runtime", c.String("runtime"), rules.Names()); err != nil {
		return r, err
	}
	if r.rules, err = rules.Lookup(c.String("runtime")); err != nil {
		return r, err
	}
	if !r.rules.IsMicro() {
		p.project.file = budget.File{} // its settings are for TensorFlow Lite Micro
	}
	if r.target, err = p.targetOf(c, c.Args().First()); err != nil {
		return r, err
	}
	if c.Bool(shareFlag) && !r.rules.IsLiteRT() {
		return r, usagef("--%s is a switch of LiteRT: use it with --runtime litert", shareFlag)
	}
	if c.IsSet("subgraph") && r.subgraph < 0 {
		return r, usagef("--subgraph %d: subgraphs count from 0, which is the first", r.subgraph)
	}
	r.rules.InPlace = c.Bool(shareFlag)
	if r.rules.IsMicro() {
		r.rules = r.rules.On(r.device)
	}
	return r, nil
}

// ownRuntimeOf is [program.runtimeOf] for commands that count scratch for TensorFlow Lite Micro only.
func (p *program) ownRuntimeOf(c *cli.Context) (runtimeChoice, error) {
	r, err := p.runtimeOf(c)
	if flag := firstSet(c, namesOf(scratchFlags())...); err == nil && flag != "" && !r.rules.IsMicro() {
		err = usagef("%s is for TensorFlow Lite Micro: leave it out, or use --runtime %s", flag, rules.Micro().Name)
	}
	return r, err
}

// describeRuntimes lists the contents of each rule set for help.
func describeRuntimes() string {
	var b strings.Builder
	b.WriteString("--runtime names the runtime whose rules of memory planning apply:\n")
	for _, name := range rules.Names() {
		r, err := rules.Lookup(name)
		if err != nil {
			continue // Names and Lookup read one table
		}
		fmt.Fprintf(&b, "  %-6s  %s\n", name, wrapped(r.Title+", "+r.Source, 10))
		for _, line := range r.Includes() {
			fmt.Fprintf(&b, "          - %s\n", wrapped(line, 12))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
