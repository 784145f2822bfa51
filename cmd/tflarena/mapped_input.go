package main

import (
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/tflarena/tflarena/tflite"
)

// A mappedInput is an input too large to be copied, what it was like when it was opened,
// and how to look again.
type mappedInput struct {
	title  string
	before fs.FileInfo
	now    func() (fs.FileInfo, error)
}

// remember notes an input that is mapped.
func (p *program) remember(title string, info fs.FileInfo, now func() (fs.FileInfo, error)) {
	if info != nil && info.Mode().IsRegular() && info.Size() >= tflite.MapSize {
		p.mapped = append(p.mapped, mappedInput{title, info, now})
	}
}

// changed reports whether an input was written to since it was opened. One that was
// replaced by another file is still there for whoever has it open.
func (in mappedInput) changed() bool {
	now, err := in.now()
	return err == nil && os.SameFile(in.before, now) && (now.Size() != in.before.Size() || !now.ModTime().Equal(in.before.ModTime()))
}

// unchanged is an error when an input was written to while it was in use: what was found
// is then true of neither the old file nor the new one.
func (p *program) unchanged() error {
	for _, in := range p.mapped {
		if in.changed() {
			return named(in.title, tflite.ErrChanged)
		}
	}
	return nil
}

// guarded does the work, and makes an error of a read behind the end of a mapped input that
// was cut short, and of whatever else panics because an input changed on the way.
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
