package output

import (
	"io/fs"
	"os"

	"golang.org/x/exp/slices"
)

// Standard describes standard input, output and error. Each [os.File] among them is inspected.
type Standard struct {
	In, Out, Err any
	// OutIsTerminal reports that standard output is a terminal.
	OutIsTerminal bool
	// Quiet reports that no messages are written.
	Quiet bool
	// Inputs are the paths of inputs; "-" is standard input.
	Inputs []string
}

// Check rejects outputs that would be mixed with others or lost: an unreadable format on a terminal, a
// model or a picture among messages, an output to the file of standard output, error or input, and
// standard output if it is an input. The error unwraps to [ErrUsage].
func (std Standard) Check(specs []Spec) error {
	for _, input := range std.Inputs {
		if out := statOf(std.Out); sameFile(std.statInput(input), out) && out.Mode().IsRegular() {
			return usage("standard output goes to the input, %s: send it to another file", input)
		}
	}
	for _, s := range specs {
		if err := std.check(s); err != nil {
			return err
		}
	}
	return nil
}

func (std Standard) check(s Spec) error {
	binary := !isText(s.Format)
	if s.Path == Stdout {
		switch {
		case binary && std.OutIsTerminal:
			return usage("standard output is a terminal: write %s to a file, as in -o out.%s, or into a pipe", s.Format, s.Format)
		case binary && !std.Quiet && sameFile(statOf(std.Out), statOf(std.Err)):
			return usage("standard output and standard error are one file, where messages would mix with %s: separate them, as in 2>messages, or use --quiet", s.Format)
		}
		return nil
	}
	info := statPath(s.Path)
	switch {
	case s.Path == Stderr:
	case sameFile(info, statOf(std.Out)):
		return usage("-o %s is the file that standard output goes to: use -o %s=- alone, or choose another path", s.Path, s.Format)
	case sameFile(info, statOf(std.Err)):
		return usage("-o %s is the file that standard error goes to: choose another path", s.Path)
	case slices.Contains(std.Inputs, stdin) && sameFile(info, statOf(std.In)):
		return usage("-o %s would overwrite the input: choose another path", s.Path)
	}
	return nil
}

// stdin is the path of standard input.
const stdin = "-"

func (std Standard) statInput(path string) fs.FileInfo {
	if path == stdin {
		return statOf(std.In)
	}
	return statPath(path)
}

// sameFile reports whether two open files are the same file, whose outputs would mix. Devices keep
// nothing: /dev/null may be used for both.
func sameFile(a, b fs.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Mode()&fs.ModeDevice == 0
}

func statOf(stream any) fs.FileInfo {
	if f, ok := stream.(*os.File); ok && f != nil {
		if info, err := f.Stat(); err == nil {
			return info
		}
	}
	return nil
}

func statPath(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}
