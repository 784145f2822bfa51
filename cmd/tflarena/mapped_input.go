package main

import (
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/tflarena/tflarena/tflite"
)

// A mappedInput is a memory-mapped input, its state when it was opened, and a function for its current
// state.
type mappedInput struct {
	title  string
	before fs.FileInfo
	now    func() (fs.FileInfo, error)
}

// remember records a mapped input.
func (p *program) remember(title string, info fs.FileInfo, now func() (fs.FileInfo, error)) {
	if info != nil && info.Mode().IsRegular() && info.Size() >= tflite.MapSize {
		p.mapped = append(p.mapped, mappedInput{title, info, now})
	}
}

// changed reports whether an input was written to since it was opened. One that was replaced by another
// file stays available to those who have it open.
func (in mappedInput) changed() bool {
	now, err := in.now()
	return err == nil && os.SameFile(in.before, now) && (now.Size() != in.before.Size() || !now.ModTime().Equal(in.before.ModTime()))
}

// unchanged returns an error if an input was written to while it was in use: the result is then valid
// neither for the old file nor for the new one.
func (p *program) unchanged() error {
	for _, in := range p.mapped {
		if in.changed() {
			return named(in.title, tflite.ErrChanged)
		}
	}
	return nil
}

// guarded does the work, and returns an error for a read past the end of a truncated mapped input, and
// for any other panic because of a changed input.
func (p *program) guarded(work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		switch err = p.unchanged(); {
		case err != nil:
		case tflite.IsFault(v) && len(p.mapped) > 0: // the disk fails, or the file was replaced too
			err = named(p.mapped[len(p.mapped)-1].title, tflite.ErrChanged)
		default:
			panic(v)
		}
	}()
	return work()
}
