package results

import (
	"fmt"
	"runtime/debug"

	"github.com/tflarena/tflarena/schema"
)

// Release is the version of the project. A tag of a release is "v" and this version.
const Release = "0.1.0"

// revision is set by the linker for a release, whose bytes must not depend on how the sources were
// fetched; else it is "" and the build information may have it.
var revision string

// A Version is the output of "version".
type Version struct {
	SchemaVersion int `json:"schema_version"`
	// Version of the release that the sources are, or are to become.
	Version string `json:"version"`
	// Revision that the command was built from; empty if unknown.
	Revision string `json:"revision"`
	// Whether the working copy that the command was built from had changes.
	Modified bool `json:"modified"`
	// Version of Go that built the command.
	Go string `json:"go"`
	// Version of the model format that can be read.
	ModelSchema int `json:"model_schema_version"`
}

// NewVersion returns the version of this program, with what the build records of its sources.
func NewVersion() *Version {
	v := &Version{SchemaVersion: SchemaVersion, Version: Release, Revision: revision, ModelSchema: schema.Version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
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

// Text returns the version for people; command is the program's name.
func (v *Version) Text(command string) string {
	text := fmt.Sprintf("%s %s\n", command, v.Version)
	if v.Revision != "" {
		text += "revision: " + v.Revision
		if v.Modified {
			text += " with changes"
		}
		text += "\n"
	}
	return text + fmt.Sprintf("go: %s\nmodel schema: %d\nJSON schema: %d\n", v.Go, v.ModelSchema, v.SchemaVersion)
}
