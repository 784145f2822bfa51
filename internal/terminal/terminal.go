// Package terminal detects whether output goes to a terminal, its width, and whether it may be
// coloured.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// An Env is the environment of the process. Tests replace its functions, because the output of a test
// is never a terminal.
type Env struct {
	// Getenv returns an environment variable, "" if it is not set.
	Getenv func(string) string
	// IsTerminal reports whether a reader or writer is a terminal.
	IsTerminal func(stream any) bool
	// Columns returns the width of a terminal in characters, 0 if unknown.
	Columns func(stream any) int
}

// System returns the environment of the process.
func System() Env {
	return Env{
		Getenv: os.Getenv,
		IsTerminal: func(stream any) bool {
			f, ok := stream.(*os.File)
			return ok && term.IsTerminal(int(f.Fd()))
		},
		Columns: func(stream any) int {
			f, ok := stream.(*os.File)
			if !ok {
				return 0
			}
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0
			}
			return width
		},
	}
}

// DefaultWidth is the width in characters of outputs without one, such as files and pipes, which are
// read later and elsewhere.
const DefaultWidth = 100

// Width returns the width of w in characters: the terminal's, else COLUMNS, else [DefaultWidth]. It is
// at least 40, so that a table keeps its numbers.
func (e Env) Width(w io.Writer) int {
	const least = 40
	width := 0
	if e.IsTerminal(w) {
		width = e.Columns(w)
	}
	if width <= 0 {
		width, _ = strconv.Atoi(e.Getenv("COLUMNS"))
	}
	if width <= 0 {
		width = DefaultWidth
	}
	return max(width, least)
}

// Color reports whether to colour output to w. The first that is set decides: mode "always" or "never",
// FORCE_COLOR or CLICOLOR_FORCE, NO_COLOR or TERM=dumb, and else whether w is a terminal. An unknown
// mode is an error.
func (e Env) Color(mode string, w io.Writer) (bool, error) {
	switch mode {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto", "":
	default:
		return false, fmt.Errorf("--color %q: use auto, always or never", mode)
	}
	switch {
	case e.on("FORCE_COLOR") || e.on("CLICOLOR_FORCE"):
		return true, nil
	case e.Getenv("NO_COLOR") != "" || e.Getenv("TERM") == "dumb":
		return false, nil
	}
	return e.IsTerminal(w), nil
}

// on reports whether a variable is set to anything but zero.
func (e Env) on(name string) bool {
	v := e.Getenv(name)
	return v != "" && v != "0" && v != "false"
}
