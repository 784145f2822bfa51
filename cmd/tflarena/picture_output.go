package main

import (
	"bytes"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/render"
)

// withPictures returns formats followed by the picture formats.
func withPictures(formats ...string) []string { return append(formats, render.Formats()...) }

func rendered(format string, page *drawing.Page) ([]byte, error) {
	var b bytes.Buffer
	err := render.Write(&b, format, page)
	return b.Bytes(), err
}
