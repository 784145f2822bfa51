package main

import (
	"fmt"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/schema"
)

// version is what "version --json" prints.
type version struct {
	SchemaVersion int `json:"schema_version"`
	// Version is the module's; "(devel)" for a build from a working copy.
	Version string `json:"version"`
	// Revision and Modified are those of the working copy, empty and false for a
	// build from a module.
	Revision string `json:"revision"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	// ModelSchema is the version of the model format that can be read.
	ModelSchema int `json:"model_schema_version"`
}

func readVersion() version {
	v := version{SchemaVersion: results.SchemaVersion, Version: "(unknown)", ModelSchema: schema.Version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "the version of this command and of the formats it knows",
		UsageText: "tflarena version [--json]",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "json", Category: groupOutput, Usage: "print JSON"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("version: takes no arguments")
			}
			v := readVersion()
			if c.Bool("json") {
				data, err := results.JSON(v)
				if err != nil {
					return err
				}
				return p.print(data)
			}
			return p.print([]byte(v.text()))
		},
	}
}

func (v version) text() string {
	text := fmt.Sprintf("%s %s\n", name, v.Version)
	if v.Revision != "" {
		text += "revision: " + v.Revision
		if v.Modified {
			text += " with changes"
		}
		text += "\n"
	}
	return text + fmt.Sprintf("go: %s\nmodel schema: %d\nJSON schema: %d\n", v.Go, v.ModelSchema, v.SchemaVersion)
}
