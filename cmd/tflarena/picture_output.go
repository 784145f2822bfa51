package main

import (
	"bytes"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/output"
	"github.com/tflarena/tflarena/internal/render"
	"github.com/tflarena/tflarena/internal/results"
)

// withPictures returns formats followed by the picture formats.
func withPictures(formats ...string) []string { return append(formats, render.Formats()...) }

func rendered(format string, page *drawing.Page) ([]byte, error) {
	var b bytes.Buffer
	err := render.Write(&b, format, page)
	return b.Bytes(), err
}

// onePictured rejects a picture of several models, which would overlap.
func onePictured(specs []output.Spec, files []string) error {
	for _, s := range specs {
		if render.IsFormat(s.Format) && len(files) != 1 {
			return usagef("-o %s=%s: a picture shows one model, and %d are given: name one, or use diff for two or compare for many", s.Format, s.Path, len(files))
		}
	}
	return nil
}

// fewCharts rejects a picture with too many charts to read.
func fewCharts(specs []output.Spec, charts int) error {
	for _, s := range specs {
		if render.IsFormat(s.Format) && charts > results.MostCharts {
			return usagef("-o %s=%s: a picture has room for %d charts, and there would be %d: name fewer inputs", s.Format, s.Path, results.MostCharts, charts)
		}
	}
	return nil
}
