package main

import (
	"bytes"

	"github.com/tflarena/tflarena/internal/drawing"
	"github.com/tflarena/tflarena/internal/render"
)

// withPictures returns formats, and behind them those of pictures.
func withPictures(formats ...string) []string { return append(formats, render.Formats()...) }

// rendered returns a picture in one of its formats.
func rendered(format string, page *drawing.Page) ([]byte, error) {
	var b bytes.Buffer
	err := render.Write(&b, format, page)
	return b.Bytes(), err
}
